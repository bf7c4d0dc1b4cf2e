//! Help text for a control that has none.

use std::ops::Range;

use super::Patch;
use crate::forms::Field;
use crate::markup::html::escape;
use crate::markup::ids::ids;

impl Patch<'_> {
    /// Writes help text behind a control and the label around or behind it. The control names it by
    /// `aria-describedby` if it names no other, and has an id or name that an id can be made of.
    pub(super) fn add_help(&mut self, control: usize, from: &Field, to: &Field) {
        if from.description == to.description {
            return;
        }
        let mut text = String::new();
        escape::text(&mut text, &to.description);
        let at = self.behind_label(control).end;
        match self.help_id(control, to) {
            Some(id) => {
                self.set(control, "aria-describedby", Some(&id));
                self.edits
                    .insert(at, format!(" <small id=\"{id}\">{text}</small>"));
            }
            None => self.edits.insert(at, format!(" <small>{text}</small>")),
        }
    }

    /// An id for the help text of a control, which nothing in the document has.
    fn help_id(&self, control: usize, field: &Field) -> Option<String> {
        if self.outline.value(control, "aria-describedby").is_some() {
            return None;
        }
        let own = self.outline.value(control, "id");
        let own = own.unwrap_or_else(|| field.name.as_str().into());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let id = format!("{own}-help");
        (!own.is_empty() && own.bytes().all(is_plain) && !ids(self.html).contains(&id))
            .then_some(id)
    }

    /// The bytes of a control with the label around it alone, or else to the end of the text behind it
    /// that names it.
    fn behind_label(&self, control: usize) -> Range<usize> {
        let elements = &self.outline.elements;
        let Some(element) = elements.get(control) else {
            return 0..0;
        };
        let own = element.span();
        if let Some(label) = self.label_around(&own) {
            let label_at = self.outline.at(label.start);
            if label_at.is_some_and(|label| self.holds_only(label, &[control])) {
                return label;
            }
        }
        let texts = self.texts_at(&self.place.label, false);
        let behind = texts.last().filter(|text| text.start >= own.end);
        let Some(text) = behind.cloned() else {
            return own;
        };
        let label = self.label_around(&text).unwrap_or(text);
        let mut around = self.outline.around(&label);
        let parent = around.find(|holder| elements.get(*holder).is_some_and(|e| e.span() != label));
        match parent == element.around() {
            true => own.start..label.end,
            false => own,
        }
    }
}
