//! Reading a form-encoded or JSON body of a submit. Multipart bodies are streamed ([`super::uploads`]).

use std::rc::Rc;

use percent_encoding::percent_decode;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::http::Request;
use crate::logic::input::{Input, UploadedFile};
use crate::submissions::{StoredFile, UploadLease};
use crate::task::{Context, PortError};

/// The input with the token of saved progress.
pub const SAVED_TOKEN: &str = "_cf_saved";

/// Limit on the names or parts of one body. A form may have ten thousand fields.
pub const MAX_PAIRS: usize = 20_000;

/// The reason why a body cannot be read.
#[derive(Debug)]
pub enum BodyError {
    TooLarge,
    UnknownType,
    Broken,
    Slow,
    TooManyFields,
    /// Concurrent requests have too many bytes in their bodies: 429 for the limit of the IP address, 503 for the
    /// site's.
    Busy(u16),
    /// The form's files have reached the quota.
    NoRoom,
    /// An error of the site, not of the body.
    Failed(Error),
}

impl BodyError {
    /// Converts a code that the host reports after it has read some of the body's answers.
    pub fn of_code(code: String) -> BodyError {
        if code == "too_many_fields" {
            return BodyError::TooManyFields;
        }
        let (port, message) = ("body".to_owned(), String::new());
        let fault = PortError {
            port,
            code,
            message,
        };
        Error::Port(fault).into()
    }

    /// The error for a file that did not fit on the host's disk.
    pub fn disk_full(message: String) -> BodyError {
        let (port, code) = ("files".to_owned(), "full".to_owned());
        let fault = PortError {
            port,
            code,
            message,
        };
        BodyError::Failed(Error::Port(fault))
    }

    /// Whether the answers in the body were read, up to the size limits.
    pub fn keeps_answers(&self) -> bool {
        !matches!(
            self,
            BodyError::UnknownType | BodyError::Broken | BodyError::Slow | BodyError::TooManyFields
        )
    }
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
            Error::SlowBody => BodyError::Slow,
            error => BodyError::Failed(error),
        }
    }
}

/// A sent file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// The hexadecimal hash of the bytes; for an unknown token, the token's hash.
    pub sha256: String,
    pub stored: Option<StoredFile>,
    /// The token by which a later submit claims the file. A file without a token is removed unless this submit is
    /// accepted.
    pub token: Option<String>,
}

/// The content of a submit.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    pub input: Input,
    /// The uploads of the input's files, in their order.
    pub uploads: Vec<Upload>,
    /// Whether the body was JSON, so that the response is JSON too.
    pub is_json: bool,
    /// The lease that keeps the uploads from the purge.
    pub lease: Option<Rc<UploadLease>>,
}

impl Sent {
    /// Builds the content from pairs of name and text, and from files.
    pub fn of_pairs(pairs: Vec<(String, String)>, files: Vec<(UploadedFile, Upload)>) -> Sent {
        let (files, uploads) = files.into_iter().unzip();
        Sent {
            input: Input::of_pairs(pairs, files),
            uploads,
            ..Sent::default()
        }
    }

    /// The value of a name, if it was sent and is not empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.input.value(name)
    }
}

/// Reads a body by its content type. An empty body without a content type is a form without fields.
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

/// Reads the answers of a form-encoded body that exceeded a limit, except answers that are too large.
pub async fn kept_answers(cx: &Context, request: &Request) -> Sent {
    if request.content_type() != "application/x-www-form-urlencoded" {
        return Sent::default();
    }
    let part = cx.next_part().await.unwrap_or_default();
    Sent::of_pairs(part.fields, Vec::new())
}

fn read_pairs(body: &[u8]) -> Result<Sent, BodyError> {
    let pairs = body
        .split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty());
    let pairs = pairs.take(MAX_PAIRS + 1).map(|pair| {
        let mut parts = pair.splitn(2, |byte| *byte == b'=');
        let mut part = || decoded(parts.next().unwrap_or_default());
        (part(), part())
    });
    let pairs: Vec<(String, String)> = pairs.collect();
    if pairs.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent::of_pairs(pairs, Vec::new()))
}

/// Decodes a name or value of a form-encoded body.
fn decoded(part: &[u8]) -> String {
    let spaced: Vec<u8> = part
        .iter()
        .map(|byte| if *byte == b'+' { b' ' } else { *byte })
        .collect();
    text_of(percent_decode(&spaced).collect())
}

/// The characters of windows-1252 for the bytes from 0x80 to 0x9f. Every other byte equals its code point.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Decodes a text as UTF-8, else as windows-1252, which browsers send from pages in that encoding.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let character = |byte: &u8| match byte {
            0x80..0xa0 => WINDOWS_1252.chars().nth(usize::from(byte - 0x80)),
            _ => Some(char::from(*byte)),
        };
        error.as_bytes().iter().filter_map(character).collect()
    })
}

fn read_json(body: &[u8]) -> Result<Sent, BodyError> {
    let members: Result<Map<String, Value>, _> = match std::str::from_utf8(body) {
        Ok(_) => crate::json::read(body),
        Err(_) => crate::json::read(text_of(body.to_vec()).as_bytes()),
    };
    let members = members.map_err(|_| BodyError::Broken)?;
    if members.len() > MAX_PAIRS {
        return Err(BodyError::TooManyFields);
    }
    Ok(Sent {
        input: Input::of_json(&members),
        is_json: true,
        ..Sent::default()
    })
}
