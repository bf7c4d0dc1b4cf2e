//! Sending HTTP requests for actions, and judging the responses.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use serde_json::Value;

use super::contract::{Report, Retry, Verdict, Work};
use crate::action_types::secrets::MASK;
use crate::dates;
use crate::json::{self, text_of};
use crate::logic::template::Context as Place;
use crate::task::{IncomingResponse, OutgoingRequest, Port};

/// Timeout of a request and its response.
const TIMEOUT_MS: u32 = 15_000;

/// Limit on the part of a response's body that is read, in bytes.
const MAX_RESPONSE_BYTES: u32 = 64 * 1024;

/// Limit on the part of a response's body that a report's message quotes, in characters.
const MAX_LOGGED_CHARS: usize = 300;

/// Headers that settings may not set, since they describe the connection, the sender or the body.
const RESERVED_HEADERS: &str = "host content-length content-type transfer-encoding connection keep-alive upgrade te trailer expect via \
     forwarded cookie accept-encoding date origin referer proxy-* sec-* webhook-* x-forwarded-*";

/// The `User-Agent` of requests.
pub(crate) const USER_AGENT: &str = concat!("cf-forms/", env!("CARGO_PKG_VERSION"));

/// The characters that are encoded in a part of a URL: all but the unreserved ones (RFC 3986) and the colon, which some
/// services' tokens contain.
pub(super) const SEGMENT: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':');

/// A request of an action.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The request as reports show it.
    pub(super) fn shown(&self) -> Value {
        json!({
            "method": self.method,
            "url": self.url,
            "headers": self.headers,
            "body": String::from_utf8_lossy(&self.body),
        })
    }
}

/// A request and its response.
pub(super) struct Exchange {
    pub(super) response: IncomingResponse,
    /// The request and the response as reports show them.
    pub(super) shown: Value,
}

impl Exchange {
    /// The response's body as JSON, or null.
    pub(super) fn json(&self) -> Value {
        crate::json::read(&self.response.body).unwrap_or(Value::Null)
    }

    /// Reports a response that is not a success, with the receiver's reason if it is known.
    pub(super) fn refused(&self, now: i64, reason: Option<String>) -> Report {
        let message = self.response_sentence(&reason.unwrap_or_else(|| self.beginning()));
        Report {
            verdict: Verdict::Failed(retry_of(&self.response, now)),
            ..Report::done(message).showing(self.shown.clone())
        }
    }

    /// Reports a success.
    pub(super) fn accepted(&self) -> Report {
        Report::done(self.response_sentence(&self.beginning())).showing(self.shown.clone())
    }

    /// Describes the response in one sentence, with `words` from the receiver if there are any.
    fn response_sentence(&self, words: &str) -> String {
        let status = self.response.status;
        match words {
            "" => format!("The server responded with {status}."),
            words => format!("The server responded with {status}: {words}"),
        }
    }

    /// The beginning of the response's text, on one line.
    fn beginning(&self) -> String {
        let text = String::from_utf8_lossy(&self.response.body);
        let shown = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        let shown: String = shown.take(MAX_LOGGED_CHARS).collect();
        shown.trim().to_owned()
    }
}

/// Sends a request; `Err` with the report of a failed exchange.
pub(super) async fn exchange(work: &Work, request: Request) -> Result<Exchange, Report> {
    let shown = json!({"request": shown_without_login(&request)});
    let mut schemes = ["https://", "http://"].into_iter();
    if !schemes.any(|scheme| request.url.starts_with(scheme)) {
        let message = "The URL must start with https:// or http://.";
        return Err(Report::permanent_failure(message).showing(shown));
    }
    if !work.cx.has(Port::Http) {
        return Err(Report::permanent_failure("This site sends no HTTP requests.").showing(shown));
    }
    let outgoing = OutgoingRequest {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Some(request.body).filter(|body| !body.is_empty()),
        timeout_ms: TIMEOUT_MS,
        max_bytes: MAX_RESPONSE_BYTES,
    };
    match work.cx.http(outgoing).await {
        Ok(response) => {
            let seen = json!({
                "status": response.status,
                "headers": response.headers,
                "body": String::from_utf8_lossy(&response.body),
            });
            let shown = json::with(shown, json!({"response": seen}));
            Ok(Exchange { response, shown })
        }
        Err(error) => Err(Report::of_fault(error).showing(shown)),
    }
}

/// The request as reports show it, with a masked login, since base64 would reveal the password.
fn shown_without_login(request: &Request) -> Value {
    let mut shown = request.clone();
    if let Some(login) = shown.headers.get_mut("authorization")
        && login.starts_with("Basic ")
    {
        *login = format!("Basic {MASK}");
    }
    shown.shown()
}

/// Decides about a retry from the response: at the time that the receiver requests, or with the queue's delay after a
/// temporary error. Redirects and rejected requests are not retried.
fn retry_of(response: &IncomingResponse, now: i64) -> Retry {
    if response.status < 400 {
        return Retry::Never;
    }
    let retry_after = response.headers.get("retry-after");
    match retry_after.and_then(|text| wait_ms(text, now)) {
        Some(milliseconds) => Retry::After(milliseconds),
        None if matches!(response.status, 408 | 409 | 423 | 425 | 429 | 500..=599) => Retry::Later,
        None => Retry::Never,
    }
}

/// Converts a `Retry-After`, which is in seconds or a date (RFC 9110, section 10.2.3), to milliseconds. The queue
/// limits the delay.
fn wait_ms(text: &str, now: i64) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<i64>() {
        return Some(seconds.max(0).saturating_mul(1000));
    }
    let moment = dates::parse_http_date(text)?;
    Some((moment - now).max(0))
}

/// Parses further headers from a setting's lines; also returns messages about reserved ones. Lines are split before
/// answers are filled in.
pub(super) fn further_headers(work: &Work, lines: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let mut headers = BTreeMap::new();
    let mut refused = Vec::new();
    for (name, value) in header_lines(lines) {
        let name = name.to_ascii_lowercase();
        if is_free(&name, RESERVED_HEADERS) {
            headers.insert(name, work.render(value, Place::Header));
        } else {
            refused.push(format!("The header {name} can’t be set."));
        }
    }
    (headers, refused)
}

/// Splits a setting's lines into the names and values of headers.
pub(super) fn header_lines(lines: &str) -> impl Iterator<Item = (&str, &str)> {
    let parted = lines.lines().filter_map(|line| line.split_once(':'));
    parted.map(|(name, value)| (name.trim(), value.trim()))
}

/// Whether settings may set a header: its name must be a token (RFC 9110) and not reserved. A `*` at the end of a
/// reserved name matches any ending.
pub(super) fn is_free(name: &str, refused: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_refused = |reserved: &str| match reserved.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == reserved,
    };
    (1..=100).contains(&name.len())
        && name.bytes().all(is_token)
        && !refused.split(' ').any(is_refused)
}

/// Encodes a body as `application/x-www-form-urlencoded`. Lists repeat `name[]`; the members of objects become
/// `name[member]`.
pub(super) fn form_body(members: &Value) -> Vec<u8> {
    let mut body = form_urlencoded::Serializer::new(String::new());
    for (name, value) in members.as_object().into_iter().flatten() {
        match value {
            Value::Array(items) => {
                for item in items {
                    body.append_pair(&format!("{name}[]"), &text_of(item));
                }
            }
            Value::Object(parts) => {
                for (part, value) in parts {
                    body.append_pair(&format!("{name}[{part}]"), &text_of(value));
                }
            }
            other => {
                body.append_pair(name, &text_of(other));
            }
        }
    }
    body.finish().into_bytes()
}
