//! The redirect after a success.

use serde_json::{Map, Value};

use crate::dates::format_moment;
use crate::forms::settings::is_redirect_target;
use crate::forms::{Form, FormSchema, form_argument};
use crate::hooks::Kind;
use crate::logic::template::{self, Escape, Variables, expand};
use crate::submissions::Submission;
use crate::task::Context;

/// The filter on the URL: (URL, form, data).
const REDIRECT_URL: &str = "cf_form_redirect_url";

/// The data that the ending and the redirect's URL may quote.
pub struct Facts<'a> {
    pub form: &'a Form,
    pub schema: &'a FormSchema,
    /// The submission before it is stored.
    pub submission: &'a Submission,
    /// The answers.
    pub data: &'a Map<String, Value>,
    /// The placeholder for the submission's id, which is unknown until the submission is stored; may be empty.
    pub uuid: &'a str,
}

/// Fills the variables into the URL in a form's setting, and applies the filter `cf_form_redirect_url`. Returns an
/// empty text unless the result is a path or an HTTP URL.
pub async fn address(cx: &Context, setting: &str, facts: &Facts<'_>) -> String {
    if setting.is_empty() && !cx.has_callbacks(Kind::Filter, REDIRECT_URL) {
        return String::new();
    }
    let timestamp = format_moment(facts.submission.submitted_at);
    let variables = variables(facts, &timestamp);
    let address = expand(setting, &variables, template::Context::Url);
    let arguments = || vec![form_argument(facts.form), json!(facts.data)];
    let address = cx.filter_text(REDIRECT_URL, address, arguments).await;
    let address = address.trim();
    if is_redirect_target(address) {
        address.to_owned()
    } else {
        String::new()
    }
}

/// The variables for the texts of an ending and for the redirect's URL.
pub fn variables<'a>(facts: &Facts<'a>, timestamp: &'a str) -> Variables<'a> {
    Variables {
        schema: Some(facts.schema),
        data: facts.data,
        escape: Escape::NONE,
        form_id: facts.form.id,
        form_title: &facts.form.title,
        submission_id: facts.uuid,
        timestamp,
        ip_address: &facts.submission.ip_address,
        user_agent: &facts.submission.user_agent,
        referrer_url: &facts.submission.referer_url,
        texts: &facts.form.messages,
        file_links: &[],
    }
}
