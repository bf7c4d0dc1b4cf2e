//! The types of actions: a setting, the input of a run, and its report.

use std::cell::OnceCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::dates;
use crate::forms::{FieldOption, Form, FormSchema};
use crate::hooks::argument;
use crate::logic::template::{self, Context as Place, Escape, Variables};
use crate::submissions::Submission;
use crate::task::{Context, PortError};

/// How a setting is edited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingInput {
    /// One line.
    #[default]
    Text,
    /// Several lines.
    Textarea,
    /// One of its options.
    Select,
    /// On or off, stored as `"1"` or `""`.
    Checkbox,
    /// One line that is never shown again.
    Password,
}

/// One setting of an action type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// Its key in the action's settings.
    pub key: String,
    /// Its name for people.
    pub label: String,
    /// How it is edited.
    #[serde(default)]
    pub input: SettingInput,
    /// The value that an empty setting stands for.
    #[serde(default)]
    pub default: String,
    /// Whether the action counts as not configured while this is empty.
    #[serde(default)]
    pub required: bool,
    /// Whether it is encrypted at rest and masked on read.
    #[serde(default)]
    pub secret: bool,
    /// The choices of a select.
    #[serde(default)]
    pub options: Vec<FieldOption>,
    /// A sentence that helps to fill it in.
    #[serde(default)]
    pub help: String,
}

/// The input of an action's run.
pub struct Work {
    pub cx: Context,
    pub action_type: String,
    /// The action's settings, secrets in clear.
    pub settings: Map<String, Value>,
    pub submission: Submission,
    /// The submission's answers by field name.
    pub data: Map<String, Value>,
    pub form: Form,
    /// The schema that the submission was read by: its labels and its order.
    pub schema: Rc<FormSchema>,
    /// The same for every attempt at one queue entry, so that a receiver can recognize repeats.
    pub idempotency_key: String,
    /// The addresses of the submission's files by their fields; only the email action includes them.
    pub file_links: OnceCell<Vec<(String, String)>>,
}

impl Work {
    /// Renders a template with the submission's answers, escaped for the place where it lands.
    pub fn render(&self, text: &str, place: Place) -> String {
        self.expand(text, place, Escape::NONE)
    }

    /// Renders a template; what a visitor may have written passes through `escape` first.
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
            file_links: self.file_links.get().map_or(&[], Vec::as_slice),
        };
        template::expand(text, &variables, place)
    }

    /// The arguments of hook callbacks: settings, the submission and the form.
    pub fn hook_arguments(&self, settings: Map<String, Value>) -> [Value; 3] {
        [
            Value::Object(settings),
            argument::submission(&self.submission),
            argument::form(&self.form),
        ]
    }

    /// The submission's id; empty in a test.
    fn submission_id(&self) -> String {
        let id = Some(self.submission.id).filter(|id| *id > 0);
        id.map_or_else(String::new, |id| id.to_string())
    }

    /// A setting as text, without the space around it; the default where there is nothing.
    pub fn setting<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        let text = self.settings.get(key).and_then(Value::as_str);
        match text.map(str::trim) {
            Some(text) if !text.is_empty() => text,
            _ => default,
        }
    }
}

/// When a failed action is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// After the queue's own delay.
    Later,
    /// Not before so many milliseconds, as the receiver asked.
    After(i64),
    /// Never: it would fail again.
    Never,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Done,
    /// It had nothing to do: it is not configured, or its conditions are not met.
    Skipped,
    Failed(Retry),
}

/// The report of an action's run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub verdict: Verdict,
    /// What happened, for people. Holds no secret.
    pub message: String,
    /// What went out, such as the mail or the request. Holds no secret.
    pub output: Value,
}

impl Report {
    /// Reports a run that did its work.
    pub fn done(message: impl Into<String>) -> Report {
        Report::of(Verdict::Done, message)
    }

    /// Reports a run that had nothing to do.
    pub fn skipped(message: impl Into<String>) -> Report {
        Report::of(Verdict::Skipped, message)
    }

    /// Reports a run that failed and is worth another attempt.
    pub fn failed(message: impl Into<String>) -> Report {
        Report::of(Verdict::Failed(Retry::Later), message)
    }

    /// Reports a run that failed and would fail again.
    pub fn hopeless(message: impl Into<String>) -> Report {
        Report::of(Verdict::Failed(Retry::Never), message)
    }

    /// Reports a run whose port failed: another attempt may help, unless the port says that none does.
    pub fn of_fault(fault: PortError) -> Report {
        match fault.code.as_str() {
            "permanent" => Report::hopeless(fault.message),
            _ => Report::failed(fault.message),
        }
    }

    /// Reports a run whose secret of that key cannot be decrypted.
    pub fn unreadable(key: &str) -> Report {
        Report::hopeless(format!(
            "This host's secret does not open its {key}. Set it again."
        ))
    }

    /// The same report, showing what went out.
    #[must_use]
    pub fn showing(self, output: Value) -> Report {
        Report { output, ..self }
    }

    fn of(verdict: Verdict, message: impl Into<String>) -> Report {
        Report {
            verdict,
            message: message.into(),
            output: Value::Null,
        }
    }
}
