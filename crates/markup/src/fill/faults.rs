//! Shows the faults in a visitor's answers: by attributes of a control, and by a message after it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Filler, Filling};
use crate::html::tokens::StartTag;
use crate::markers;
use model::escape;
use model::ordered::Gather;

/// The faults of one form, by the name of the field.
#[derive(Default)]
pub(super) struct Faults<'f> {
    instance: &'f str,
    messages: &'f [(String, String)],
    /// The index of a field's message.
    places: BTreeMap<&'f str, usize>,
    /// The fields whose message is written.
    written: BTreeSet<&'f str>,
}

impl<'f> Faults<'f> {
    /// Collects the faults by field; the first fault of a field counts.
    pub(super) fn of(filling: &Filling<'f>) -> Faults<'f> {
        let faults = filling.faults.iter().enumerate().rev();
        let places = faults.map(|(place, (name, _))| (name.as_str(), place));
        Faults {
            instance: filling.instance,
            messages: filling.faults,
            places: places.gather(),
            written: BTreeSet::new(),
        }
    }

    /// The fault of the control with this name. The parts of a field share the field's fault, but controls in rows do
    /// not share the fault of their repeating group.
    pub(super) fn of_control(&self, name: &str) -> Option<&'f str> {
        let mut field = name;
        loop {
            if let Some((name, _)) = self.places.get_key_value(field) {
                return Some(name);
            }
            let (whole, part) = field.rsplit_once('[')?;
            if part.starts_with(|c: char| c.is_ascii_digit()) && whole.len() + 1 < name.len() {
                return None;
            }
            field = whole;
        }
    }

    /// The fault of a repeating group.
    pub(super) fn of_rows(&self, name: &str) -> Option<&'f str> {
        self.places.get_key_value(name).map(|(name, _)| *name)
    }

    /// The value of `aria-describedby` for a faulty control: the previous value, and the id of the message.
    pub(super) fn marks(&self, tag: &StartTag<'_, '_>, fault: Option<&'f str>) -> Option<String> {
        let id = self.error_id(fault?);
        let before = tag.attribute("aria-describedby");
        Some(match before.map(|ids| ids.value()) {
            Some(ids) if !ids.trim().is_empty() => format!("{ids} {id}"),
            _ => id,
        })
    }

    /// The element with a field's message; `None` if an earlier call returned it.
    pub(super) fn message(&mut self, field: &'f str, is_phrasing: bool) -> Option<String> {
        if !self.written.insert(field) {
            return None;
        }
        let element = if is_phrasing { "span" } else { "p" };
        let mut message = format!("<{element}");
        escape::attribute(&mut message, "class", markers::ERROR_CLASS);
        escape::attribute(&mut message, "id", &self.error_id(field));
        message.push('>');
        let place = self.places.get(field);
        let text = place.and_then(|place| self.messages.get(*place));
        escape::text(&mut message, text.map_or("", |(_, text)| text));
        message.push_str(&format!("</{element}>"));
        Some(message)
    }

    fn error_id(&self, field: &str) -> String {
        markers::id_of(self.instance, field) + "--error"
    }
}

impl<'a> Filler<'a, '_> {
    /// Writes the fault of a repeating group before the button that adds a row.
    pub(super) fn write_fault_of_rows(&mut self, tag: &StartTag<'a, '_>) {
        if let Some(fault) = self.faults.of_rows(tag.raw_value("value")) {
            self.write_message(fault, tag.span.start, false);
        }
    }
}
