//! A handler's access to its ports, the time and the engine's shared state.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::Value;

use crate::import::Options;

use super::mailbox::{self, Mailbox};
use super::{
    Effect, IncomingResponse, Mail, Outcome, OutgoingRequest, PortError, Shared, Statement,
    StatementResult,
};

/// An optional port of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Port {
    /// The port `Mailer`.
    Mail,
    /// The port `Http`.
    Http,
    /// The port `Files`.
    Files,
    /// The host's meta store.
    Meta,
}

/// The part of a multipart body up to its next file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Part {
    /// The names and texts after the previous file.
    pub fields: Vec<(String, String)>,
    /// The next file; `None` at the end.
    pub file: Option<PartFile>,
    /// The reason why the body is rejected, as a [`PortError::code`]. Its remaining answers are still read.
    #[serde(default)]
    pub fault: Option<String>,
}

/// The headers of a file in a multipart body.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct PartFile {
    /// The name of the input.
    pub field: String,
    /// The file's name from the visitor's browser.
    pub filename: String,
    /// The media type from the visitor's browser.
    pub content_type: String,
}

/// The result of reading a file to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Received {
    /// The size, in bytes.
    pub size: u64,
    /// The SHA-256 of the bytes, hexadecimal.
    pub sha256: String,
    /// Whether the file was stored.
    pub stored: bool,
    /// The first bytes, up to [`model::file_types::SNIFFED_BYTES`].
    #[serde(skip)]
    pub first: Vec<u8>,
    /// The host's error, if storing failed.
    #[serde(default)]
    pub error: Option<String>,
    /// Whether the host's disk is full.
    #[serde(default)]
    pub full: bool,
}

/// A task's access to its host. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    mailbox: Rc<RefCell<Mailbox>>,
    now: Rc<Cell<i64>>,
    shared: Rc<Shared>,
    base_url: Option<Rc<str>>,
}

impl Context {
    /// Creates the context of a task that starts at this time, in milliseconds UTC.
    pub fn new(shared: Rc<Shared>, now: i64) -> Context {
        Context {
            mailbox: Rc::default(),
            now: Rc::new(Cell::new(now)),
            shared,
            base_url: None,
        }
    }

    /// Sets the site's URL for this request, if it differs from the configured one.
    pub fn at(mut self, base_url: Option<&str>) -> Context {
        self.base_url = base_url.map(Rc::from);
        self
    }

    /// The site's URL for this request, without a trailing slash. Signed links to files use [`Shared::public_url`]
    /// instead.
    pub fn base_url(&self) -> &str {
        let configured = &self.shared.configuration().base_url;
        self.base_url.as_deref().unwrap_or(configured)
    }

    /// The time when the task's current step began, in milliseconds UTC.
    pub fn now(&self) -> i64 {
        self.now.get()
    }

    /// The instance's only value of a type, such as a cache. See [`Shared::state`].
    pub fn state<T: Default + 'static>(&self) -> Rc<T> {
        self.shared.state()
    }

    /// The state that all tasks of this instance share.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Whether the host has an optional port.
    pub fn has(&self, port: Port) -> bool {
        self.shared.configuration().ports.contains(&port)
    }

    pub(super) fn set_now(&self, now: i64) {
        self.now.set(now);
    }

    pub(super) fn mailbox(&self) -> &Rc<RefCell<Mailbox>> {
        &self.mailbox
    }

    async fn ask(&self, effect: Effect) -> Outcome {
        mailbox::ask(&self.mailbox, effect).await
    }

    /// Runs statements in order in one transaction, and returns one result for each. With `patient`, the host applies
    /// no timeout.
    pub async fn sql(
        &self,
        statements: Vec<Statement>,
        patient: bool,
    ) -> Result<Vec<StatementResult>, PortError> {
        let expected = statements.len();
        let effect = Effect::Sql {
            statements,
            patient,
        };
        match self.ask(effect).await {
            Outcome::Sql(results) if results.len() == expected => Ok(results),
            other => Err(unexpected("sql", other)),
        }
    }

    /// Stores the picture of the multipart body in a folder. Returns the picture's name and type, or a fault.
    pub async fn image(&self, folder: String) -> Result<Value, PortError> {
        self.value("image", Effect::Image { folder }).await
    }

    /// Sends a mail; returns the mailer's report.
    pub async fn mail(&self, message: Mail) -> Result<Value, PortError> {
        let message = Box::new(message);
        self.value("mail", Effect::Mail { message }).await
    }

    /// Sends an HTTP request.
    pub async fn http(&self, request: OutgoingRequest) -> Result<IncomingResponse, PortError> {
        let request = Box::new(request);
        match self.ask(Effect::Http { request }).await {
            Outcome::Http(response) => Ok(response),
            other => Err(unexpected("http", other)),
        }
    }

    /// Reads the body of the request from the host.
    pub async fn body(&self) -> Result<Vec<u8>, PortError> {
        match self.ask(Effect::Body).await {
            Outcome::File(bytes) => Ok(bytes.unwrap_or_default()),
            other => Err(unexpected("body", other)),
        }
    }

    /// Reads the multipart body of the request up to its next file.
    pub async fn next_part(&self) -> Result<Part, PortError> {
        let value = self.value("body", Effect::Part).await?;
        read("body", value)
    }

    /// Reads the current file of the multipart body. Stores it under the key, if there is one and the file is within
    /// the limit.
    pub async fn receive_file(
        &self,
        key: Option<String>,
        content_type: &str,
        limit: u64,
    ) -> Result<Received, PortError> {
        let effect = Effect::FileReceive {
            key,
            content_type: content_type.to_owned(),
            limit,
        };
        match self.ask(effect).await {
            Outcome::Received(received) => Ok(received),
            other => Err(unexpected("body", other)),
        }
    }

    /// Reads a file with forms or submissions. Returns the input of [`contents_of`](crate::import::contents_of).
    pub async fn read_forms(&self, file: &str, options: Options) -> Result<String, PortError> {
        let file = file.to_owned();
        match self
            .value("import", Effect::Import { file, options })
            .await?
        {
            Value::String(json) => Ok(json),
            other => Err(unexpected("import", Outcome::Value(other))),
        }
    }

    /// Returns a part of the API's reference as JSON (`rest/reference.rs`).
    pub async fn reference(&self, part: &'static str, root: String) -> Result<Vec<u8>, PortError> {
        match self.ask(Effect::Reference { part, root }).await {
            Outcome::File(Some(json)) => Ok(json),
            other => Err(unexpected("reference", other)),
        }
    }

    /// Creates, starts, reads or cancels an import that the host runs; returns the status and the body of the response.
    pub async fn host_import(
        &self,
        operation: &'static str,
        arguments: Value,
    ) -> Result<Value, PortError> {
        let effect = Effect::HostImport {
            operation,
            arguments,
        };
        self.value("files", effect).await
    }

    /// Converts a moment to the local time of a zone, both in milliseconds. `None` for an unknown zone.
    pub async fn in_zone(&self, zone: &str, moment: i64) -> Option<i64> {
        let zone = zone.to_owned();
        let shown = self.value("zone", Effect::Zone { zone, moment }).await;
        shown.ok()?.as_i64()
    }

    /// Opens a file as the body of a response ([`Response::opened_file`](crate::http::Response)). Returns its first
    /// bytes; `None` if the file does not exist.
    pub async fn open_file(&self, key: &str) -> Result<Option<Vec<u8>>, PortError> {
        let key = key.to_owned();
        match self.ask(Effect::FileOpen { key }).await {
            Outcome::File(bytes) => Ok(bytes),
            other => Err(unexpected("files", other)),
        }
    }

    /// Deletes a file, if it exists.
    pub async fn delete_file(&self, key: &str) -> Result<(), PortError> {
        let key = key.to_owned();
        let deleted = self.value("files", Effect::FileDelete { key });
        deleted.await.map(drop)
    }

    /// Reads from the host's meta store.
    pub async fn get_meta(&self, form_id: i64, key: &str) -> Result<Option<String>, PortError> {
        let key = key.to_owned();
        let effect = Effect::MetaGet { form_id, key };
        match self.value("meta", effect).await? {
            Value::Null => Ok(None),
            Value::String(value) => Ok(Some(value)),
            other => Err(unexpected("meta", Outcome::Value(other))),
        }
    }

    /// Writes to the host's meta store.
    pub async fn set_meta(&self, form_id: i64, key: &str, value: String) -> Result<(), PortError> {
        let effect = Effect::MetaSet {
            form_id,
            key: key.to_owned(),
            value,
        };
        self.value("meta", effect).await.map(drop)
    }

    /// Deletes from the host's meta store.
    pub async fn delete_meta(&self, form_id: i64, key: &str) -> Result<(), PortError> {
        let key = key.to_owned();
        let effect = Effect::MetaDelete { form_id, key };
        self.value("meta", effect).await.map(drop)
    }

    /// Calls a hook callback of the host, and returns its result.
    pub async fn call_back(
        &self,
        callback: u32,
        hook: &str,
        namespace: &str,
        arguments: Vec<Value>,
    ) -> Result<Value, PortError> {
        let effect = Effect::Callback {
            callback,
            hook: hook.to_owned(),
            namespace: namespace.to_owned(),
            arguments,
        };
        self.value("hooks", effect).await
    }

    /// Begins a streamed response with its status, its headers and its first bytes.
    pub async fn begin_answer(
        &self,
        status: u16,
        headers: Vec<(&'static str, String)>,
        bytes: Vec<u8>,
    ) -> Result<(), PortError> {
        let effect = Effect::Answer {
            status,
            headers,
            bytes,
        };
        self.value("answer", effect).await.map(drop)
    }

    /// Sends further bytes of a streamed response, after the client has read the previous ones. Fails if the client has
    /// disconnected.
    pub async fn send(&self, bytes: Vec<u8>) -> Result<(), PortError> {
        let sent = self.value("answer", Effect::AnswerBytes { bytes });
        sent.await.map(drop)
    }

    /// Writes a line to the host's log.
    pub async fn log(&self, level: &'static str, message: impl Into<String>, fields: Value) {
        let message = message.into();
        let effect = Effect::Log {
            level,
            message,
            fields,
        };
        self.ask(effect).await;
    }

    async fn value(&self, port: &str, effect: Effect) -> Result<Value, PortError> {
        match self.ask(effect).await {
            Outcome::Value(value) => Ok(value),
            other => Err(unexpected(port, other)),
        }
    }
}

/// Deserializes a port's value; fails if it has another shape than the port promises.
fn read<T: serde::de::DeserializeOwned>(port: &str, value: Value) -> Result<T, PortError> {
    crate::json::of(&value).map_err(|error| PortError {
        port: port.to_owned(),
        code: "invalid".to_owned(),
        message: error.to_string(),
    })
}

/// Converts a failed or unexpected outcome to an error.
fn unexpected(port: &str, outcome: Outcome) -> PortError {
    match outcome {
        Outcome::Failed(error) => error,
        _ => PortError {
            port: port.to_owned(),
            code: "invalid".to_owned(),
            message: "an outcome of another kind".to_owned(),
        },
    }
}
