//! The statuses of a submission (contract, section 5). The hook `cf_submission_statuses` may add others, so a status
//! is a text instead of an enumeration.

/// Just submitted, not yet seen.
pub const NEW: &str = "new";
/// Seen.
pub const READ: &str = "read";
/// Filed away.
pub const ARCHIVED: &str = "archived";
/// Spam: its actions are withheld.
pub const SPAM: &str = "spam";
/// Deleted by a user, and still restorable.
pub const TRASH: &str = "trash";

/// The built-in statuses.
pub const STATUSES: [&str; 6] = [NEW, READ, "replied", ARCHIVED, SPAM, TRASH];

/// The filter value for submissions of every status.
pub const ANY: &str = "any";

/// The stored status of a submission in a form that keeps no submissions. The submission stays only until its actions
/// have run. Clients never see the status, and hooks cannot add it.
pub const UNSAVED: &str = "unsaved";

/// Whether a submission counts as spam after a change to `status`. Spam in the trash stays spam, so that its actions
/// never run.
pub fn is_spam_after(status: &str, was_spam: bool) -> bool {
    match status {
        SPAM => true,
        TRASH => was_spam,
        _ => false,
    }
}
