//! The statuses that a submission may be given: the built-in ones and those that hooks add.

use serde_json::Value;

use model::status::{ANY, STATUSES, UNSAVED};

use crate::hooks::Kind;
use crate::task::Context;

/// The longest status that a hook may add.
const MAX_STATUS_CHARS: usize = 20;

/// The statuses that a submission may be given: the built-in ones and what the filter
/// `cf_submission_statuses` adds to the list. None can be taken away.
pub async fn known_statuses(cx: &Context) -> Vec<String> {
    let built_in = STATUSES.map(str::to_owned);
    let name = "cf_submission_statuses";
    if !cx.has_callbacks(Kind::Filter, name) {
        return built_in.into();
    }
    let filtered = cx.apply_filters(name, json!(STATUSES), &[]).await;
    let added = filtered.as_array().map(Vec::as_slice).unwrap_or_default();
    let added = added.iter().filter_map(Value::as_str).filter(|status| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        (1..=MAX_STATUS_CHARS).contains(&status.len())
            && status.chars().all(plain)
            && !STATUSES.contains(status)
            && ![ANY, UNSAVED].contains(status)
    });
    built_in
        .into_iter()
        .chain(added.map(str::to_owned))
        .collect()
}
