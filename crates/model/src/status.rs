//! The statuses of a submission (contract, section 5). Hooks may add others
//! (`cf_submission_statuses`), so a status is text.

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

/// The stored status of a submission that only waits for its actions, because its form keeps no submissions. No
/// client sees it, and no hook can add it.
pub const UNSAVED: &str = "unsaved";

/// Whether a submission counts as spam under a new status. Spam in the trash stays spam, so that its actions never
/// run.
pub fn is_spam_after(status: &str, was_spam: bool) -> bool {
    match status {
        SPAM => true,
        TRASH => was_spam,
        _ => false,
    }
}
