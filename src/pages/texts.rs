//! Texts for visitors: a form's messages, and file sizes.

use crate::forms::{Form, form_argument};
use crate::task::Context;

/// Formats a size in megabytes, with at most one decimal, in the form's language.
pub fn megabytes(bytes: u64, form: &Form) -> String {
    const MEGABYTE: u64 = 1 << 20;
    let tenths = (bytes.saturating_mul(10).saturating_add(MEGABYTE / 2) / MEGABYTE).max(1);
    let whole = (tenths / 10).to_string();
    match tenths % 10 {
        0 => whole,
        tenth => {
            let mark = form.messages.get("decimal_mark");
            let mark = mark.and_then(serde_json::Value::as_str).unwrap_or(".");
            format!("{whole}{mark}{tenth}")
        }
    }
}

/// A form's message, after the filter `cf_form_message_{code}` (text, form).
pub async fn message(cx: &Context, form: &Form, code: &str) -> String {
    let text = form.message(code).to_owned();
    filtered_message(cx, form, code, text).await
}

/// Applies the filter `cf_form_message_{code}` to a message's text.
pub async fn filtered_message(cx: &Context, form: &Form, code: &str, text: String) -> String {
    if !cx.has_any_callbacks() {
        return text;
    }
    let name = format!("cf_form_message_{code}");
    cx.filter_text(&name, text, || vec![form_argument(form)])
        .await
}
