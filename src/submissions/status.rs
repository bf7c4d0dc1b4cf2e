//! The statuses of a submission (contract, section 5). Hooks may add others
//! (`cf_submission_statuses`), so a status is text.

use serde_json::{Value, json};

use crate::hooks::Kind;
use crate::task::Context;

/// The longest status that a hook may add.
const MAX_STATUS_CHARS: usize = 20;

/// Just submitted, not yet seen.
pub const NEW: &str = "new";
/// Filed away.
pub const ARCHIVED: &str = "archived";
/// Taken for spam: its actions are withheld.
pub const SPAM: &str = "spam";
/// Thrown away, not yet deleted.
pub const TRASH: &str = "trash";

/// The built-in statuses.
pub const STATUSES: [&str; 6] = [NEW, "read", "replied", ARCHIVED, SPAM, TRASH];

/// What a list is asked for to show every status.
pub const ANY: &str = "any";

/// What the store calls a submission that only waits for its actions, because its form keeps no
/// submissions. No client sees it, and no hook can add it.
pub const UNSAVED: &str = "unsaved";

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

/// Whether a submission counts as spam once it has a status. Thrown-away spam stays spam: that
/// nobody wants it is no reason to run its actions.
pub fn is_spam_after(status: &str, was_spam: bool) -> bool {
    match status {
        SPAM => true,
        TRASH => was_spam,
        _ => false,
    }
}
