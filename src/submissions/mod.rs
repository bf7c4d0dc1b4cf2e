//! Submissions: what visitors sent.

mod record;
mod status;

pub use record::{Data, StoredFile, Submission};
pub use status::{ARCHIVED, NEW, SPAM, STATUSES, TRASH};
