//! The notes at file fields: the limits in words, and the stored files that a page keeps.

use crate::forms::{Form, FormSchema};
use crate::logic::localized::localized;
use crate::logic::validate::{accept_of, readable_types, size_text};
use crate::markup::{FileNote, KeptRow, markers};
use serde_json::{Map, Value};

use crate::forms::Field;

/// The input with the tokens of the files that the visitor removed, on pages without script.
pub const REMOVED: &str = "_cf_remove";

/// A stored file that the page keeps: the next submit claims it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptFile {
    /// The field that the file was sent in.
    pub field: String,
    /// The visitor's name for the file, cleaned.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The token by which the submit claims the file.
    pub token: String,
}

/// Builds the notes for a form's file fields that have limits or stored files.
pub fn file_notes(form: &Form, schema: &FormSchema, kept: &[KeptFile]) -> Vec<FileNote> {
    if !schema.takes_files() {
        return Vec::new();
    }
    let texts = form.all_texts();
    let fields = schema.answer_fields();
    let notes = fields
        .filter(|field| field.kind.takes_files())
        .map(|field| {
            let rows = kept.iter().filter(|file| file.field == field.name);
            FileNote {
                field: field.name.clone(),
                id: markers::id_of(&form.id.to_string(), &field.name) + "--limits",
                limits: limits(field, &texts),
                kept: rows.map(|file| row(form, file, &texts)).collect(),
            }
        });
    let is_used = |note: &FileNote| !note.limits.is_empty() || !note.kept.is_empty();
    notes.filter(is_used).collect()
}

fn row(form: &Form, file: &KeptFile, texts: &Map<String, Value>) -> KeptRow {
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
    let size = size_text(file.size as f64, texts);
    KeptRow {
        name: file.name.clone(),
        bytes: file.size,
        size,
        token: file.token.clone(),
        remove: form.word("upload_remove").to_owned(),
        remove_this: form
            .word("upload_remove_file")
            .replace("{file}", &file.name),
        remove_name: REMOVED,
    }
}

/// The limits of a file field in words: types, number of files and size of each.
fn limits(field: &Field, texts: &Map<String, Value>) -> String {
    let word = |key: &str, max: &str| {
        let text = texts.get(key).and_then(Value::as_str);
        text.unwrap_or_default().replace("{max}", max)
    };
    let mut limits = Vec::new();
    let accept = accept_of(field);
    if !accept.trim().is_empty() {
        limits.push(readable_types(accept, texts));
    }
    let is_multiple = field.is_multiple();
    if is_multiple && field.attributes.contains_key(Field::FILE_LIMIT) {
        let max = localized(&field.max_files().to_string(), texts);
        limits.push(word("upload_max_files", &max));
    }
    if let (_, Some(max)) = field.bounds() {
        let key = if is_multiple {
            "upload_max_each"
        } else {
            "upload_max_size"
        };
        limits.push(word(key, &size_text(max, texts)));
    }
    limits.join(" · ")
}
