//! The input of an action's run, and the report that the run returns.

use std::cell::OnceCell;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::dates;
use crate::forms::{Form, FormSchema, form_argument};
use crate::logic::template::{self, Context as Place, Escape, Variables};
use crate::submissions::{Submission, submission_argument};
use crate::task::{Context, PortError};

/// The result of preparing an action's run.
pub enum Prepared {
    Ready(Box<Work>),
    /// The action cannot run, for the reason in the report.
    Impossible(Report),
}

/// The input of an action's run.
pub struct Work {
    pub cx: Context,
    pub action_type: String,
    /// The action's settings, with decrypted secrets.
    pub settings: Map<String, Value>,
    pub submission: Submission,
    /// The submission's answers by field name.
    pub data: Map<String, Value>,
    pub form: Rc<Form>,
    /// The schema that gives the answers their labels and their order.
    pub schema: Rc<FormSchema>,
    /// The key that all attempts of a queue entry share, so that a receiver can recognize repeats.
    pub idempotency_key: String,
    /// The download links of the submission's files, each with its field's name. Only the email action sets them.
    pub file_links: OnceCell<Vec<(String, String)>>,
}

impl Work {
    /// Renders a template with the submission's answers, escaped for a place.
    pub fn render(&self, text: &str, place: Place) -> String {
        self.expand(text, place, Escape::NONE)
    }

    /// Renders a template; texts that a visitor may have written pass through `escape` first.
    pub(super) fn expand(&self, text: &str, place: Place, escape: Escape<'_>) -> String {
        let submission = &self.submission;
        let variables = Variables {
            schema: Some(&self.schema),
            data: &self.data,
            escape,
            form_id: self.form.id,
            form_title: &escape.apply(&self.form.title),
            submission_id: &self.submission_id(),
            timestamp: &dates::format_moment(submission.submitted_at),
            ip_address: &submission.ip_address,
            user_agent: &escape.apply(&submission.user_agent),
            referrer_url: &escape.apply(&submission.referer_url),
            texts: &self.form.messages,
            file_links: self.file_links.get().map_or(&[], Vec::as_slice),
        };
        template::expand(text, &variables, place)
    }

    /// The arguments of hook callbacks: settings, the submission and the form.
    pub fn hook_arguments(&self, settings: Map<String, Value>) -> [Value; 3] {
        [
            Value::Object(settings),
            submission_argument(&self.submission),
            form_argument(&self.form),
        ]
    }

    /// The submission's id; empty in a test.
    fn submission_id(&self) -> String {
        let id = Some(self.submission.id).filter(|id| *id > 0);
        id.map_or_else(String::new, |id| id.to_string())
    }

    /// A setting as trimmed text, or the default if it is empty.
    pub fn setting<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        let text = self.settings.get(key).and_then(Value::as_str);
        match text.map(str::trim) {
            Some(text) if !text.is_empty() => text,
            _ => default,
        }
    }
}

/// Splits a comma-separated list into its non-empty items.
pub(super) fn comma_list(text: &str) -> Vec<String> {
    text.split(',')
        .map(|item| item.trim().to_owned())
        .filter(|item| !item.is_empty())
        .collect()
}

/// The delay before a failed action's next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// After the queue's delay.
    Later,
    /// After at least this many milliseconds, as the receiver requested.
    After(i64),
    /// Never, since the action would fail again.
    Never,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Done,
    /// The action was not run, for example because it is not configured or its conditions are not met.
    Skipped,
    Failed(Retry),
}

/// The report of an action's run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub verdict: Verdict,
    /// A description for people, without secrets.
    pub message: String,
    /// The mail or the request that was sent, without secrets.
    pub output: Value,
    /// Whether the host stored or printed the mail instead of sending it.
    pub is_kept: bool,
}

impl Report {
    /// Reports a success.
    pub fn done(message: impl Into<String>) -> Report {
        Report::of(Verdict::Done, message)
    }

    /// Reports a skipped run.
    pub fn skipped(message: impl Into<String>) -> Report {
        Report::of(Verdict::Skipped, message)
    }

    /// Reports a failure that another attempt may fix.
    pub fn failed(message: impl Into<String>) -> Report {
        Report::of(Verdict::Failed(Retry::Later), message)
    }

    /// Reports a failure that another attempt would repeat.
    pub fn permanent_failure(message: impl Into<String>) -> Report {
        Report::of(Verdict::Failed(Retry::Never), message)
    }

    /// Reports a failed port. Another attempt may help, unless the port reports a permanent error.
    pub fn of_fault(fault: PortError) -> Report {
        match fault.code.as_str() {
            "permanent" => Report::permanent_failure(fault.message),
            _ => Report::failed(fault.message),
        }
    }

    /// Reports that the secret with this key cannot be decrypted.
    pub fn unreadable(key: &str) -> Report {
        Report::permanent_failure(format!(
            "The stored {key} cannot be decrypted, because the host's secret changed. Enter it again."
        ))
    }

    /// The status detail of a success: `kept` or `accepted`; empty for any other run.
    pub fn detail(&self) -> &'static str {
        match self.verdict {
            Verdict::Done if self.is_kept => "kept",
            Verdict::Done => "accepted",
            _ => "",
        }
    }

    /// Adds the mail or the request to the report.
    #[must_use]
    pub fn showing(self, output: Value) -> Report {
        Report { output, ..self }
    }

    fn of(verdict: Verdict, message: impl Into<String>) -> Report {
        Report {
            verdict,
            message: message.into(),
            output: Value::Null,
            is_kept: false,
        }
    }
}
