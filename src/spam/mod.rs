//! Spam detection: the honeypots, the time since the page was rendered, the checks of the form's settings, and plugins.
//! Senders do not learn the verdict: spam gets the same response as a success.

mod answer_texts;
mod checks;
mod deny_list;
mod verifier;
mod widget;

pub use checks::{is_known, run};
pub use verifier::is_token;
pub use widget::{Widget, widgets};

use serde_json::Value;

use crate::forms::{Form, FormSchema, form_argument};
use crate::hooks::Kind;
use crate::json;
use crate::logic::input::Input;
use crate::security::{Signer, Use};
use crate::submissions::Submission;
use crate::task::Context;

/// The filter that may change the verdict: (verdict, submission, form).
const SPAM_CHECK: &str = "cf_spam_check";

/// Minimum time in which a person fills in a form, in milliseconds. A program may send a form on a person's behalf,
/// so a shorter time is only suspicious.
const MIN_FILL_MS: i64 = 100;

/// The score of a suspicious submission.
const SUSPICIOUS_SCORE: i64 = 40;

/// Limits on a stored reason, in characters, and on the number of reasons.
const MAX_REASON_CHARS: usize = 100;
const MAX_REASONS: usize = 20;

/// The verdict of the checks on a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Verdict {
    /// Whether the submission is spam.
    pub is_spam: bool,
    /// The confidence of the checks, from 0 to 100.
    pub score: i64,
    /// The reasons, for the form's owner.
    pub reasons: Vec<String>,
}

impl Verdict {
    /// Marks the submission as spam with a reason.
    pub fn add(&mut self, reason: &str, score: i64) {
        self.is_spam = true;
        self.suspect(reason, score);
    }

    /// Adds a reason that does not make the submission spam by itself.
    fn suspect(&mut self, reason: &str, score: i64) {
        self.score = self.score.max(score);
        if self.reasons.len() < MAX_REASONS {
            let reason = reason.chars().take(MAX_REASON_CHARS);
            self.reasons.push(reason.collect());
        }
    }

    /// Applies the result of a filter: a verdict, or true or false. Any other result changes nothing.
    fn changed(self, answer: &Value) -> Verdict {
        let is_spam = answer.as_bool();
        let is_spam = is_spam.or_else(|| answer.get("is_spam")?.as_bool());
        let mut verdict = Verdict::default();
        match is_spam {
            None => return self,
            Some(false) if self.is_spam => return verdict,
            Some(false) => return self,
            Some(true) => {}
        }
        let mut reasons: Vec<&str> = match answer.get("reasons").and_then(Value::as_array) {
            Some(reasons) => reasons.iter().filter_map(Value::as_str).collect(),
            None => self.reasons.iter().map(String::as_str).collect(),
        };
        if reasons.is_empty() {
            reasons.push(SPAM_CHECK);
        }
        let score = answer.get("score").and_then(Value::as_i64).unwrap_or(100);
        for reason in reasons {
            verdict.add(reason, score.clamp(0, 100));
        }
        verdict
    }
}

/// The name of a form's honeypot input.
pub fn honeypot_name(form_id: i64) -> String {
    format!("_cf_h{form_id}")
}

/// Checks the honeypots of the page and of the form's author, and the time since the page was rendered. Clients
/// without a page send no time, so this check is skipped for them.
pub fn inspect(
    signer: &Signer,
    form_id: i64,
    schema: &FormSchema,
    input: &Input,
    now: i64,
) -> Verdict {
    let mut verdict = Verdict::default();
    let is_filled = |name: &str| input.value(name).is_some();
    if is_filled(&honeypot_name(form_id)) || schema.spam_traps().any(is_filled) {
        verdict.add("honeypot", 100);
    }
    if let Some(token) = input.value("_cf_time") {
        match signer.moment(Use::Rendered, form_id, token) {
            None => verdict.add("forged_time", 90),
            Some(rendered) if now - rendered < MIN_FILL_MS => {
                verdict.suspect("too_fast", SUSPICIOUS_SCORE);
            }
            Some(_) => {}
        }
    }
    verdict
}

/// Returns the verdict after the plugins' filters.
pub async fn ask_plugins(
    cx: &Context,
    verdict: Verdict,
    submission: &Submission,
    form: &Form,
) -> Verdict {
    if !cx.has_callbacks(Kind::Filter, SPAM_CHECK) {
        return verdict;
    }
    let arguments = [json::value(submission), form_argument(form)];
    let answer = cx.apply_filters(SPAM_CHECK, json!(verdict), &arguments);
    verdict.changed(&answer.await)
}
