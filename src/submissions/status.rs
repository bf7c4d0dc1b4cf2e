//! The statuses of submissions: the built-in ones and those of plugins.

use serde_json::Value;

use model::status::{ANY, STATUSES, UNSAVED};

use crate::hooks::Kind;
use crate::task::Context;

/// Limit on a plugin's status, in characters.
const MAX_STATUS_CHARS: usize = 20;

/// Lists the statuses of submissions. The filter `cf_submission_statuses` can add statuses, but not remove built-in
/// ones.
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
