//! The errors of requests, with the messages for clients. `src/http/respond.rs` has the table of their statuses and
//! codes.

use std::collections::BTreeSet;

pub use model::Fault;
use serde::Deserialize;

use crate::import::ImportError;
use crate::ordered::Gather;
use crate::store::StoreError;
use crate::task::PortError;

/// The kind of a requested resource that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Missing {
    #[error("There is no form with that id.")]
    Form,
    #[error("The form has no schema.")]
    Schema,
    #[error("The schema has no field of that name.")]
    Field,
    #[error("There is no submission with that id.")]
    Submission,
    #[error("There is no queue entry with that id.")]
    QueueEntry,
    #[error("The submission has no file with that id.")]
    File,
    #[error("The form has no draft.")]
    Draft,
    #[error("The form has no revision of that number.")]
    Revision,
}

/// The failure of a request's credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct AuthenticationFailure {
    /// The status: 401, 403 or 429.
    pub status: u16,
    /// The code, such as `incorrect_password`.
    pub code: String,
    /// The message for people.
    pub message: String,
}

/// The error of a request. The messages of the last three are only for the host's log.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("No route was found matching the URL and request method.")]
    NoRoute,
    #[error("{}", .0.message)]
    Authentication(AuthenticationFailure),
    #[error("Sorry, you are not allowed to do that.")]
    Forbidden,
    #[error("Invalid JSON body passed: {0}.")]
    InvalidJson(String),
    #[error("Missing parameter(s): {}.", .0.join(", "))]
    MissingParameters(Vec<String>),
    #[error("Invalid parameter(s): {}.", paths(.0))]
    InvalidParameters(Vec<Fault>),
    #[error("The page number requested is larger than the number of pages available.")]
    NoSuchPage,
    #[error(transparent)]
    NotFound(Missing),
    #[error("There are no forms with the ids {}.", .0.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))]
    NoSuchForms(Vec<i64>),
    #[error("Another form has that slug.")]
    SlugExists,
    #[error("The schema has a field named `{0}` already.")]
    DuplicateField(String),
    /// The field to delete, and the fields whose conditions refer to it.
    #[error("Conditions of `{}` refer to `{field}`. Add force=true to drop them.", used_by.join("`, `"))]
    FieldInUse { field: String, used_by: Vec<String> },
    /// The reason why a field cannot be edited in the author's markup.
    #[error(
        "The edit cannot be made in the markup: {0}. Without patch_only=true the schema is edited instead, and becomes the form's source."
    )]
    MarkupNotPatched(String),
    /// Ambiguous markup of an author without `unfiltered_html`.
    #[error(
        "The markup is ambiguous, so that it may hide a script. Remove elements that belong in no form, such as frameset."
    )]
    MarkupAmbiguous,
    /// The path of a mask without a stored secret for its destination.
    #[error("Send the secret of `{0}`: none is stored for its destination.")]
    SecretRequired(String),
    /// A file of an unknown format.
    #[error("{}", .0.message)]
    UnknownFormat(ImportError),
    /// A file that matches several formats.
    #[error("{}", .0.message)]
    AmbiguousFormat(ImportError),
    #[error("Only an action in failed state can be retried.")]
    RetryFailed,
    #[error("Only a waiting action can be cancelled.")]
    CancelFailed,
    #[error("An XLSX file holds at most 50,000 submissions. Choose fewer by a filter, or CSV.")]
    ExportTooLarge,
    #[error("Only an action in failed state can be dismissed.")]
    DismissFailed,
    #[error(
        "The form no longer has this action. Without settings=current, it is retried with its stored settings."
    )]
    ActionGone,
    #[error("The actions of spam are withheld. Take the submission out of spam first.")]
    SubmissionIsSpam,
    #[error("No action of that type is registered.")]
    UnknownActionType,
    #[error("This was changed after you read it. Read it again, then repeat your change.")]
    PreconditionFailed,
    #[error("The body is larger than this site allows.")]
    PayloadTooLarge,
    #[error("The body could not be read to its end.")]
    BrokenBody,
    #[error("The body arrived too slowly. Try again.")]
    SlowBody,
    #[error("A page may not embed this file. Open its URL in a new tab, or download it.")]
    FileFetchRefused,
    /// Too many bytes of bodies are being read: 429 for the address's limit, 503 for the site's.
    #[error("Too much is being sent at once. Try again in a moment.")]
    TooManyBodies(u16),
    #[error("Others are changing this at the moment. Try again.")]
    Conflict,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error("{0}")]
    Internal(String),
}

fn paths(faults: &[Fault]) -> String {
    let paths: BTreeSet<&str> = faults.iter().map(|fault| fault.path.as_str()).gather();
    Vec::from_iter(paths).join(", ")
}

impl Error {
    /// An error of one invalid value.
    pub fn invalid(parameter: &str, code: &'static str, message: impl Into<String>) -> Error {
        Error::InvalidParameters(vec![Fault::new(parameter, code, message)])
    }

    /// Whether the database is locked temporarily, so that another attempt may succeed.
    pub fn is_busy(&self) -> bool {
        matches!(self, Error::Store(StoreError::Port(fault)) | Error::Port(fault) if fault.code == "busy")
    }

    /// Whether a disk of the host is full.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, Error::Store(StoreError::Port(fault)) | Error::Port(fault) if fault.code == "full")
    }

    /// Converts the fault of `Request::read_body`.
    pub fn of_body(fault: &PortError) -> Error {
        match fault.code.as_str() {
            "too_large" => Error::PayloadTooLarge,
            "busy_address" => Error::TooManyBodies(429),
            "busy" => Error::TooManyBodies(503),
            "slow" => Error::SlowBody,
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
