//! The effects that a task may request of its host.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::Statement;

/// A mail for the host's `Mailer` port.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Mail {
    /// The sender, as one mailbox.
    pub from: String,
    /// The recipients, one mailbox each.
    pub to: Vec<String>,
    /// The recipients of copies.
    pub cc: Vec<String>,
    /// The recipients of blind copies.
    pub bcc: Vec<String>,
    /// The email address for replies; empty for the sender.
    pub reply_to: String,
    /// The subject, on one line.
    pub subject: String,
    /// The plain-text part.
    pub text: String,
    /// The HTML part, if the mail has one.
    pub html: Option<String>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// The Message-ID, which all attempts of a queue entry share.
    pub message_id: String,
    /// The attached files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<MailAttachment>,
}

/// A stored file that is attached to a mail.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MailAttachment {
    /// The name that the receiver sees.
    pub filename: String,
    /// The media type.
    pub content_type: String,
    /// The size, in bytes.
    pub size: u64,
    /// The key in the host's `Files` port.
    pub key: String,
}

/// A request for the host's `Http` port.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutgoingRequest {
    /// The method, in capitals.
    pub method: String,
    /// An absolute `http` or `https` URL.
    pub url: String,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body. Its bytes follow the frame's head.
    #[serde(skip)]
    pub body: Option<Vec<u8>>,
    /// Timeout of the whole request and response, in milliseconds.
    pub timeout_ms: u32,
    /// Limit on the response's body, in bytes. The host cuts off the rest.
    pub max_bytes: u32,
}

/// An effect, which only the host can perform. `host-shim/src/effects.ts` declares the same members.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "port", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the members are named for what they are")]
pub enum Effect {
    /// Run statements in order in one transaction. With `patient` they have no timeout, since they may change large
    /// tables.
    Sql {
        #[serde(skip)]
        statements: Vec<Statement>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        patient: bool,
    },
    /// Send a mail.
    Mail { message: Box<Mail> },
    /// Send an HTTP request.
    Http { request: Box<OutgoingRequest> },
    /// Open a file as the response's body, and return its first bytes.
    FileOpen { key: String },
    /// Read the request's body.
    Body,
    /// Read the request's multipart body up to its next file.
    Part,
    /// Read the current file of the multipart body, and store it under a key. A file without a key, or beyond `limit`
    /// bytes, is read but not stored.
    FileReceive {
        key: Option<String>,
        content_type: String,
        limit: u64,
    },
    /// Read the picture of the multipart body, check and sanitize it, and store it in a folder. Its hash becomes its
    /// name.
    Image { folder: String },
    /// Read a file with forms or submissions, by the importers' module.
    Import {
        file: String,
        options: crate::import::Options,
    },
    /// Build a part of the API's reference as JSON: `openapi`, `index`, or a route's description by its path. `root` is
    /// the URL of the REST root.
    Reference { part: &'static str, root: String },
    /// Create, start, read or cancel an import of a large file, which the host runs on behalf of the caller.
    HostImport {
        operation: &'static str,
        arguments: Value,
    },
    /// Convert a moment to the local time of a zone, both in milliseconds.
    Zone { zone: String, moment: i64 },
    /// Delete a file, if it exists.
    FileDelete { key: String },
    /// Read from the host's meta store.
    MetaGet { form_id: i64, key: String },
    /// Write a text to the host's meta store.
    MetaSet {
        form_id: i64,
        key: String,
        value: String,
    },
    /// Delete from the host's meta store.
    MetaDelete { form_id: i64, key: String },
    /// Call a hook callback of the host by its number; a filter's value is the first argument.
    Callback {
        callback: u32,
        hook: String,
        namespace: String,
        arguments: Vec<Value>,
    },
    /// Send the response's status, headers and first bytes to the client; more bytes follow.
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// Send further bytes of the response, after the client has read the earlier ones.
    AnswerBytes {
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// Write a line to the host's log; the level is `debug`, `info`, `warn` or `error`.
    Log {
        level: &'static str,
        message: String,
        fields: Value,
    },
}

impl Effect {
    /// The bytes that follow the head in the frame, if the effect has any.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Effect::Answer { bytes, .. } | Effect::AnswerBytes { bytes } => Some(bytes),
            Effect::Http { request } => request.body.as_deref(),
            _ => None,
        }
    }
}
