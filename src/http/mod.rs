//! Requests and responses as they cross the boundary.

mod fetch;
pub(crate) mod respond;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use crate::error::{AuthenticationFailure, Error};
use crate::task::{Context, PortError, SqlValue};
pub use fetch::Fetch;
pub use model::Principal;
pub(crate) use respond::retry_after;
pub use respond::{RETRY_AFTER_SECONDS, error_response};

/// The headers that the engine reads; hosts pass no others (`host-shim/src/bridge.ts`).
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

/// A request. The body stays raw until a route parses it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The path below the REST root or the front prefix, percent-encoded, such as `/cf/v1/forms`.
    pub path: String,
    /// The query, without the question mark.
    pub query: String,
    /// The headers by name in lower case; repeated headers are joined by a comma.
    pub headers: BTreeMap<String, String>,
    /// The caller; `None` for an anonymous request.
    pub principal: Option<Principal>,
    /// The failure, if the request's credentials are wrong.
    pub failure: Option<AuthenticationFailure>,
    /// The client's IP address, if the host knows it.
    pub address: Option<String>,
    /// Whether the body exceeded the host's limit and was dropped.
    pub too_large: bool,
    /// Whether the body must still be read, by [`Request::read_body`].
    pub body_waits: bool,
    /// Milliseconds UTC.
    pub now: i64,
    /// The site's URL for this request; `None` for the configured URL.
    pub base_url: Option<String>,
    /// The id of the request in the host's log.
    pub request_id: String,
    /// The raw body.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// The query parameters and body members that the route does not know.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl Request {
    /// Reads the body, if the host still has it.
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

/// A future that sends the remaining bytes of a response, by `Context::send`. After a failure the host aborts the
/// connection, so that a client can detect the incomplete response.
pub struct Rest(pub Pin<Box<dyn Future<Output = Result<(), Error>>>>);

impl fmt::Debug for Rest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rest")
    }
}

/// A SQL statement, and the rows that it returns as long as the response is valid.
#[derive(Debug, Serialize)]
pub struct Unchanged {
    /// The SQL text.
    pub sql: String,
    /// The values of its placeholders.
    pub params: Vec<SqlValue>,
    /// The rows.
    pub rows: Vec<Vec<SqlValue>>,
}

/// The default security headers: load no content, sniff no types, use no devices.
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

/// A response, and instructions for the host.
#[derive(Debug, Default, Serialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, in order.
    pub headers: Vec<(&'static str, String)>,
    /// Whether the host should run the action queue after sending the response.
    #[serde(skip_serializing_if = "is_false")]
    pub run_queue: bool,
    /// Whether events wait to be written, so that the host should call `flushEvents` soon.
    #[serde(skip_serializing_if = "is_false")]
    pub flush_events: bool,
    /// Whether the body is the file that was opened by [`crate::task::Context::open_file`].
    #[serde(skip_serializing_if = "is_false")]
    pub opened_file: bool,
    /// Whether the body is a form with the visitor's answers. A host that shows its own error page uses this body
    /// instead.
    #[serde(skip_serializing_if = "is_false")]
    pub shows_answers: bool,
    /// The version of the resource that the body shows, for its ETag.
    #[serde(skip)]
    pub version: Option<i64>,
    /// The statement whose rows stay the same as long as the response is valid. The host may cache the response and
    /// validate it with this statement alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds_while: Option<Box<Unchanged>>,
    /// The message for the log, if the client must not see the cause of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// The body, or its first bytes.
    #[serde(skip)]
    pub body: Vec<u8>,
    /// The future that sends the remaining bytes of a streamed response.
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

    /// A response whose body has this media type.
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

    /// A JSON response; 500 if the value cannot be serialized.
    pub fn json(status: u16, value: &impl Serialize) -> Response {
        Response::of_json(status, serde_json::to_vec(value))
    }

    fn of_json(status: u16, json: serde_json::Result<Vec<u8>>) -> Response {
        let (status, body, log) = match json {
            Ok(body) => (status, body, None),
            Err(error) => {
                let body = br#"{"code":"rest_encode_error","message":"The response could not be encoded.","data":{"status":500}}"#;
                (500, body.to_vec(), Some(error.to_string()))
            }
        };
        Response {
            log,
            ..Response::of(status, "application/json; charset=UTF-8", body)
        }
    }

    /// Makes the response a download with a file name, which must be ASCII without quotes. A download has no ETag,
    /// and `_fields` and `_envelope` do not apply to it.
    #[must_use]
    pub fn as_download(self, filename: &str) -> Response {
        let disposition = ["attachment; filename=\"", filename, "\""].concat();
        self.with_header("content-disposition", disposition)
    }

    /// Whether the response is a download.
    pub fn is_download(&self) -> bool {
        self.header("content-disposition").is_some()
    }

    /// Adds the future that sends the remaining bytes.
    #[must_use]
    pub fn followed_by(
        mut self,
        rest: impl Future<Output = Result<(), Error>> + 'static,
    ) -> Response {
        self.rest = Some(Rest(Box::pin(rest)));
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    /// Adds the default security headers that are missing. Other sites' pages may load an `is_open` response: an
    /// embedded form, its style, or the response to its events.
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

    /// Sets the version of the resource in the body.
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
