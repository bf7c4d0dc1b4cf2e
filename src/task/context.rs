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
    /// `Mailer`.
    Mail,
    /// `Http`.
    Http,
    /// `Files`.
    Files,
    /// The host's meta store.
    Meta,
}

/// A multipart body up to its next file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Part {
    /// The names and texts since the last file.
    pub fields: Vec<(String, String)>,
    /// The next file; `None` at the end.
    pub file: Option<PartFile>,
    /// The reason ([`PortError::code`]) why the body is rejected; its answers are still read.
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

/// A file that was read to its end.
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
    /// A context for a task that starts at this time, in milliseconds UTC.
    pub fn new(shared: Rc<Shared>, now: i64) -> Context {
        Context {
            mailbox: Rc::default(),
            now: Rc::new(Cell::new(now)),
            shared,
            base_url: None,
        }
    }

    /// Sets the site's address of the request, if it has a specific one.
    pub fn at(mut self, base_url: Option<&str>) -> Context {
        self.base_url = base_url.map(Rc::from);
        self
    }

    /// The site's address for this request, without a trailing slash. Mails and signed links use
    /// `Configuration::public_url` instead.
    pub fn base_url(&self) -> &str {
        let configured = &self.shared.configuration().base_url;
        self.base_url.as_deref().unwrap_or(configured)
    }

    /// The time of the last step, in milliseconds UTC.
    pub fn now(&self) -> i64 {
        self.now.get()
    }

    /// The instance's value of a type, such as a cache. See [`Shared::state`].
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

    /// Runs statements in order, atomically, and returns one result for each. With `patient` the host applies no
    /// timeout.
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

    /// Stores the picture of the multipart body in a folder; returns its name and type, or why it is rejected.
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

    /// Reads the current file of the multipart body, and stores it under a key.
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

    /// Reads a file of forms; returns the input of [`contents_of`](crate::import::contents_of).
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

    /// Begins a streamed response.
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

    /// Sends further bytes of a streamed response. Waits until the client has read the previous ones; fails when the
    /// client is gone.
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

/// Reads a value in the shape that the port promises.
fn read<T: serde::de::DeserializeOwned>(port: &str, value: Value) -> Result<T, PortError> {
    crate::json::of(&value).map_err(|error| PortError {
        port: port.to_owned(),
        code: "invalid".to_owned(),
        message: error.to_string(),
    })
}

/// The error of an unexpected outcome.
fn unexpected(port: &str, outcome: Outcome) -> PortError {
    match outcome {
        Outcome::Failed(error) => error,
        _ => PortError {
            port: port.to_owned(),
            code: "invalid".to_owned(),
            message: "an answer of another kind".to_owned(),
        },
    }
}
