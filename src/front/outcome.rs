//! The outcome of a submit, and the JSON response for it.

use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::input::BodyError;
use crate::error::Error;
use crate::forms::Form;
use crate::hooks::argument;
use crate::http::{RETRY_AFTER_SECONDS, Request, Response, retry_after};
use crate::json;
use crate::logic::validate::AnswerFault;
use crate::store::rate_limits::GateRejection;
use crate::task::Context;

/// A submit that was accepted, or that the sender shall think was. Kept with the submission's key,
/// so that a repeat is answered alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The form's message, its variables not yet filled in.
    pub text: String,
    /// Which of the form's endings it has, from 1; 0 for the general one.
    #[serde(default)]
    pub ending: usize,
    pub hide_form: bool,
    /// Where the visitor goes; empty for nowhere.
    pub redirect_url: String,
    /// When it was submitted, in milliseconds UTC.
    pub at: i64,
    /// The placeholder of the submission's id in the address.
    pub stand_in: String,
    /// The submission's id; 0 where the form keeps none.
    #[serde(skip)]
    pub submission_id: i64,
    /// The ending as it was chosen; `None` for a repeat.
    #[serde(skip)]
    pub chosen: Option<Ending>,
}

/// The JSON response to a submit that was accepted, without empty members.
#[derive(Serialize)]
struct SuccessBody<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    ending: &'a str,
    hide_form: bool,
    message: &'a Ending,
    #[serde(skip_serializing_if = "str::is_empty")]
    redirect_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission_id: Option<i64>,
}

/// A submit that was not accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    pub status: u16,
    /// The key of the message, or another name of the reason.
    pub code: String,
    pub text: String,
    /// What is wrong with the answers, in the order of the form.
    pub faults: Vec<AnswerFault>,
    /// When another attempt is worthwhile, in seconds.
    pub retry_after: Option<i64>,
    /// The cause, for the log alone.
    pub log: Option<String>,
}

/// The outcome of a submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Accepted(Accepted),
    Refused(Refused),
    /// The visitor looks over these answers first, by their labels.
    Review(Vec<(String, String)>),
}

impl Accepted {
    /// The same, once the submission's id is known; 0 where the form keeps none.
    #[must_use]
    pub fn with_id(mut self, submission_id: i64) -> Accepted {
        if !self.redirect_url.is_empty() {
            let shown = Some(submission_id).filter(|id| *id > 0);
            let shown = shown.map_or_else(String::new, |id| id.to_string());
            self.redirect_url = self.redirect_url.replace(&self.stand_in, &shown);
        }
        self.submission_id = submission_id;
        self
    }

    /// The JSON response (contract, section 8), with the HTML that replaces the form for the
    /// visitor's script; empty for others.
    pub fn json(&self, ending: &Ending, shown: &str) -> Response {
        let is_here = self.hide_form && self.redirect_url.is_empty();
        let body = SuccessBody {
            ending: if is_here { shown } else { "" },
            hide_form: self.hide_form,
            message: ending,
            redirect_url: &self.redirect_url,
            submission_id: Some(self.submission_id).filter(|id| *id > 0),
        };
        Response::json(200, &body)
    }
}

impl Refused {
    /// A refusal with the form's message for a code.
    pub async fn by(cx: &Context, form: &Form, status: u16, code: &str) -> Refused {
        Refused::new(status, code, &message(cx, form, code).await)
    }

    /// A refusal for faults in the answers.
    pub async fn for_faults(cx: &Context, form: &Form, faults: Vec<AnswerFault>) -> Refused {
        let first = faults.first().map_or("error", |fault| fault.code.as_ref());
        Refused {
            code: first.to_owned(),
            faults,
            ..Refused::by(cx, form, 400, "error").await
        }
    }

    /// A refusal by a gate.
    pub async fn at_gate(cx: &Context, form: &Form, refusal: GateRejection) -> Refused {
        match refusal {
            GateRejection::LimitReached => {
                Refused::by(cx, form, 403, "submission_limit_reached").await
            }
            GateRejection::Duplicate => Refused::by(cx, form, 409, "duplicate_submission").await,
            GateRejection::RateLimited { retry_after_ms } => Refused {
                retry_after: Some((retry_after_ms + 999) / 1000),
                ..Refused::by(cx, form, 429, "rate_limited").await
            },
        }
    }

    /// A refusal of a key that was used for other answers.
    pub fn key_reused() -> Refused {
        let text = "This Idempotency-Key was used for other answers.";
        Refused::new(422, "idempotency_key_reused", text)
    }

    /// A refusal because the site failed.
    pub async fn fault(cx: &Context, form: &Form, error: &Error, request_id: &str) -> Refused {
        let (status, code) = fault_status(error);
        let mut text = message(cx, form, "network_error").await;
        if status == 500 {
            text += &format!(" ({request_id})");
        }
        Refused {
            retry_after: retry_after(error),
            log: Some(error.to_string()),
            ..Refused::new(status, code, &text)
        }
    }

    /// A refusal of a body.
    pub async fn body(cx: &Context, form: &Form, error: &BodyError, request: &Request) -> Refused {
        let (status, code) = match error {
            BodyError::Failed(error) => {
                return Refused::fault(cx, form, error, &request.request_id).await;
            }
            BodyError::TooLarge => (413, "rest_payload_too_large"),
            BodyError::UnknownType => (415, "unsupported_media_type"),
            BodyError::Broken => (400, "invalid_body"),
            BodyError::Slow => (408, "body_too_slow"),
            BodyError::TooManyFields => (400, "too_many_fields"),
            BodyError::Busy(status) => (*status, "too_many_requests"),
            BodyError::NoRoom => (507, "upload_quota_reached"),
        };
        let configuration = cx.shared().configuration();
        let most = if request.content_type() == "multipart/form-data" {
            configuration.upload_limit
        } else {
            configuration.body_limit
        };
        let text = if status == 413 && most > 0 {
            let text = message(cx, form, "body_too_large").await;
            text.replace("{max}", &megabytes(most, form))
        } else {
            error.to_string()
        };
        let is_busy = matches!(error, BodyError::Busy(_));
        Refused {
            retry_after: is_busy.then_some(RETRY_AFTER_SECONDS),
            ..Refused::new(status, code, &text)
        }
    }

    fn new(status: u16, code: &str, text: &str) -> Refused {
        Refused {
            status,
            code: code.to_owned(),
            text: text.to_owned(),
            ..Refused::default()
        }
    }

    /// The JSON response (contract, section 8). The visitor's script also hears what to say beside
    /// each field.
    pub fn json(&self, is_script: bool) -> Response {
        let shown_fault = |fault: &AnswerFault| {
            let short = json!({"short": fault.short});
            json::with(json!(fault), if is_script { short } else { json!({}) })
        };
        let body = json!({
            "message": {"type": "error", "text": self.text},
            "code": self.code,
            "errors": self.faults.iter().map(shown_fault).collect::<Vec<_>>(),
        });
        self.with_headers(Response::json(self.status, &body))
    }

    /// Adds the headers that belong to the refusal to a response, and what is to be logged.
    pub fn with_headers(&self, mut response: Response) -> Response {
        response.log.clone_from(&self.log);
        match self.retry_after {
            Some(seconds) => response.with_header("retry-after", seconds.to_string()),
            None => response,
        }
    }
}

/// The status and code of a submit that met a fault of the site.
pub fn fault_status(error: &Error) -> (u16, &'static str) {
    match error {
        Error::NotFound(_) => (404, "form_not_found"),
        error if error.is_busy() => (503, "busy"),
        error if error.is_disk_full() => (503, "disk_full"),
        _ => (500, "internal_error"),
    }
}

/// A size in megabytes, with at most one decimal, as the form's language writes it.
pub fn megabytes(bytes: u64, form: &Form) -> String {
    const MEGABYTE: u64 = 1 << 20;
    let tenths = (bytes.saturating_mul(10).saturating_add(MEGABYTE / 2) / MEGABYTE).max(1);
    let whole = (tenths / 10).to_string();
    match tenths % 10 {
        0 => whole,
        tenth => {
            let mark = form.messages.get("decimal_mark");
            let mark = mark.and_then(serde_json::Value::as_str).unwrap_or(".");
            format!("{whole}{mark}{tenth}")
        }
    }
}

/// A form's message, as the filter `cf_form_message_{code}` (text, form) leaves it.
pub async fn message(cx: &Context, form: &Form, code: &str) -> String {
    let text = form.message(code).to_owned();
    filtered_message(cx, form, code, text).await
}

/// The text of a message as the filter leaves it.
pub async fn filtered_message(cx: &Context, form: &Form, code: &str, text: String) -> String {
    if !cx.has_any_callbacks() {
        return text;
    }
    let name = format!("cf_form_message_{code}");
    cx.filter_text(&name, text, || vec![argument::form(form)])
        .await
}
