//! Shows in a form's HTML how many seats options have left, and disables options without a free seat. Every other byte
//! stays unchanged.

use std::ops::Range;

use super::escape::escaped;
use super::html::edits::Edits;
use super::html::entities::decode_text;
use super::html::tag::Tag;
use super::html::tokens::StartTag;
use super::html::tree::{self, TreeSink};
use model::collapse;
use model::logic::input::field_name;

/// The seats of one option.
#[derive(Clone, Debug, Default)]
pub struct SeatNote {
    /// The name of the field.
    pub field: String,
    /// The value of the option.
    pub option: String,
    /// Whether no seat is left.
    pub is_full: bool,
    /// The text to show after the option's label.
    pub text: String,
}

/// Adds the notes to the options.
pub fn with_seats(html: &str, notes: &[SeatNote]) -> String {
    if notes.is_empty() {
        return html.to_owned();
    }
    // The reader skips the contents of templates, which the script copies as rows, so each template is read separately.
    let parts = html.split("<template>").map(|part| {
        let pieces = part.split("</template>");
        let pieces: Vec<String> = pieces.map(|piece| noted(piece, notes)).collect();
        pieces.join("</template>")
    });
    parts.collect::<Vec<_>>().join("<template>")
}

/// Adds the notes to the options of HTML without templates.
fn noted(html: &str, notes: &[SeatNote]) -> String {
    let mut writer = Writer {
        notes,
        ..Writer::default()
    };
    tree::read(html, &mut writer);
    for (id, note) in &writer.inputs {
        let mut labels = writer.labels.iter();
        let label = labels.find(|(label, _)| label == id);
        if let Some((_, end)) = label.filter(|_| !id.is_empty()) {
            let text = format!(" <span class=\"cf-seats\">{}</span>", escaped(&note.text));
            writer.edits.replace(*end..*end, text);
        }
    }
    writer.edits.apply(html)
}

/// An open element.
#[derive(Default)]
struct Node {
    /// The number of inputs before the element, if it is a label.
    inputs: Option<usize>,
    /// The id that a label is for.
    label_for: String,
    /// The start of an option, and its value.
    option: Option<(usize, Option<String>)>,
    is_select: bool,
}

#[derive(Default)]
struct Writer<'n> {
    notes: &'n [SeatNote],
    edits: Edits,
    open: Vec<Node>,
    /// The field of the select around options.
    select: String,
    text: String,
    /// The ids of inputs with a note. A placeholder replaces the id of an input inside a label.
    inputs: Vec<(String, &'n SeatNote)>,
    /// The ids that labels refer to, with the ends of these labels.
    labels: Vec<(String, usize)>,
    position: usize,
}

impl<'n> Writer<'n> {
    fn note(&self, field: &str, option: &str) -> Option<&'n SeatNote> {
        // The name of an input in a row ends with the column's name.
        let column = field.rsplit_once("][").map_or(field, |(_, name)| name);
        let column = column.trim_end_matches(']');
        let mut notes = self.notes.iter();
        notes.find(|note| [field, column].contains(&&*note.field) && note.option == option)
    }

    fn input(&mut self, tag: &StartTag<'_, '_>) {
        let name = tag.value_of("name").unwrap_or_default();
        let value = tag.value_of("value").unwrap_or_default();
        let Some(note) = self.note(&field_name(&name), &value) else {
            return;
        };
        let kind = tag.raw_value("type");
        if !kind.eq_ignore_ascii_case("radio") && !kind.eq_ignore_ascii_case("checkbox") {
            return;
        }
        if note.is_full {
            self.edits
                .set_attribute(tag.span.start, "disabled", Some(""));
        }
        let id = tag.value_of("id").unwrap_or_default().into_owned();
        self.inputs.push((id, note));
    }
}

impl<'a> TreeSink<'a> for Writer<'_> {
    fn open(&mut self, tag: &StartTag<'a, '_>) {
        self.position = tag.span.end;
        let mut node = Node::default();
        match tag.tag {
            Tag::Input => self.input(tag),
            Tag::Select => {
                let name = tag.value_of("name").unwrap_or_default();
                self.select = field_name(&name).into_owned();
                node.is_select = true;
            }
            Tag::Option => {
                let value = tag.value_of("value").map(|value| value.into_owned());
                node.option = Some((tag.span.start, value));
                self.text.clear();
            }
            Tag::Label => {
                node.inputs = Some(self.inputs.len());
                node.label_for = tag.value_of("for").unwrap_or_default().into_owned();
            }
            _ => {}
        }
        self.open.push(node);
    }

    fn close(&mut self, _tag: Tag, end_tag: Option<Range<usize>>) {
        let end = end_tag
            .as_ref()
            .map_or(self.position, |end_tag| end_tag.start);
        self.position = end_tag.map_or(self.position, |end_tag| end_tag.end);
        let Some(node) = self.open.pop() else { return };
        if node.is_select {
            self.select.clear();
        }
        if let Some((start, value)) = node.option {
            let value = value.unwrap_or_else(|| collapse(&decode_text(&self.text)));
            if let Some(note) = self.note(&self.select, &value) {
                if note.is_full {
                    self.edits.set_attribute(start, "disabled", Some(""));
                }
                self.edits
                    .replace(end..end, [" ", &escaped(&note.text)].concat());
            }
        }
        if let Some(before) = node.inputs {
            let within = self.inputs.get_mut(before..).unwrap_or_default();
            match within.first_mut() {
                Some((id, _)) => {
                    // The label around an input takes precedence over labels that refer to its id.
                    *id = format!("\n{before}");
                    self.labels.push((id.clone(), end));
                }
                None => self.labels.push((node.label_for, end)),
            }
        }
    }

    fn text(&mut self, raw: &'a str, span: Range<usize>) {
        self.position = span.end;
        self.text.push_str(raw);
    }
}
