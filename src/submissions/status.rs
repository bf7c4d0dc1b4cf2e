//! The statuses of a submission (contract, section 5). Hooks may add others
//! (`cf_submission_statuses`), so a status is text.

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
