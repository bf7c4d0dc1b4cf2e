//! Submissions: what visitors sent.

mod answer_words;
mod edit;
mod entries;
pub mod export;
mod files;
mod purge;
mod reindex;
mod retention;
mod status;

pub use answer_words::{word_of_answer, words_of_answers};
pub use edit::edited;
pub use entries::entries_of;
pub use files::{forget_unsaved, remove_files};
pub use model::addresses::{addresses_of, folded_address};
pub use model::words::{
    address_word, answer_word, form_word, is_beginning, is_term, listed_word, starred_word,
    status_word, terms, words_asked, words_of,
};
pub use model::{Data, StoredFile, Submission};
pub use purge::purge;
pub use reindex::migrate;
pub use status::{
    ANY, ARCHIVED, NEW, SPAM, STATUSES, TRASH, UNSAVED, is_spam_after, known_statuses,
};
