//! Spam detection: the honeypots, the time since the page was rendered, the checks in the form's setting `spam_checks`,
//! and plugins. Senders do not learn the verdict, because spam gets the same response as any other submission.

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
use crate::logic::input::Input;
use crate::security::{Signer, Use};
use crate::submissions::{Submission, submission_argument};
use crate::task::Context;

/// The filter by which plugins may change the verdict. The arguments are the verdict, the submission and the form.
const SPAM_CHECK: &str = "cf_spam_check";

/// Minimum time in which a person fills in a form, in milliseconds. A shorter time alone does not make a submission
/// spam, since a program may send a form on a person's behalf.
const MIN_FILL_MS: i64 = 100;

/// The score of a suspicious submission.
const SUSPICIOUS_SCORE: i64 = 40;

/// Limit on a stored reason, in characters.
const MAX_REASON_CHARS: usize = 100;
/// Limit on the number of reasons.
const MAX_REASONS: usize = 20;

/// The verdict of the checks on a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Verdict {
    /// Whether the submission is spam.
    pub is_spam: bool,
    /// The confidence that the submission is spam, from 0 to 100.
    pub score: i64,
    /// The reasons for the verdict. The form's owner sees these reasons.
    pub reasons: Vec<String>,
}

impl Verdict {
    /// Marks the submission as spam, with a reason and a score.
    pub fn add(&mut self, reason: &str, score: i64) {
        self.is_spam = true;
        self.suspect(reason, score);
    }

    /// Adds a reason that alone does not make the submission spam.
    fn suspect(&mut self, reason: &str, score: i64) {
        self.score = self.score.max(score);
        if self.reasons.len() < MAX_REASONS {
            let reason = reason.chars().take(MAX_REASON_CHARS);
            self.reasons.push(reason.collect());
        }
    }

    /// Applies the result of the filter. The result is a verdict or a boolean; any other result changes nothing.
    fn changed(self, filtered: &Value) -> Verdict {
        let is_spam = filtered.as_bool();
        let is_spam = is_spam.or_else(|| filtered.get("is_spam")?.as_bool());
        let mut verdict = Verdict::default();
        match is_spam {
            None => return self,
            Some(false) if self.is_spam => return verdict,
            Some(false) => return self,
            Some(true) => {}
        }
        let mut reasons: Vec<&str> = match filtered.get("reasons").and_then(Value::as_array) {
            Some(reasons) => reasons.iter().filter_map(Value::as_str).collect(),
            None => self.reasons.iter().map(String::as_str).collect(),
        };
        if reasons.is_empty() {
            reasons.push(SPAM_CHECK);
        }
        let score = filtered.get("score").and_then(Value::as_i64).unwrap_or(100);
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

/// Checks the honeypots of the page and of the form's author, and the time since the page was rendered. A client
/// without a page sends no `_cf_time`, so the time is not checked.
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
    let arguments = [submission_argument(submission), form_argument(form)];
    let filtered = cx.apply_filters(SPAM_CHECK, json!(verdict), &arguments);
    verdict.changed(&filtered.await)
}
