//! The statuses of a submission (contract, section 5). Hooks may add others
//! (`cf_submission_statuses`), so a status is text.

/// Just submitted, not yet seen.
pub const NEW: &str = "new";
/// Seen.
pub const READ: &str = "read";
/// Filed away.
pub const ARCHIVED: &str = "archived";
/// Taken for spam: its actions are withheld.
pub const SPAM: &str = "spam";
/// Thrown away, not yet deleted.
pub const TRASH: &str = "trash";

/// The built-in statuses.
pub const STATUSES: [&str; 6] = [NEW, READ, "replied", ARCHIVED, SPAM, TRASH];

/// The status with which a list shows submissions of every status.
pub const ANY: &str = "any";

/// The status in the store of a submission that only waits for its actions, because its form keeps
/// no submissions. No client sees it, and no hook can add it.
pub const UNSAVED: &str = "unsaved";

/// Whether a submission counts as spam once it has a status. Thrown-away spam stays spam: that
/// nobody wants it is no reason to run its actions.
pub fn is_spam_after(status: &str, was_spam: bool) -> bool {
    match status {
        SPAM => true,
        TRASH => was_spam,
        _ => false,
    }
}
