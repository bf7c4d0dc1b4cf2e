//! The faults of a visitor's answers, with the messages of the form.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::field_kinds::AnswerShape;
use crate::logic::answer::AnswerKind;
use crate::logic::localized::{localized, localized_bound};
use crate::markers::COLOR_FORMAT;
use crate::messages::{is_default, message_text, word};
use crate::unicode::case::capitalized;
use crate::{Field, is_unseen};

wire_enum! {
    /// The kinds of faults in answers. Each is the key of a message (contract, section 2).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "the variants are the contract's names")]
    pub enum AnswerCode {
        RequiredFieldMissing = "required_field_missing",
        InvalidEmail = "invalid_email",
        InvalidUrl = "invalid_url",
        InvalidPhone = "invalid_phone",
        InvalidNumber = "invalid_number",
        InvalidDate = "invalid_date",
        InvalidOption = "invalid_option",
        InvalidPattern = "invalid_pattern",
        TooShort = "too_short",
        TooLong = "too_long",
        TooSmall = "too_small",
        TooLarge = "too_large",
        FileTooLarge = "file_too_large",
        FileTypeNotAllowed = "file_type_not_allowed",
        FileTypeMismatch = "file_type_mismatch",
        FileUploadError = "file_upload_error",
        CalculationFailed = "calculation_failed",
        NotRepeated = "not_repeated",
        NotUnique = "not_unique",
        SoldOut = "sold_out",
    }
}

/// One fault of a visitor's answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct AnswerFault {
    /// The name of the field.
    pub field: String,
    /// The part of a composite field, such as `city`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
    /// In a repeating group: the index of the row in the stored list, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// In a repeating group: the name of the input that the visitor's page sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The key of the message.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
    pub code: Cow<'static, str>,
    /// The form's message, with the field's label and bounds filled in. It never contains the visitor's value.
    pub message: String,
    /// The message to show next to the field: without the label, which the page shows anyway. Only the visitor's page
    /// gets this text.
    #[serde(skip)]
    pub short: String,
}

impl AnswerFault {
    /// Creates a fault of a field or part, from the text of a message with placeholders.
    fn of(
        field: (&str, Option<&'static str>),
        code: Cow<'static, str>,
        text: &str,
        label: &str,
        bounds: &Bounds,
    ) -> AnswerFault {
        AnswerFault {
            field: field.0.to_owned(),
            part: field.1,
            row: None,
            input: None,
            code,
            message: filled_in(text, label, bounds),
            short: filled_in(&without_label(text), label, bounds),
        }
    }

    /// Creates a fault of a field. `text` is a message of the form, which may contain the placeholder of the label.
    pub fn new(field: &str, known: Option<&Field>, code: Cow<'static, str>, text: &str) -> Self {
        let label = known.map(|known| label_of(known, None, &Map::new()));
        let label = label.unwrap_or_else(|| field.to_owned());
        AnswerFault::of((field, None), code, text, &label, &Bounds::default())
    }
}

/// Removes the label, and the punctuation after it, from the beginning of a message.
fn without_label(text: &str) -> Cow<'_, str> {
    let is_between = |c: char| is_mark(c) || c.is_whitespace() || matches!(c, '-' | '–' | '—');
    let rest = text.strip_prefix("{label}").filter(|rest| {
        // A label that is part of a sentence stays.
        rest.trim_start().starts_with([':', '：', '–', '—', '-'])
    });
    let rest = rest.unwrap_or_default();
    match rest.trim_start_matches(is_between) {
        rest if rest.is_empty() || rest.starts_with('{') => Cow::Borrowed(text),
        rest => Cow::Owned(capitalized(rest)),
    }
}

/// The values of a message's placeholders, except the label.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    min: Option<String>,
    max: Option<String>,
    step: Option<String>,
    /// The allowed types of files.
    types: Option<String>,
    title: Option<String>,
    left: Option<String>,
}

impl Bounds {
    /// Only the allowed types of files.
    pub(super) fn of_types(types: String) -> Bounds {
        Bounds {
            types: Some(types),
            ..Bounds::default()
        }
    }

    /// Only the step that a number does not match.
    pub(super) fn of_step(step: f64) -> Bounds {
        Bounds {
            step: Some(step.to_string()),
            ..Bounds::default()
        }
    }

    /// Only the number of free seats.
    pub(super) fn of_left(left: i64) -> Bounds {
        Bounds {
            left: Some(left.to_string()),
            ..Bounds::default()
        }
    }

    pub(super) fn new<T: ToString>(min: Option<T>, max: Option<T>) -> Bounds {
        Bounds {
            min: min.map(|min| min.to_string()),
            max: max.map(|max| max.to_string()),
            ..Bounds::default()
        }
    }
}

/// Collects the faults of one submit.
#[derive(Debug)]
pub(super) struct Report<'r> {
    pub(super) messages: &'r Map<String, Value>,
    pub(super) faults: Vec<AnswerFault>,
    /// The row whose fields are being checked.
    pub(super) row: Option<ReportedRow>,
}

/// A row of a repeating group, and the field that is being checked.
#[derive(Clone, Debug)]
pub(super) struct ReportedRow {
    /// The number of the row, from 0.
    pub(super) index: usize,
    /// The group.
    pub(super) group: Field,
    /// The field's name in the schema. The copy that is being checked has the name of its input instead.
    pub(super) column: String,
}

impl Report<'_> {
    /// Adds a fault, at most once per field, part and code.
    pub(super) fn add(
        &mut self,
        field: &Field,
        part: Option<&'static str>,
        code: AnswerCode,
        bounds: &Bounds,
    ) {
        let faults = self.faults.iter().rev();
        let (name, row) = match &self.row {
            Some(row) => (row.column.as_str(), Some(row.index)),
            None => (field.name.as_str(), None),
        };
        let mut known = faults.take_while(|fault| fault.field == name && fault.row == row);
        if known.any(|fault| fault.part == part && fault.code == code.as_str()) {
            return;
        }
        let local =
            |bound: &Option<String>| Some(localized_bound(bound.as_deref()?, self.messages));
        let bounds = &Bounds {
            min: local(&bounds.min),
            max: local(&bounds.max),
            step: local(&bounds.step),
            types: bounds.types.clone(),
            title: title_of(field, code),
            left: local(&bounds.left),
        };
        let text = specific_message(self.messages, text_key(field, code, bounds));
        let code = Cow::Borrowed(code.as_str());
        let mut label = label_of(field, part, self.messages);
        if let Some(row) = &self.row {
            if label == field.name {
                label.clone_from(&row.column);
            }
            let group = label_of(&row.group, None, self.messages);
            let (label_text, group) = (without_mark(&label), without_mark(&group));
            label = format!("{label_text} ({group} {})", row.index + 1);
        }
        let mut fault = AnswerFault::of((&field.name, part), code, text, &label, bounds);
        if let Some(row) = &self.row {
            fault.row = Some(row.index);
            let name = std::mem::replace(&mut fault.field, row.column.clone());
            let is_list = field.kind.has_choices() && field.is_multiple();
            fault.input = Some(match part {
                Some(part) => format!("{name}[{part}]"),
                None if is_list => name + "[]",
                None => name,
            });
        }
        self.faults.push(fault);
    }
}

/// The key of the most specific message for a fault of a field.
fn text_key(field: &Field, code: AnswerCode, bounds: &Bounds) -> &'static str {
    let has_choices = field.kind.has_choices();
    match code {
        // Visitors tick a checkbox instead of filling it in.
        AnswerCode::RequiredFieldMissing if AnswerKind::of(field) == AnswerKind::Toggle => {
            "required_box_missing"
        }
        AnswerCode::RequiredFieldMissing if has_choices || field.shape() == AnswerShape::Points => {
            "required_choice_missing"
        }
        AnswerCode::InvalidNumber if bounds.step.is_some() => "invalid_step",
        AnswerCode::TooSmall if field.is_repeat() => "too_few_rows",
        AnswerCode::TooLarge if field.is_repeat() => "too_many_rows",
        AnswerCode::TooSmall if has_choices => "too_few_choices",
        AnswerCode::TooLarge if has_choices && bounds.max.as_deref() == Some("1") => {
            "too_many_choices_one"
        }
        AnswerCode::TooLarge if has_choices => "too_many_choices",
        AnswerCode::InvalidOption if bounds.max.is_some() => "ranked_twice",
        AnswerCode::InvalidPattern if bounds.title.is_some() => "invalid_pattern_title",
        AnswerCode::FileUploadError if bounds.max.as_deref() == Some("1") => "too_many_files_one",
        AnswerCode::FileUploadError if bounds.max.is_some() => "too_many_files",
        AnswerCode::FileTooLarge if bounds.max.is_some() => "file_over_limit",
        AnswerCode::FileTypeNotAllowed if bounds.types.is_some() => "file_types",
        code => code.as_str(),
    }
}

/// The author's explanation of the field's pattern, from `title`. For a colour, the default is the colour's format.
fn title_of(field: &Field, code: AnswerCode) -> Option<String> {
    let is_color = field.shape() == AnswerShape::Color;
    let has_pattern = is_color || field.validation.pattern.is_some();
    let is_of_pattern = code == AnswerCode::InvalidPattern && has_pattern;
    let title = field.attributes.get("title").map(String::as_str);
    let title = title.or(is_color.then_some(COLOR_FORMAT));
    let title = title.filter(|_| is_of_pattern)?;
    (!is_unseen(title)).then(|| title.trim().to_owned())
}

/// The form's message with a key. If the form changed the text of the general fault, but not of the specific one, the
/// general text is used.
pub fn specific_message<'m>(messages: &'m Map<String, Value>, key: &str) -> &'m str {
    let customized = general_fault(key)
        .map(AnswerCode::as_str)
        .filter(|general| is_default(messages, key) && !is_default(messages, general));
    message_text(messages, customized.unwrap_or(key))
}

/// The general fault that a specific message belongs to.
pub fn general_fault(key: &str) -> Option<AnswerCode> {
    match key {
        "required_box_missing" | "required_choice_missing" => {
            Some(AnswerCode::RequiredFieldMissing)
        }
        "too_many_files" | "too_many_files_one" => Some(AnswerCode::FileUploadError),
        "invalid_step" => Some(AnswerCode::InvalidNumber),
        "invalid_pattern_title" => Some(AnswerCode::InvalidPattern),
        "too_few_choices" | "too_few_rows" => Some(AnswerCode::TooSmall),
        "too_many_rows" | "too_many_choices" | "too_many_choices_one" => Some(AnswerCode::TooLarge),
        "ranked_twice" => Some(AnswerCode::InvalidOption),
        "file_over_limit" => Some(AnswerCode::FileTooLarge),
        "file_types" => Some(AnswerCode::FileTypeNotAllowed),
        _ => None,
    }
}

/// The name of a field in a message: its label, with the part of a composite field, such as `Your name (first)`.
pub fn label_of(field: &Field, part: Option<&str>, messages: &Map<String, Value>) -> String {
    let only_option = match field.options.as_slice() {
        [only] => only.label.as_str(),
        _ => "",
    };
    let label = field.plain_label();
    let names = [&*label, only_option, &field.name];
    let label = names.into_iter().find(|name| !name.is_empty());
    let label = label.unwrap_or_default();
    let Some(part) = part else {
        return label.to_owned();
    };
    let word = messages.get(&format!("part_{part}"));
    let part_label = field.part_label(part).or(word.and_then(Value::as_str));
    let part_label = part_label.map_or_else(
        || part.replace('_', " "),
        |text| without_mark(text).to_owned(),
    );
    if field.label.is_empty() {
        return part_label;
    }
    format!("{} ({part_label})", without_mark(label))
}

/// Writes a number of bytes in the language of the messages: in megabytes or kilobytes with at most one decimal
/// place, rounded down. A multiple of 1,024 (or 1,048,576) bytes is shown in units of that size.
pub fn size_text(bytes: f64, messages: &Map<String, Value>) -> String {
    let (key, plain, binary) = match bytes {
        _ if bytes >= 1e6 => ("size_mb", 1e6, 1_048_576.0),
        _ if bytes >= 1e3 => ("size_kb", 1e3, 1_024.0),
        _ => ("size_bytes", 1.0, 1.0),
    };
    let unit = if bytes % binary == 0.0 { binary } else { plain };
    let size = (bytes / unit * 10.0).floor() / 10.0;
    let text = messages.get(key).and_then(Value::as_str);
    let size = localized(&size.to_string(), messages);
    text.unwrap_or_else(|| word(key)).replace("{size}", &size)
}

/// Whether a character is a punctuation mark that may end a sentence or a label.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        '.' | ':' | ';' | ',' | '!' | '?' | '…' | '。' | '：' | '！' | '？' | '؟'
    )
}

/// Removes the punctuation marks at the end of a label, for use within a sentence.
fn without_mark(label: &str) -> &str {
    let bare = label.trim_end_matches(|c: char| is_mark(c) || c.is_whitespace());
    if bare.is_empty() { label } else { bare }
}

/// Replaces `{label}`, `{min}`, `{max}` and the other placeholders in a message; the replacements are not searched
/// again. A label loses its final punctuation marks if the message continues with a punctuation mark.
fn filled_in(text: &str, label: &str, bounds: &Bounds) -> String {
    let mut parts = text.split('{');
    let mut message = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once('}').and_then(|(name, rest)| {
            let value = match name {
                "label" if rest.starts_with(is_mark) => without_mark(label),
                "label" => label,
                "min" => bounds.min.as_deref().unwrap_or_default(),
                "max" => bounds.max.as_deref().unwrap_or_default(),
                "title" => bounds.title.as_deref().unwrap_or_default(),
                "types" => bounds.types.as_deref().unwrap_or_default(),
                "left" => bounds.left.as_deref().unwrap_or_default(),
                "step" => bounds.step.as_deref().unwrap_or_default(),
                _ => return None,
            };
            Some((value, rest))
        });
        let (before, after) = known.unwrap_or(("{", part));
        message.push_str(before);
        message.push_str(after);
    }
    message
}
