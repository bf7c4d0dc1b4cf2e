//! Submissions: what visitors sent.

mod entries;
mod files;
mod record;
mod status;
mod words;

pub use entries::entries_of;
pub use files::{forget_unsaved, purge_expired, remove_files};
pub use record::{Data, StoredFile, Submission};
pub use status::{
    ANY, ARCHIVED, NEW, SPAM, STATUSES, TRASH, UNSAVED, is_spam_after, known_statuses,
};
pub use words::{form_word, words_asked, words_of};
