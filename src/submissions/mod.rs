//! Submissions: what visitors sent.

mod entries;
pub mod export;
mod files;
mod status;

pub use entries::entries_of;
pub use files::{forget_unsaved, remove_abandoned, remove_files};
pub use model::addresses::{addresses_of, folded_address};
pub use model::status::{ANY, ARCHIVED, NEW, SPAM, STATUSES, TRASH, UNSAVED, is_spam_after};
pub use model::words::words_asked;
pub use model::{Data, StoredFile, Submission};
pub use status::known_statuses;
