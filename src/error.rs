//! Everything that can go wrong with a request. What each becomes for a client is one table in
//! `src/http/respond.rs`.

pub use model::Fault;

use crate::http::AuthenticationFailure;
use crate::store::StoreError;
use crate::task::PortError;

/// A thing that was asked for by an id or a name and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No form of that id.
    Form,
    /// The form has no schema.
    Schema,
    /// The schema has no field of that name.
    Field,
    /// No submission of that id.
    Submission,
    /// No queue entry of that id.
    QueueEntry,
    /// The submission has no file of that id.
    File,
    /// The form has no work in progress.
    Draft,
    /// The form has no revision of that number.
    Revision,
}

/// Why a request cannot be answered as it asks.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No route has that path, or not with that method.
    #[error("no route")]
    NoRoute,
    /// The credentials that came are wrong.
    #[error("authentication failed: {}", .0.code)]
    Authentication(AuthenticationFailure),
    /// The caller may not do this.
    #[error("forbidden")]
    Forbidden,
    /// The body is not JSON, or not a JSON object.
    #[error("the body is not a JSON object: {0}")]
    InvalidJson(String),
    /// Required parameters are not there.
    #[error("missing parameters: {}", .0.join(", "))]
    MissingParameters(Vec<String>),
    /// Values are not as they should be.
    #[error("{} invalid parameters", .0.len())]
    InvalidParameters(Vec<Fault>),
    /// The page is beyond the last.
    #[error("no such page")]
    NoSuchPage,
    /// The thing is not there.
    #[error("{0:?} not found")]
    NotFound(Missing),
    /// Some of the forms that were named are not there.
    #[error("{} forms not found", .0.len())]
    NoSuchForms(Vec<i64>),
    /// Another form has that slug.
    #[error("the slug is taken")]
    SlugExists,
    /// The schema has a field of that name already.
    #[error("the field name is taken")]
    DuplicateField(String),
    /// Conditions of other fields refer to the field.
    #[error("conditions refer to the field")]
    FieldInUse {
        /// The field that was to be deleted.
        field: String,
        /// The fields whose conditions name it.
        used_by: Vec<String>,
    },
    /// The field cannot be edited in the author's markup, and was to be edited there only; with the
    /// reason.
    #[error("the markup cannot be edited in place")]
    MarkupNotPatched(String),
    /// The markup of an author without `unfiltered_html` can be read in two ways that differ in what is
    /// script.
    #[error("the markup is ambiguous")]
    MarkupAmbiguous,
    /// A mask stands for a secret that is not stored for where it would go now; with its place.
    #[error("a secret is required")]
    SecretRequired(String),
    /// The queue entry is not in failed state.
    #[error("the queue entry is not failed")]
    RetryFailed,
    /// The queue entry does not wait.
    #[error("the queue entry does not wait")]
    CancelFailed,
    /// The form of the queue entry has its action no more.
    #[error("the action is gone")]
    ActionGone,
    /// The submission is spam, whose actions are withheld.
    #[error("the submission is spam")]
    SubmissionIsSpam,
    /// No action of that type is registered.
    #[error("unknown action type")]
    UnknownActionType,
    /// `If-Match` names a version that is not the current one.
    #[error("precondition failed")]
    PreconditionFailed,
    /// The body is larger than the host allows.
    #[error("payload too large")]
    PayloadTooLarge,
    /// The body cannot be read to its end.
    #[error("the body broke off")]
    BrokenBody,
    /// Too many bytes of bodies are under way: 429 for the address's own, 503 for those of all.
    #[error("too many bytes of bodies at once")]
    TooManyBodies(u16),
    /// Another change was made at the same time, again and again.
    #[error("too many changes at once")]
    Conflict,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another port failed.
    #[error(transparent)]
    Port(#[from] PortError),
    /// A fault of the engine.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// One value that is not as it should be.
    pub fn invalid(parameter: &str, code: &'static str, message: impl Into<String>) -> Error {
        Error::InvalidParameters(vec![Fault::new(parameter, code, message)])
    }

    /// Whether the database is held by others for the moment: another attempt may find it free.
    pub fn is_busy(&self) -> bool {
        matches!(self, Error::Store(StoreError::Port(fault)) | Error::Port(fault) if fault.code == "busy")
    }

    /// Why a body could not be read, as [`crate::http::Request::read_body`] says it.
    pub fn of_body(fault: &PortError) -> Error {
        match fault.code.as_str() {
            "too_large" => Error::PayloadTooLarge,
            "busy_address" => Error::TooManyBodies(429),
            "busy" => Error::TooManyBodies(503),
            "consumed" => Error::Internal(
                "the request's body was read before it reached cf-forms: mount cf-forms before any body parser"
                    .to_owned(),
            ),
            _ => Error::BrokenBody,
        }
    }
}

impl From<getrandom::Error> for Error {
    fn from(error: getrandom::Error) -> Error {
        Error::Store(error.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Store(error.into())
    }
}
