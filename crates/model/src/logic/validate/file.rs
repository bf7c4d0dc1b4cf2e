//! Uploaded files: how many, how large, of which type.

use serde_json::Value;

use super::Check;
use super::report::{AnswerCode, Bounds};
use crate::file_types::{Judgement, judge};
use crate::logic::input::UploadedFile;

/// The most files of one field.
pub const MAX_FILES: usize = 20;

/// The longest file name, in characters.
const MAX_FILENAME_CHARS: usize = 200;

impl Check<'_, '_> {
    /// Validates uploads, and returns the names of the files; of a field without `multiple` the one name.
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
            Some(Judgement::NotAllowed) => self.fault(AnswerCode::FileTypeNotAllowed),
            Some(Judgement::Mismatch) => self.fault(AnswerCode::FileTypeMismatch),
            Some(Judgement::Taken) | None => {}
        }
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
        let sizes = files.iter().map(|(_, file)| self.outside(file.size as f64));
        let (small, large): (Vec<bool>, Vec<bool>) = sizes.unzip();
        self.check_outside((small.contains(&true), false), &self.bounds());
        if large.contains(&true) {
            self.fault_within(AnswerCode::FileTooLarge, &self.bounds());
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

/// A visitor's file name as it may be stored and shown: without a path, control characters and
/// what paths, shells and headers give a meaning; never empty, at most 200 characters, of which
/// the last are kept.
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

/// Characters that turn the direction of text, so that `gpj.exe` reads as `exe.jpg`.
const fn turns_text(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
