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
    #[error("This form no longer exists.")]
    Form,
    #[error("This form has no fields yet.")]
    Schema,
    #[error("This field no longer exists.")]
    Field,
    #[error("This submission no longer exists.")]
    Submission,
    #[error("This delivery no longer exists.")]
    QueueEntry,
    #[error("This file no longer exists.")]
    File,
    #[error("There are no unpublished changes.")]
    Draft,
    #[error("This version no longer exists.")]
    Revision,
    #[error("This import no longer exists.")]
    Import,
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

/// The error of a request. The messages of `Store`, `Port` and `Internal` are only for the host's log.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("This function isn’t available on this site.")]
    NoRoute,
    #[error("{}", .0.message)]
    Authentication(AuthenticationFailure),
    #[error("Your account doesn’t have permission to do this.")]
    Forbidden,
    #[error("Invalid JSON body passed: {0}.")]
    InvalidJson(String),
    #[error("Required information is missing: {}.", .0.join(", "))]
    MissingParameters(Vec<String>),
    #[error("Some values aren’t valid: {}.", paths(.0))]
    InvalidParameters(Vec<Fault>),
    #[error("The list has fewer pages than this.")]
    NoSuchPage,
    #[error(transparent)]
    NotFound(Missing),
    #[error("These forms no longer exist: {}.", .0.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))]
    NoSuchForms(Vec<i64>),
    #[error("Another form already uses this link.")]
    SlugExists,
    #[error("Another field already uses the name “{0}”.")]
    DuplicateField(String),
    /// The field to delete, and the fields and steps whose conditions, expressions or texts refer to it.
    #[error("Conditions or texts use this field: those of `{}` refer to `{field}`. Add force=true to drop the conditions, and to show fallback words in the texts.", used_by.join("`, `"))]
    FieldInUse { field: String, used_by: Vec<String> },
    /// The reason why a field cannot be edited in the author's markup.
    #[error(
        "This change can’t be made in the HTML as it is: {0}. Without patch_only=true the schema is edited instead, and becomes the form's source."
    )]
    MarkupNotPatched(String),
    /// Ambiguous markup of an author without `unfiltered_html`.
    #[error(
        "This HTML is ambiguous and could hide a script. Remove unusual elements, such as frameset, and try again."
    )]
    MarkupAmbiguous,
    /// The path of a masked secret that cannot be restored, because none is stored for the action's destination.
    #[error("The destination changed. Enter the password or key again: `{0}`.")]
    SecretRequired(String),
    /// A file of an unknown format.
    #[error("{}", .0.message)]
    UnknownFormat(ImportError),
    /// A file that matches several formats.
    #[error("{}", .0.message)]
    AmbiguousFormat(ImportError),
    #[error("Only failed deliveries can be retried.")]
    RetryFailed,
    #[error("Only waiting deliveries can be canceled.")]
    CancelFailed,
    #[error("An XLSX file holds at most 50,000 submissions. Choose fewer by a filter, or CSV.")]
    ExportTooLarge,
    #[error("Only failed deliveries can be dismissed.")]
    DismissFailed,
    #[error(
        "The form no longer has this action. Without settings=current, it is retried with its stored settings."
    )]
    ActionGone,
    #[error("Actions don’t run for spam. Take the submission out of spam first.")]
    SubmissionIsSpam,
    #[error("This type of action isn’t available.")]
    UnknownActionType,
    #[error("Someone else changed this. Reload and try again.")]
    PreconditionFailed,
    #[error("This is too large to upload or save.")]
    PayloadTooLarge,
    #[error("The body could not be read to its end.")]
    BrokenBody,
    #[error("The body arrived too slowly. Try again.")]
    SlowBody,
    #[error("A page may not embed this file. Open its URL in a new tab, or download it.")]
    FileFetchRefused,
    /// Concurrent requests have too many bytes in their bodies: 429 for the limit of the IP address, 503 for the
    /// site's.
    #[error("Too many requests. Try again in a moment.")]
    TooManyBodies(u16),
    #[error("Someone else changed this at the same time. Try again.")]
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
    /// Creates the error for one invalid parameter.
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

    /// Converts the error of `Request::read_body`.
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
