//! Validates the number, sizes, types and names of uploaded files.

use serde_json::{Map, Value};

use super::report::{AnswerCode, AnswerFault, Bounds, size_text};
use super::{Check, Rules, alone};
use crate::Field;
use crate::file_types::{DEFAULT_EXTENSIONS, Judgement, judge};
use crate::filenames::clean_filename;
use crate::logic::input::{Input, UploadedFile};

impl Rules<'_> {
    /// Validates a single file of a field, before the visitor submits the form.
    pub fn validate_file(&self, field: &Field, file: &UploadedFile) -> Vec<AnswerFault> {
        let input = Input::default();
        let check = |check: &mut Check<'_, '_>| check.check_files(std::iter::once(file));
        let (_, faults) = alone(field, &input, None, self.messages, check);
        faults
    }
}

impl Check<'_, '_> {
    /// Validates uploads, and returns the files' names: a list for a field with `multiple`, or else one name.
    pub(super) fn uploads(&mut self) -> Option<Value> {
        let input = self.input;
        let files: Vec<(usize, &UploadedFile)> = input.files_of(&self.field.name).collect();
        let most = self.field.max_files();
        if files.len() > most {
            self.fault_within(AnswerCode::FileUploadError, &Bounds::new(None, Some(most)));
            return None;
        }
        // The caller replaces valid tokens by their files, so a text that is still here is an invalid token.
        if input.has_text(&self.field.name) || files.iter().any(|(_, file)| file.is_unusable) {
            self.fault(AnswerCode::FileUploadError);
            return None;
        }
        if files.is_empty() {
            self.require_unless(false);
            return None;
        }
        let names = self.check_files(files.iter().map(|(_, file)| *file));
        self.files.extend(files.iter().map(|(place, _)| *place));
        if self.field.is_multiple() {
            return Some(Value::from(names));
        }
        names.into_iter().last().map(Value::from)
    }

    /// Validates the types, sizes and names of files, and returns their names.
    pub(super) fn check_files<'f>(
        &mut self,
        files: impl Iterator<Item = &'f UploadedFile> + Clone,
    ) -> Vec<String> {
        let accept = accept_of(self.field);
        let mut judged = files
            .clone()
            .map(|file| judge(&file.filename, file.content, accept));
        match judged.find(|judgement| *judgement != Judgement::Taken) {
            Some(Judgement::NotAllowed) => {
                let bounds = Bounds::of_types(readable_types(accept, self.report.messages));
                self.fault_within(AnswerCode::FileTypeNotAllowed, &bounds);
            }
            Some(Judgement::Mismatch) => self.fault(AnswerCode::FileTypeMismatch),
            Some(Judgement::Taken) | None => {}
        }
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
        let sizes = files.clone().map(|file| self.outside(file.size as f64));
        let (small, large): (Vec<bool>, Vec<bool>) = sizes.unzip();
        let (min, max) = self.field.bounds();
        let size = |bound: f64| size_text(bound, self.report.messages);
        let bounds = Bounds::new(min.map(size), max.map(size));
        self.check_outside((small.contains(&true), false), &bounds);
        if large.contains(&true) {
            self.fault_within(AnswerCode::FileTooLarge, &bounds);
        }
        let names: Vec<String> = files.map(|file| clean_filename(&file.filename)).collect();
        self.check_pattern(names.iter().map(String::as_str));
        names
    }
}

/// The `accept` of a file field. Without one, a signature accepts pictures; other fields get an empty text.
pub fn accept_of(field: &Field) -> &str {
    let usual = if field.is_signature() { "image/*" } else { "" };
    field.attributes.get("accept").map_or(usual, String::as_str)
}

/// The types that a field accepts, in words for people: the types in its `accept`, or else the default types.
pub fn readable_types(accept: &str, messages: &Map<String, Value>) -> String {
    let mut types: Vec<String> = Vec::new();
    for token in accept
        .split(',')
        .map(str::trim)
        .filter(|token| !token.is_empty())
    {
        let readable = readable_type(&token.to_ascii_lowercase(), messages);
        let readable = readable.unwrap_or_else(|| token.to_owned());
        if !types.contains(&readable) {
            types.push(readable);
        }
    }
    if types.is_empty() {
        let usual = DEFAULT_EXTENSIONS.split_ascii_whitespace();
        types.extend(usual.map(str::to_ascii_uppercase));
    }
    types.join(", ")
}

/// The name of a media type for people; `None` if the token itself should be shown.
fn readable_type(token: &str, messages: &Map<String, Value>) -> Option<String> {
    let (family, subtype) = token.split_once('/')?;
    if subtype == "*" {
        let word = messages
            .get(&format!("type_{family}"))
            .and_then(Value::as_str);
        return Some(word.unwrap_or(family).to_owned());
    }
    let extension = match subtype {
        "plain" => ".txt",
        "msword" => ".doc",
        "vnd.ms-excel" => ".xls",
        "vnd.ms-powerpoint" => ".ppt",
        _ if subtype.ends_with("wordprocessingml.document") => ".docx",
        _ if subtype.ends_with("spreadsheetml.sheet") => ".xlsx",
        _ if subtype.ends_with("presentationml.presentation") => ".pptx",
        _ => "",
    };
    let is_short = subtype.len() <= 5 && subtype.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let name = if extension.is_empty() && is_short {
        subtype.to_ascii_uppercase()
    } else {
        extension.to_owned()
    };
    (!name.is_empty()).then_some(name)
}
