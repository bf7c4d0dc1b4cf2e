//! The outcome of a submit, and the JSON response for it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ending::Ending;
use super::input::BodyError;
use crate::error::Error;
use crate::forms::Form;
use crate::http::{RETRY_AFTER_SECONDS, Request, Response, retry_after};
use crate::json;
use crate::logic::validate::AnswerFault;
use crate::pages::{megabytes, message};
use crate::store::rate_limits::GateRejection;
use crate::task::Context;

/// An accepted submit, or spam, which must look accepted to its sender. The outcome is stored with the idempotency key,
/// so that a repeat gets the same response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// The ending's text, before its variables are filled in.
    pub text: String,
    /// The number of the form's ending, from 1; 0 for the general one.
    #[serde(default)]
    pub ending: usize,
    pub hide_form: bool,
    /// The URL of a redirect; empty for none.
    pub redirect_url: String,
    /// The moment of the submit, in milliseconds UTC.
    pub at: i64,
    /// The placeholder for the submission's id in the redirect's URL.
    pub stand_in: String,
    /// Whether the queue has work now.
    #[serde(skip)]
    pub has_work: bool,
    /// The submission's id; 0 if the form keeps no submissions.
    #[serde(skip)]
    pub submission_id: i64,
    /// The chosen ending; `None` for a repeat.
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
pub struct Rejection {
    pub status: u16,
    /// The reason: a key of the form's messages, or a code without a message.
    pub code: String,
    pub text: String,
    /// The faults of the answers, in the order of the form.
    pub faults: Vec<AnswerFault>,
    /// Seconds until another attempt is worthwhile.
    pub retry_after: Option<i64>,
    /// The cause, only for the log.
    pub log: Option<String>,
    /// The id of the cause in the log, if the site failed.
    pub request_id: String,
}

/// The outcome of a submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Accepted(Accepted),
    Rejected(Rejection),
    /// The visitor must first review these answers, given as pairs of label and text.
    Review(Vec<(String, String)>),
    /// A visitor without script requested one row more or fewer in a repeating group.
    Rows,
}

impl Accepted {
    /// Sets the submission's id; 0 if the form keeps no submissions.
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

    /// The JSON response (contract, section 8). `shown` is the HTML that replaces the form, for the visitor's script
    /// only.
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

impl Rejection {
    /// A rejection with the form's message for a code.
    pub async fn by(cx: &Context, form: &Form, status: u16, code: &str) -> Rejection {
        Rejection::new(status, code, &message(cx, form, code).await)
    }

    /// A rejection for faults in the answers, with the code of the first.
    pub async fn for_faults(cx: &Context, form: &Form, faults: Vec<AnswerFault>) -> Rejection {
        let first = faults.first().map_or("error", |fault| fault.code.as_ref());
        Rejection {
            code: first.to_owned(),
            faults,
            ..Rejection::by(cx, form, 400, "error").await
        }
    }

    /// A rejection by a gate.
    pub async fn at_gate(cx: &Context, form: &Form, gate_rejection: GateRejection) -> Rejection {
        match gate_rejection {
            GateRejection::LimitReached => {
                Rejection::by(cx, form, 403, "submission_limit_reached").await
            }
            GateRejection::Duplicate => Rejection::by(cx, form, 409, "duplicate_submission").await,
            GateRejection::RateLimited { retry_after_ms } => Rejection {
                retry_after: Some((retry_after_ms + 999) / 1000),
                ..Rejection::by(cx, form, 429, "rate_limited").await
            },
        }
    }

    /// A rejection of a key that was used for other answers.
    pub fn key_reused() -> Rejection {
        let text = "This Idempotency-Key was used for other answers.";
        Rejection::new(422, "idempotency_key_reused", text)
    }

    /// A rejection because the site failed.
    pub async fn fault(cx: &Context, form: &Form, error: &Error, request_id: &str) -> Rejection {
        let (status, code) = fault_status(error);
        let mut text = message(cx, form, "network_error").await;
        if status == 500 {
            text += &format!(" ({request_id})");
        }
        Rejection {
            retry_after: retry_after(error),
            log: Some(error.to_string()),
            request_id: request_id.to_owned(),
            ..Rejection::new(status, code, &text)
        }
    }

    /// A rejection of a body that could not be read.
    pub async fn body(
        cx: &Context,
        form: &Form,
        error: &BodyError,
        request: &Request,
    ) -> Rejection {
        let (status, code) = match error {
            BodyError::Failed(error) => {
                return Rejection::fault(cx, form, error, &request.request_id).await;
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
        let limit = if request.content_type() == "multipart/form-data" {
            configuration.upload_limit
        } else {
            configuration.body_limit
        };
        let text = if status == 413 && limit > 0 {
            let text = message(cx, form, "body_too_large").await;
            text.replace("{max}", &megabytes(limit, form))
        } else if matches!(error, BodyError::UnknownType) {
            "Send the form form-encoded, as multipart, or as JSON.".to_owned()
        } else {
            form.word(code).to_owned()
        };
        let is_busy = matches!(error, BodyError::Busy(_));
        Rejection {
            retry_after: is_busy.then_some(RETRY_AFTER_SECONDS),
            ..Rejection::new(status, code, &text)
        }
    }

    /// A rejection with the form's word for a code (`Form::word`).
    pub fn word(form: &Form, status: u16, code: &str) -> Rejection {
        Rejection::new(status, code, form.word(code))
    }

    fn new(status: u16, code: &str, text: &str) -> Rejection {
        Rejection {
            status,
            code: code.to_owned(),
            text: text.to_owned(),
            ..Rejection::default()
        }
    }

    /// The JSON response (contract, section 8). Only the visitor's script also receives the short messages, which it
    /// shows next to the fields.
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
        let data = failure_data(self.status, &self.request_id);
        self.with_headers(Response::json(self.status, &json::with(body, data)))
    }

    /// Adds the rejection's headers and log message to a response.
    pub fn with_headers(&self, mut response: Response) -> Response {
        response.log.clone_from(&self.log);
        match self.retry_after {
            Some(seconds) => response.with_header("retry-after", seconds.to_string()),
            None => response,
        }
    }
}

/// The member `data` of a failure's response, with the id that finds the cause in the log; empty for statuses below
/// 500.
pub fn failure_data(status: u16, request_id: &str) -> Value {
    if status < 500 || request_id.is_empty() {
        return json!({});
    }
    json!({"data": {"status": status, "request_id": request_id}})
}

/// The status and code for an error of the site.
pub fn fault_status(error: &Error) -> (u16, &'static str) {
    match error {
        Error::NotFound(_) => (404, "form_not_found"),
        error if error.is_busy() => (503, "busy"),
        error if error.is_disk_full() => (503, "disk_full"),
        _ => (500, "internal_error"),
    }
}
