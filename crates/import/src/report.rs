//! Reports the parts of a file that are not imported, or are imported differently.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::values::{counterpart, entries, is_set, shortened, text};

/// The texts of remarks by name. The engine needs them, but not the tables of `values.rs`, so they have their own file.
static REMARKS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("remarks.json")).unwrap_or_default());

/// The maximum number of notes of a report.
const MAX_REPORT: usize = 1_000;

/// Maximum number of earlier notes that are compared with a new note to find duplicates.
const MAX_COMPARED: usize = 100;

/// Maximum length of a form's title, and of a place in the form, in characters.
const MAX_PLACE_CHARS: usize = 200;

/// Maximum length of a note's message, in characters.
const MAX_MESSAGE_CHARS: usize = 1_000;

/// The maximum number of submissions of a large file.
pub(super) const MAX_LARGE: usize = 200_000;

/// A remark about a part of a file, such as one that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// A code such as `unknown_field`.
    pub code: String,
    /// The message for users.
    pub message: String,
    /// The form, and the place in it, such as `Contact: mail_2`.
    #[serde(rename = "where")]
    pub place: String,
}

/// The notes so far, and the title of the current form.
#[derive(Debug, Default)]
pub struct Report {
    notes: Vec<Note>,
    form: String,
    /// The titles of the forms so far, each with the index of its first note.
    forms: Vec<(String, usize)>,
    /// Whether the file is a large one, whose submissions are stored in parts.
    is_of_large_file: bool,
    /// The number of conditions that were left out, in whole or in part.
    pub(super) lost_conditions: usize,
}

impl Report {
    /// The report of a large file.
    pub(super) fn of_large_file() -> Report {
        Report {
            is_of_large_file: true,
            ..Report::default()
        }
    }

    /// Sets the form that the next notes belong to.
    pub fn begin(&mut self, form: &str) {
        shortened(form, MAX_PLACE_CHARS).clone_into(&mut self.form);
        self.forms.push((self.form.clone(), self.notes.len()));
    }

    /// Divides the notes into those of each form in `titles`, which are in the order of the file, and those of no form.
    pub(super) fn divided<'t>(
        self,
        titles: impl Iterator<Item = &'t str>,
    ) -> (Vec<Vec<Note>>, Vec<Note>) {
        let mut ends = self.forms.iter().skip(1).map(|(_, from)| *from);
        let mut parts: Vec<(&str, usize, Vec<Note>)> = Vec::new();
        for (title, from) in &self.forms {
            let end = ends.next().unwrap_or(self.notes.len());
            let notes = self.notes.get(*from..end).unwrap_or_default().to_vec();
            parts.push((title, *from, notes));
        }
        let first = parts.first().map_or(self.notes.len(), |(_, from, _)| *from);
        let mut others = self.notes.get(..first).unwrap_or_default().to_vec();
        let mut parts = parts.into_iter().peekable();
        let mut divided = Vec::new();
        let titles: Vec<&str> = titles
            .map(|title| shortened(title, MAX_PLACE_CHARS))
            .collect();
        for (place, title) in titles.iter().copied().enumerate() {
            let mut of_form = Vec::new();
            let is_there = parts.clone().any(|(known, ..)| known == title);
            while is_there && let Some((known, _, notes)) = parts.next() {
                if known == title {
                    of_form = notes;
                    break;
                }
                others.extend(notes);
            }
            // A reader may begin a form again for its second part.
            let is_last = !titles.iter().skip(place + 1).any(|other| *other == title);
            while is_last && let Some((_, _, notes)) = parts.next_if(|(known, ..)| *known == title)
            {
                of_form.extend(notes);
            }
            divided.push(of_form);
        }
        others.extend(parts.flat_map(|(_, _, notes)| notes));
        (divided, others)
    }

    /// Adds a note about a place of the form.
    pub fn note(&mut self, code: &'static str, place: &str, message: &str) {
        if self.notes.len() < MAX_REPORT {
            let place = shortened(place, MAX_PLACE_CHARS);
            self.notes.push(Note {
                code: code.to_owned(),
                message: shortened(message, MAX_MESSAGE_CHARS).to_owned(),
                place: match self.form.as_str() {
                    "" => place.to_owned(),
                    form if place.is_empty() => form.to_owned(),
                    form => [form, ": ", place].concat(),
                },
            });
        }
    }

    /// Adds the remark with this name, with `about` in place of `{}`. The note's code is the part of the name before
    /// the slash.
    pub(super) fn remark(&mut self, remark: &'static str, place: &str, about: &str) {
        let code = remark.split('/').next().unwrap_or(remark);
        self.lost_conditions += usize::from(code == "condition");
        let words = match text(&REMARKS, remark) {
            "" => code,
            words => words,
        };
        self.note(code, place, &words.replacen("{}", about, 1));
    }

    /// Returns whether conditions were left out since there were `before` of them. Then the action at `place` must be
    /// off, and that is reported.
    pub(super) fn is_condition_lost(&mut self, before: usize, place: &str) -> bool {
        let is_lost = self.lost_conditions > before;
        if is_lost {
            self.remark_once("notification/off", place, "");
        }
        is_lost
    }

    /// Adds a remark, unless the latest notes include the same note.
    pub(super) fn remark_once(&mut self, remark: &'static str, place: &str, about: &str) {
        let before = self.notes.len();
        self.remark(remark, place, about);
        if self.notes.len() == before {
            return;
        }
        let mut notes = self.notes.iter().rev();
        let last = notes.next();
        if last.is_some() && notes.take(MAX_COMPARED).any(|note| Some(note) == last) {
            self.notes.pop();
        }
    }

    /// Notes each member of a record that is set and unknown. The table `members` lists the known members, which the
    /// reader imports, reports elsewhere or ignores.
    pub(super) fn unknown_members(&mut self, record: &Value, kind: &str, place: &str) {
        let known = counterpart("members", kind).unwrap_or_default();
        for (name, value) in entries(record) {
            if is_set(value) && !known.split(' ').any(|known| known == name) {
                let between = if place.is_empty() { "" } else { "." };
                self.remark("unknown_setting", &[place, between, name].concat(), "");
            }
        }
    }

    /// Notes the meta of a post that a format's reader does not know. The platform's own meta, and messages, are
    /// ignored.
    pub(super) fn unknown_meta(&mut self, meta: &Value, kind: &str) {
        let of_platform = ["_edit_", "_wp_", "hf_message_", "cf_message_"];
        let is_other = |name: &str| !of_platform.iter().any(|prefix| name.starts_with(prefix));
        let others = entries(meta).into_iter().filter(|(name, _)| is_other(name));
        let others: Map<String, Value> = others
            .map(|(name, value)| (name.to_owned(), value.clone()))
            .collect();
        self.unknown_members(&Value::Object(others), kind, "");
    }

    /// The class for a field's width, in percent or as a word; a width without a class is noted.
    pub(super) fn width_class(&mut self, width: &str, place: &str) -> &'static str {
        let whole = width.split('.').next().unwrap_or_default();
        let class = counterpart("widths", whole);
        if class.is_none() && !matches!(whole, "" | "0") {
            self.remark("unknown_setting", place, "");
        }
        class.unwrap_or_default()
    }

    /// Truncates a list to `max` items, and notes the excess with a code such as `too_many_forms`.
    pub fn keep_first<T>(&mut self, list: &mut Vec<T>, max: usize, code: &'static str) {
        self.note_excess(list.len(), max, code);
        list.truncate(max);
    }

    /// Keeps the first submissions of a file.
    pub(super) fn keep_first_submissions<T>(&mut self, list: &mut Vec<T>) {
        let max = if self.is_of_large_file {
            MAX_LARGE
        } else {
            crate::MAX_SUBMISSIONS
        };
        self.keep_first(list, max, "too_many_submissions");
    }

    /// Notes that `count` exceeds `max`, with a code such as `too_many_forms`.
    pub(super) fn note_excess(&mut self, count: usize, max: usize, code: &'static str) {
        if count > max {
            let noun = code.trim_start_matches("too_many_");
            let message = format!("Of {count} {noun}, only the first {max} are imported.");
            self.note(code, noun, &message);
        }
    }

    /// Adds notes of another report.
    pub(super) fn add(&mut self, notes: Vec<Note>) {
        self.notes.extend(notes);
    }

    /// Returns the notes.
    pub fn into_notes(self) -> Vec<Note> {
        self.notes
    }
}
