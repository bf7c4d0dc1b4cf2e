//! Submissions and their files: reading, editing, exporting and importing.

mod argument;
mod edit;
mod events;
pub mod export;
mod files;
pub mod import;
mod reading;
mod status;
mod upload_lease;
mod visit;

pub use crate::store::answer_words::find_answer;
pub use crate::store::reindex::{IndexState, index_state};
pub use crate::store::submissions::address_files;
pub use argument::submission_argument;
pub use edit::edited;
pub use events::{form_succeeded, notify_changed};
pub use files::{delete, file_links, forget_unsaved};
pub use model::addresses::{addresses_of, comparable_answer, folded_address, former_address};
pub use model::status::{ANY, ARCHIVED, NEW, SPAM, STATUSES, TRASH, UNSAVED, is_spam_after};
pub use model::unicode::domain::{ascii_address, with_unicode_labels};
pub use model::unicode::fold::fold;
pub use model::words::{any_word, is_written_without_spaces, runs, search_words, starred_word};
pub use model::{Data, Labels, StoredFile, Submission};
pub use reading::read_by_schemas;
pub use status::known_statuses;
pub use upload_lease::{UploadLease, renew_uploads};
pub use visit::{kept_address, kept_user_agent, page_address};
