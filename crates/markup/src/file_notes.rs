//! Adds notes to the file fields in a form's HTML, for visitors without script: the limits, and the files already
//! stored. Every other byte stays unchanged.

use std::collections::BTreeSet;
use std::ops::Range;

use super::html::edits::Edits;
use super::html::tag::Tag;
use super::html::tokens::StartTag;
use super::html::tree::{self, TreeSink};
use model::FieldType;
use model::escape;
use model::logic::input::field_name;
use model::markers;
use model::one_control::input_kind;

/// The notes on one file field.
#[derive(Clone, Debug, Default)]
pub struct FileNote {
    /// The name of the field.
    pub field: String,
    /// The id of the element with the limits.
    pub id: String,
    /// The limits as visitors read them; empty for no limits.
    pub limits: String,
    /// The stored files.
    pub kept: Vec<KeptRow>,
}

/// A stored file that the form sends again by its token.
#[derive(Clone, Debug, Default)]
pub struct KeptRow {
    /// The name of the file.
    pub name: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The size as visitors read it.
    pub size: String,
    /// The token of the file.
    pub token: String,
    /// The visible label of the box that removes the file.
    pub remove: String,
    /// The label of this box for screen readers, which names the file.
    pub remove_this: String,
    /// The attribute `name` of this box.
    pub remove_name: &'static str,
}

/// Adds the notes to the first control of each file field. A required field with stored files no longer requires a new
/// file.
pub fn with_file_notes(html: &str, notes: &[FileNote]) -> String {
    if notes.is_empty() {
        return html.to_owned();
    }
    let mut writer = Writer {
        notes,
        edits: Edits::default(),
        written: BTreeSet::new(),
        after_label: String::new(),
        open: Vec::new(),
        labels: 0,
        position: 0,
    };
    tree::read(html, &mut writer);
    let (rest, end) = (std::mem::take(&mut writer.after_label), html.len());
    writer.edits.replace(end..end, rest);
    writer.edits.apply(html)
}

struct Writer<'n> {
    notes: &'n [FileNote],
    edits: Edits,
    /// The fields whose notes are already written.
    written: BTreeSet<&'n str>,
    /// The notes to write after the open label. Inside the label, they would become part of the control's accessible
    /// name.
    after_label: String,
    /// Whether each open element is a label.
    open: Vec<bool>,
    labels: usize,
    /// The end of the last tag or text.
    position: usize,
}

impl Writer<'_> {
    fn control(&mut self, tag: &StartTag<'_, '_>) {
        let written = tag.value_of("name");
        let written = written.as_deref().unwrap_or_default();
        let name = field_name(written);
        let Some(note) = self.notes.iter().find(|note| note.field == *name) else {
            return;
        };
        if input_kind(tag.raw_value("type")) != Some(FieldType::File) {
            return;
        }
        let start = tag.span.start;
        if !note.kept.is_empty() {
            self.edits.set_attribute(start, "required", None);
        }
        if !note.limits.is_empty() {
            let before = tag.attribute("aria-describedby");
            let ids = match before.map(|ids| ids.value()) {
                Some(ids) if !ids.trim().is_empty() => format!("{ids} {}", note.id),
                _ => note.id.clone(),
            };
            self.edits
                .set_attribute(start, "aria-describedby", Some(&ids));
        }
        if !self.written.insert(&note.field) {
            return;
        }
        let limits = limits(note);
        let kept = kept(note, written);
        if self.labels > 0 {
            self.after_label += &(limits + &kept);
        } else {
            self.edits.replace(start..start, limits);
            self.edits.replace(tag.span.end..tag.span.end, kept);
        }
    }
}

impl<'a> TreeSink<'a> for Writer<'_> {
    fn open(&mut self, tag: &StartTag<'a, '_>) {
        self.position = tag.span.end;
        let is_label = tag.tag == Tag::Label;
        self.labels += usize::from(is_label);
        self.open.push(is_label);
        if tag.tag == Tag::Input {
            self.control(tag);
        }
    }

    fn close(&mut self, _tag: Tag, end_tag: Option<Range<usize>>) {
        self.position = end_tag.map_or(self.position, |end_tag| end_tag.end);
        if self.open.pop() != Some(true) {
            return;
        }
        self.labels -= 1;
        if self.labels == 0 {
            let text = std::mem::take(&mut self.after_label);
            self.edits.replace(self.position..self.position, text);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.position = span.end;
    }
}

/// The HTML for the limits of a field. It is phrasing content, which is valid wherever a control is.
fn limits(note: &FileNote) -> String {
    let mut html = String::new();
    if !note.limits.is_empty() {
        html.push_str("<span");
        let class = format!("{} cf-limits", markers::DESCRIPTION_CLASS);
        escape::attribute(&mut html, "class", &class);
        escape::attribute(&mut html, "id", &note.id);
        html.push('>');
        escape::text(&mut html, &note.limits);
        html.push_str("</span>");
    }
    html
}

/// The HTML for the stored files of a field, each with its token and a box that removes it.
fn kept(note: &FileNote, name: &str) -> String {
    let mut html = String::new();
    if note.kept.is_empty() {
        return html;
    }
    html.push_str("<span class=\"cf-files\" role=\"list\">");
    for file in &note.kept {
        html.push_str("<span class=\"cf-file\" role=\"listitem\"");
        escape::attribute(&mut html, "data-size", &file.bytes.to_string());
        html.push_str("><input type=\"hidden\"");
        escape::attribute(&mut html, "name", name);
        escape::attribute(&mut html, "value", &file.token);
        html.push_str("><span class=\"cf-file-name\">");
        escape::text(&mut html, &file.name);
        html.push_str("</span> <span class=\"cf-file-state\">");
        escape::text(&mut html, &file.size);
        html.push_str("</span> <label><input type=\"checkbox\"");
        escape::attribute(&mut html, "name", file.remove_name);
        escape::attribute(&mut html, "value", &file.token);
        escape::attribute(&mut html, "aria-label", &file.remove_this);
        html.push_str("> ");
        escape::text(&mut html, &file.remove);
        html.push_str("</label></span>");
    }
    html.push_str("</span>");
    html
}
