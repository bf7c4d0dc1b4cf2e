//! The outcome of a submit, and the JSON response for it.

use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::input::BodyError;
use crate::error::Error;
use crate::forms::Form;
use crate::hooks::argument;
use crate::http::{RETRY_AFTER_SECONDS, Response};
use crate::json;
use crate::logic::validate::AnswerFault;
use crate::store::rate_limits::Refusal;
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
    pub async fn at_gate(cx: &Context, form: &Form, refusal: Refusal) -> Refused {
        match refusal {
            Refusal::LimitReached => Refused::by(cx, form, 403, "submission_limit_reached").await,
            Refusal::Duplicate => Refused::by(cx, form, 409, "duplicate_submission").await,
            Refusal::RateLimited { retry_after_ms } => Refused {
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

    /// A refusal of a body that cannot be read; `Err` where the site failed.
    pub fn body(error: BodyError) -> Result<Refused, Error> {
        let (status, code) = match error {
            BodyError::Failed(error) => return Err(error),
            BodyError::TooLarge => (413, "rest_payload_too_large"),
            BodyError::UnknownType => (415, "unsupported_media_type"),
            BodyError::Broken => (400, "invalid_body"),
            BodyError::TooManyFields => (400, "too_many_fields"),
            BodyError::Busy(status) => (status, "too_many_requests"),
            BodyError::Held => (503, "busy"),
            BodyError::NoRoom => (507, "upload_quota_reached"),
        };
        let is_busy = matches!(error, BodyError::Busy(_) | BodyError::Held);
        Ok(Refused {
            retry_after: is_busy.then_some(RETRY_AFTER_SECONDS),
            ..Refused::new(status, code, &error.to_string())
        })
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

    /// Adds the headers that belong to the refusal to a response.
    pub fn with_headers(&self, response: Response) -> Response {
        match self.retry_after {
            Some(seconds) => response.with_header("retry-after", seconds.to_string()),
            None => response,
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
