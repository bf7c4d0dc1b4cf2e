//! Collects the links to visitors' files, because other products export files as links.

use serde_json::{Map, Value};

use crate::submissions::MAX_NOTE_CHARS;
use crate::values::{is_set, put, shortened, values};
use crate::{Options, SubmissionDraft};

/// The maximum number of links that are collected for one submission.
const MAX_LINKS: usize = 20;

/// The longest link, in characters.
const MAX_LINK_CHARS: usize = 2_000;

/// The links of a submission.
#[derive(Default)]
pub struct Links {
    /// Pairs of a field's name and a link.
    found: Vec<(String, String)>,
    /// Whether an answer has a value from which no link was collected.
    has_lost: bool,
}

/// Counts of submissions.
#[derive(Clone, Copy, Default)]
pub struct Files {
    /// Submissions with links to files.
    pub linked: usize,
    /// Submissions with an answer from which no link was collected. The export has no link, or the link is too long or
    /// beyond `MAX_LINKS`.
    pub lost: usize,
}

impl Links {
    /// Adds the links in an answer.
    pub fn add(&mut self, field: &str, value: &Value) {
        let before = self.found.len();
        add(&mut self.found, field, value);
        self.has_lost |= self.found.len() == before && is_set(value);
    }

    /// Stores the links of a submission: as files if the host fetches them, or else in its note.
    pub fn keep(self, draft: &mut SubmissionDraft, options: &Options, files: &mut Files) {
        files.linked += usize::from(!self.found.is_empty());
        files.lost += usize::from(self.has_lost);
        keep(draft, self.found, options);
    }
}

/// Adds the links in an answer, which is a text with links, a list, or an object.
fn add(links: &mut Vec<(String, String)>, field: &str, value: &Value) {
    match value {
        Value::String(text) => {
            let ends =
                |c: char| c.is_whitespace() || matches!(c, '"' | '|' | ';' | '<' | '>' | '[' | ']');
            for word in text
                .replace(",http", " http")
                .replace("\\/", "/")
                .split(ends)
            {
                let link = word.trim_end_matches(',');
                let is_link = link.starts_with("https://") || link.starts_with("http://");
                if is_link && links.len() < MAX_LINKS && link.chars().nth(MAX_LINK_CHARS).is_none()
                {
                    links.push((field.to_owned(), link.to_owned()));
                }
            }
        }
        Value::Array(_) | Value::Object(_) => {
            for item in values(value) {
                add(links, field, item);
            }
        }
        _ => {}
    }
}

fn keep(draft: &mut SubmissionDraft, links: Vec<(String, String)>, options: &Options) {
    if links.is_empty() {
        return;
    }
    if options.fetches_files {
        let files = links.into_iter().map(|(field, url)| {
            let mut file = Map::new();
            put(&mut file, "field", field.into());
            put(&mut file, "url", url.into());
            Value::Object(file)
        });
        draft.files = files.collect();
        return;
    }
    for (field, url) in links {
        let line = if draft.note.is_empty() { "" } else { "\n" };
        draft.note += &[line, &field, ": ", &url].concat();
    }
    draft.note = shortened(&draft.note, MAX_NOTE_CHARS).to_owned();
}
