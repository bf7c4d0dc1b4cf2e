//! A handler's access to its ports, the time and the engine's shared state.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::Value;

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
    /// The host's own meta store.
    Meta,
}

/// A multipart body as far as its next file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Part {
    /// The names and texts that came since the last file.
    pub fields: Vec<(String, String)>,
    /// The file that comes next; `None` at the end.
    pub file: Option<PartFile>,
    /// Why the body is refused, of which more is read all the same, as [`PortError::code`] has it.
    #[serde(default)]
    pub fault: Option<String>,
}

/// What a multipart body says of a file before its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct PartFile {
    /// The name of the input.
    pub field: String,
    /// The name that the visitor's browser gives it.
    pub filename: String,
    /// The type that the visitor's browser gives it.
    pub content_type: String,
}

/// A file whose bytes were read to their end.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Received {
    /// How many bytes it had.
    pub size: u64,
    /// The SHA-256 of its bytes, hexadecimal.
    pub sha256: String,
    /// Whether it is stored.
    pub stored: bool,
    /// Its first bytes, as many as [`model::file_types::SNIFFED_BYTES`].
    #[serde(skip)]
    pub first: Vec<u8>,
    /// Why not, where the host failed to.
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
    /// A context at a moment, in milliseconds UTC.
    pub fn new(shared: Rc<Shared>, now: i64) -> Context {
        Context {
            mailbox: Rc::default(),
            now: Rc::new(Cell::new(now)),
            shared,
            base_url: None,
        }
    }

    /// The context of a request that came to an address of its own.
    pub fn at(mut self, base_url: Option<&str>) -> Context {
        self.base_url = base_url.map(Rc::from);
        self
    }

    /// The site's address for this request, without a trailing slash. For what leaves the request (mails,
    /// signed links) there is `Configuration::public_url`.
    pub fn base_url(&self) -> &str {
        let configured = &self.shared.configuration().base_url;
        self.base_url.as_deref().unwrap_or(configured)
    }

    /// The time of the last step, in milliseconds UTC.
    pub fn now(&self) -> i64 {
        self.now.get()
    }

    /// The instance's value of a type: a cache, or what is gathered. See [`Shared::state`].
    pub fn state<T: Default + 'static>(&self) -> Rc<T> {
        self.shared.state()
    }

    /// What all tasks of this instance share.
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

    /// Runs statements in order, atomically. Answers one result for each. The host's limits of time do
    /// not hold for what is patient.
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

    /// Sends a mail; returns what the mailer reported.
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

    /// Reads the body of the request, which still waits with the host.
    pub async fn body(&self) -> Result<Vec<u8>, PortError> {
        match self.ask(Effect::Body).await {
            Outcome::File(bytes) => Ok(bytes.unwrap_or_default()),
            other => Err(unexpected("body", other)),
        }
    }

    /// Reads the multipart body of the request as far as its next file.
    pub async fn next_part(&self) -> Result<Part, PortError> {
        let value = self.value("body", Effect::Part).await?;
        read("body", value)
    }

    /// Reads the file that the multipart body has come to, and stores it under a key.
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

    /// Reads a file of forms; returns what [`contents_of`](crate::import::contents_of) reads.
    pub async fn read_forms(&self, file: &str, format: Option<&str>) -> Result<String, PortError> {
        let (file, format) = (file.to_owned(), format.map(str::to_owned));
        match self
            .value("import", Effect::Import { file, format })
            .await?
        {
            Value::String(json) => Ok(json),
            other => Err(unexpected("import", Outcome::Value(other))),
        }
    }

    /// Opens a file that becomes the body of a response ([`Response::opened_file`](crate::http::Response)).
    /// Returns its first bytes; `None` where there is no such file.
    pub async fn open_file(&self, key: &str) -> Result<Option<Vec<u8>>, PortError> {
        let key = key.to_owned();
        match self.ask(Effect::FileOpen { key }).await {
            Outcome::File(bytes) => Ok(bytes),
            other => Err(unexpected("files", other)),
        }
    }

    /// Deletes a file, if it is there.
    pub async fn delete_file(&self, key: &str) -> Result<(), PortError> {
        let key = key.to_owned();
        let deleted = self.value("files", Effect::FileDelete { key });
        deleted.await.map(drop)
    }

    /// Reads from the host's own meta store.
    pub async fn get_meta(&self, form_id: i64, key: &str) -> Result<Option<String>, PortError> {
        let key = key.to_owned();
        let effect = Effect::MetaGet { form_id, key };
        match self.value("meta", effect).await? {
            Value::Null => Ok(None),
            Value::String(value) => Ok(Some(value)),
            other => Err(unexpected("meta", Outcome::Value(other))),
        }
    }

    /// Writes to the host's own meta store.
    pub async fn set_meta(&self, form_id: i64, key: &str, value: String) -> Result<(), PortError> {
        let effect = Effect::MetaSet {
            form_id,
            key: key.to_owned(),
            value,
        };
        self.value("meta", effect).await.map(drop)
    }

    /// Deletes from the host's own meta store.
    pub async fn delete_meta(&self, form_id: i64, key: &str) -> Result<(), PortError> {
        let key = key.to_owned();
        let effect = Effect::MetaDelete { form_id, key };
        self.value("meta", effect).await.map(drop)
    }

    /// Calls a hook callback that the host holds, and returns what it returned.
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

    /// Begins a response whose bytes come one after another.
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

    /// Sends further bytes of a response that has begun. Waits until the client has taken what came
    /// before; fails when the client is gone.
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

/// A value in the shape that the port promises.
fn read<T: serde::de::DeserializeOwned>(port: &str, value: Value) -> Result<T, PortError> {
    crate::json::of(&value).map_err(|error| PortError {
        port: port.to_owned(),
        code: "invalid".to_owned(),
        message: error.to_string(),
    })
}

/// The error of an outcome that is not what the port promises.
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
