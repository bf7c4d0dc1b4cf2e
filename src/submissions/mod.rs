//! Submissions: what visitors sent.

mod entries;
pub mod export;
mod files;
mod purge;
mod reindex;
mod retention;
mod status;

pub use entries::entries_of;
pub use files::{forget_unsaved, remove_files};
pub use model::addresses::{addresses_of, folded_address};
pub use model::words::{
    address_word, form_word, is_beginning, is_term, listed_word, status_word, terms, words_asked,
    words_of,
};
pub use model::{Data, StoredFile, Submission};
pub use purge::purge;
pub use reindex::migrate;
pub use status::{
    ANY, ARCHIVED, NEW, SPAM, STATUSES, TRASH, UNSAVED, is_spam_after, known_statuses,
};
