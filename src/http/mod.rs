//! Requests and responses as they cross the boundary.

mod fetch;
pub(crate) mod respond;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::task::{Context, PortError, SqlValue};
pub use fetch::Fetch;
pub use model::Principal;
pub(crate) use respond::retry_after;
pub use respond::{RETRY_AFTER_SECONDS, error_response};

/// Credentials that came with a request and are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct AuthenticationFailure {
    /// 401, 403 or 429.
    pub status: u16,
    /// Such as `incorrect_password`.
    pub code: String,
    /// For people.
    pub message: String,
}

/// The headers that are read: hosts send no others (`host-shim/src/bridge.ts`).
pub const READ_HEADERS: [&str; 13] = [
    "accept",
    "accept-language",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "origin",
    "referer",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
    "user-agent",
    "x-http-method-override",
];

/// A request. The body stays raw; nothing is parsed before a route asks for it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request {
    /// In capitals.
    pub method: String,
    /// Below the REST root or the front prefix, still percent-encoded, such as `/cf/v1/forms`.
    pub path: String,
    /// Without the question mark.
    pub query: String,
    /// By name in lower case; repeated headers are joined by a comma.
    pub headers: BTreeMap<String, String>,
    /// Who asks; `None` for an anonymous caller.
    pub principal: Option<Principal>,
    /// Set when the credentials were wrong.
    pub failure: Option<AuthenticationFailure>,
    /// The client's address, if the host knows it.
    pub address: Option<String>,
    /// Whether the body was larger than the host allows and was not kept.
    pub too_large: bool,
    /// Whether the body is still to be asked for, by [`Request::read_body`].
    pub body_waits: bool,
    /// Milliseconds UTC.
    pub now: i64,
    /// The site's address for this request alone; `None` for the configured one.
    pub base_url: Option<String>,
    /// Finds the request's lines in the host's log.
    pub request_id: String,
    /// The raw body.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// The query parameters and body members that its route does not know.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl Request {
    /// Reads the body, where it still waits with the host.
    pub async fn read_body(&mut self, cx: &Context) -> Result<(), PortError> {
        if std::mem::take(&mut self.body_waits) {
            self.body = cx.body().await?;
        }
        Ok(())
    }

    /// A header by its name in lower case, one of [`READ_HEADERS`].
    pub fn header(&self, name: &str) -> Option<&str> {
        debug_assert!(READ_HEADERS.contains(&name), "hosts do not send {name}");
        self.headers.get(name).map(String::as_str)
    }

    /// The media type of the body, in lower case and without parameters.
    pub fn content_type(&self) -> String {
        let value = self.header("content-type").unwrap_or_default();
        let kind = value.split(';').next().unwrap_or_default();
        kind.trim().to_ascii_lowercase()
    }

    /// The query's pairs, decoded.
    pub fn query_pairs(&self) -> Vec<(String, String)> {
        let pairs = form_urlencoded::parse(self.query.as_bytes());
        pairs.into_owned().collect()
    }
}

/// A future that sends the bytes that follow the first ones of a response, by `Context::send`. When it
/// fails the host breaks the connection off, so that a client can tell half an answer from a whole one.
pub struct Rest(pub Pin<Box<dyn Future<Output = Result<(), Error>>>>);

impl fmt::Debug for Rest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rest")
    }
}

/// A statement, with its rows for as long as nothing changed.
#[derive(Debug, Serialize)]
pub struct Unchanged {
    /// The text.
    pub sql: String,
    /// What its placeholders stand for.
    pub params: Vec<SqlValue>,
    /// The rows.
    pub rows: Vec<Vec<SqlValue>>,
}

/// What every response tells browsers that says nothing else: that it is no page, is what it says that
/// it is, and uses no device.
const GUARDS: [(&str, &str); 3] = [
    (
        "content-security-policy",
        "default-src 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    (
        "permissions-policy",
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// A response. The body is the bytes to send.
#[derive(Debug, Default, Serialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// In the order in which they are to be sent.
    pub headers: Vec<(&'static str, String)>,
    /// Whether the host should run the action queue as soon as the response is out.
    #[serde(skip_serializing_if = "is_false")]
    pub run_queue: bool,
    /// Whether events wait to be written: the host should call `flushEvents` within a moment.
    #[serde(skip_serializing_if = "is_false")]
    pub flush_events: bool,
    /// Whether the body is the file that was opened by [`crate::task::Context::open_file`].
    #[serde(skip_serializing_if = "is_false")]
    pub opened_file: bool,
    /// Whether the body is a form that holds what the visitor sent: the host need not show it again itself.
    #[serde(skip_serializing_if = "is_false")]
    pub shows_answers: bool,
    /// The version of the resource that the body shows, for its ETag.
    #[serde(skip)]
    pub version: Option<i64>,
    /// The statement that has the same rows for as long as the same request has the same response:
    /// the host may keep the response and run only this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_while: Option<Box<Unchanged>>,
    /// What to log, for a fault whose cause the client must not see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// The body, or its first bytes.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// Sends the bytes that follow, of a response that is too long to be made at once.
    #[serde(skip)]
    pub rest: Option<Rest>,
}

impl Response {
    /// A response without a body.
    pub fn empty(status: u16) -> Response {
        Response {
            status,
            ..Response::default()
        }
    }

    /// A response of a media type.
    pub fn of(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Response {
        Response {
            status,
            headers: vec![("content-type", content_type.to_owned())],
            body: body.into(),
            ..Response::default()
        }
    }

    /// An HTML page, or a part of one.
    pub fn html(status: u16, html: String) -> Response {
        Response::of(status, "text/html; charset=UTF-8", html)
    }

    /// A JSON response. A value that cannot be serialised is a fault of the engine: 500.
    pub fn json(status: u16, value: &impl Serialize) -> Response {
        Response::of_json(status, serde_json::to_vec(value))
    }

    fn of_json(status: u16, json: serde_json::Result<Vec<u8>>) -> Response {
        let (status, body, log) = match json {
            Ok(body) => (status, body, None),
            Err(error) => {
                let body = br#"{"code":"rest_encode_error","message":"The answer could not be encoded.","data":{"status":500}}"#;
                (500, body.to_vec(), Some(error.to_string()))
            }
        };
        Response {
            log,
            ..Response::of(status, "application/json; charset=UTF-8", body)
        }
    }

    /// The same response, to be saved as a file of that name, which must be ASCII without quotes.
    /// It is no JSON document that `_fields` and `_envelope` could take apart, and has no ETag.
    #[must_use]
    pub fn as_download(self, filename: &str) -> Response {
        let disposition = ["attachment; filename=\"", filename, "\""].concat();
        self.with_header("content-disposition", disposition)
    }

    /// Whether the response is to be saved as a file.
    pub fn is_download(&self) -> bool {
        self.header("content-disposition").is_some()
    }

    /// The same response, with bytes that follow.
    #[must_use]
    pub fn followed_by(
        mut self,
        rest: impl Future<Output = Result<(), Error>> + 'static,
    ) -> Response {
        self.rest = Some(Rest(Box::pin(rest)));
        self
    }

    /// The same response with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    /// The same response with the headers that keep browsers strict, where it has none of its own. One
    /// that is `open` is part of other sites' pages: an embedded form, its style, what its script
    /// reports.
    #[must_use]
    pub fn guarded(mut self, is_open: bool) -> Response {
        let closed = (!is_open).then_some(("cross-origin-resource-policy", "same-origin"));
        for (name, value) in GUARDS.into_iter().chain(closed) {
            if self.header(name).is_none() {
                self = self.with_header(name, value);
            }
        }
        self
    }

    /// The same response, showing a resource in that version.
    #[must_use]
    pub fn with_version(mut self, version: i64) -> Response {
        self.version = Some(version);
        self
    }

    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn is_false(value: &bool) -> bool {
    !*value
}
