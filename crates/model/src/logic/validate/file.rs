//! Uploaded files: their number, size and type.

use serde_json::{Map, Value};

use super::Check;
use super::report::{AnswerCode, Bounds, size_text};
use crate::file_types::{DEFAULT_EXTENSIONS, Judgement, judge};
use crate::logic::input::UploadedFile;

/// The most files of one field.
pub const MAX_FILES: usize = 20;

/// The longest file name, in characters.
const MAX_FILENAME_CHARS: usize = 200;

impl Check<'_, '_> {
    /// Validates uploads, and returns the names of the files; a field without `multiple` has one name.
    pub(super) fn uploads(&mut self) -> Option<Value> {
        let input = self.input;
        let files: Vec<(usize, &UploadedFile)> = input.files_of(&self.field.name).collect();
        let is_multiple = self.field.is_multiple();
        let most = if is_multiple { MAX_FILES } else { 1 };
        if files.is_empty() {
            self.require_unless(false);
            return None;
        }
        if files.len() > most {
            self.fault_within(AnswerCode::FileUploadError, &Bounds::new(None, Some(most)));
            return None;
        }
        let accept = self
            .field
            .attributes
            .get("accept")
            .map_or("", String::as_str);
        let mut judged = files
            .iter()
            .map(|(_, file)| judge(&file.filename, file.content, accept));
        match judged.find(|judgement| *judgement != Judgement::Taken) {
            Some(Judgement::NotAllowed) => {
                let bounds = Bounds::of_types(readable_types(accept, self.report.messages));
                self.fault_within(AnswerCode::FileTypeNotAllowed, &bounds);
            }
            Some(Judgement::Mismatch) => self.fault(AnswerCode::FileTypeMismatch),
            Some(Judgement::Taken) | None => {}
        }
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
        let sizes = files.iter().map(|(_, file)| self.outside(file.size as f64));
        let (small, large): (Vec<bool>, Vec<bool>) = sizes.unzip();
        let (min, max) = self.field.validation.bounds();
        let size = |bound: f64| size_text(bound, self.report.messages);
        let bounds = Bounds::new(min.map(size), max.map(size));
        self.check_outside((small.contains(&true), false), &bounds);
        if large.contains(&true) {
            self.fault_within(AnswerCode::FileTooLarge, &bounds);
        }
        self.files.extend(files.iter().map(|(place, _)| *place));
        let names = files.iter().map(|(_, file)| clean_filename(&file.filename));
        let mut names: Vec<String> = names.collect();
        self.check_pattern(names.iter().map(String::as_str));
        if is_multiple {
            return Some(Value::from(names));
        }
        names.pop().map(Value::from)
    }
}

/// The types that a field accepts, for people: those in its `accept`, or else the default ones.
fn readable_types(accept: &str, messages: &Map<String, Value>) -> String {
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

/// The name of a media type; `None` if the type itself is best.
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

/// A visitor's file name, made safe to store and show: without a path, control characters and characters with a
/// meaning in paths, shells and headers. It is never empty, and only the last 200 characters are kept.
pub fn clean_filename(filename: &str) -> String {
    let name = filename.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: Vec<char> = name
        .chars()
        .filter(|c| !c.is_control() && !turns_text(*c))
        .map(|c| if r#"<>:"|?*;%"#.contains(c) { '_' } else { c })
        .collect();
    let from = cleaned.len().saturating_sub(MAX_FILENAME_CHARS);
    let kept: String = cleaned.into_iter().skip(from).collect();
    let kept = kept.trim_matches(|c: char| c.is_whitespace() || c == '.');
    if kept.is_empty() {
        "file".to_owned()
    } else {
        kept.to_owned()
    }
}

/// Characters that change the direction of text, so that `gpj.exe` reads as `exe.jpg`.
const fn turns_text(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
