//! Reading the body of a submit: form-encoded or JSON, as names with values. What comes as multipart is
//! read as it arrives ([`super::uploads`]).

use serde_json::{Map, Value};

use crate::error::Error;
use crate::http::Request;
use crate::logic::input::{Input, UploadedFile};
use crate::submissions::StoredFile;

/// The most names or parts of one body. A form may have ten thousand fields.
pub const MAX_PAIRS: usize = 20_000;

/// Why a body cannot be read, in the words that the visitor sees.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    #[error("What you sent is larger than this site allows.")]
    TooLarge,
    #[error("A form is sent form-encoded, as multipart or as JSON.")]
    UnknownType,
    #[error("What you sent could not be read.")]
    Broken,
    #[error("What you sent has too many fields.")]
    TooManyFields,
    /// Too many bytes of bodies are being read: 429 for those of the address, 503 for those of all.
    #[error("Too much is being sent at once. Please try again in a moment.")]
    Busy(u16),
    /// The database is locked by others.
    #[error("The site is busy at the moment. Please send the form again.")]
    Held,
    /// The form's files take all the room that it has for them.
    #[error("This form cannot take more files at the moment. Please tell the owner of the site.")]
    NoRoom,
    /// A fault of the site, not of the body.
    #[error(transparent)]
    Failed(Error),
}

impl<E: Into<Error>> From<E> for BodyError {
    fn from(error: E) -> BodyError {
        let error = match error.into() {
            Error::Port(fault) => Error::of_body(&fault),
            error => error,
        };
        match error {
            Error::PayloadTooLarge => BodyError::TooLarge,
            Error::TooManyBodies(status) => BodyError::Busy(status),
            Error::BrokenBody => BodyError::Broken,
            error => BodyError::Failed(error),
        }
    }
}

/// A file that was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// Of its bytes, hexadecimal.
    pub sha256: String,
    pub stored: Option<StoredFile>,
}

/// The content of a submit.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    pub input: Input,
    /// What became of the input's files, in their order.
    pub uploads: Vec<Upload>,
    /// Whether it came as JSON, so that the answer is JSON too.
    pub is_json: bool,
}

impl Sent {
    /// Builds the content from names with texts, and files.
    pub fn of_pairs(pairs: Vec<(String, String)>, files: Vec<(UploadedFile, Upload)>) -> Sent {
        let (files, uploads) = files.into_iter().unzip();
        Sent {
            input: Input::of_pairs(pairs, files),
            uploads,
            is_json: false,
        }
    }

    /// The value of a name, if it was sent and is not empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.input.last(name).filter(|value| !value.is_empty())
    }
}

/// Reads a body by its content type. An empty body without one is a form without fields.
pub fn read(request: &Request) -> Result<Sent, BodyError> {
    if request.too_large {
        return Err(BodyError::TooLarge);
    }
    let body = &request.body;
    match request.content_type().as_str() {
        "application/x-www-form-urlencoded" => read_pairs(body),
        kind if kind == "application/json" || kind.ends_with("+json") => read_json(body),
        "" if body.is_empty() => Ok(Sent::default()),
        _ => Err(BodyError::UnknownType),
    }
}

fn read_pairs(body: &[u8]) -> Result<Sent, BodyError> {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(body)
        .into_owned()
        .take(MAX_PAIRS + 1)
        .collect();
    if pairs.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent::of_pairs(pairs, Vec::new()))
}

fn read_json(body: &[u8]) -> Result<Sent, BodyError> {
    let members: Map<String, Value> = crate::json::read(body).map_err(|_| BodyError::Broken)?;
    if members.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent {
        input: Input::of_json(&members),
        is_json: true,
        uploads: Vec::new(),
    })
}
