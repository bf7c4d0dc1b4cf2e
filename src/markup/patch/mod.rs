//! Editing one field in the author's HTML (contract, section 3): only the bytes that say the field
//! change, which are its control's attributes and content, its label's text, its options and its help
//! text. What cannot be said so is not done at all: an edit counts only when the changed HTML reads as
//! the schema that is wanted, with every other field as it was.

mod control;
mod options;
mod outline;
mod sets;
mod tag;
mod texts;

use self::outline::Outline;
use super::html::edits::Edits;
use super::read::{Parsed, parse};
use super::render::{RenderOptions, render};
use crate::forms::{Field, FieldType, FormSchema};

/// An edit of one field.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// A new field, behind all others.
    Add(&'f Field),
    /// Other members for a field: as it is, and as it is to be.
    Update(&'f Field, &'f Field),
    /// A field goes.
    Remove(&'f Field),
}

/// The HTML with the edit made, if it can be made by changing the field's own bytes alone. `parsed` is
/// what the HTML reads as, `wanted` what it is to read as.
pub fn patched(
    html: &str,
    parsed: &Parsed,
    change: Change<'_>,
    wanted: &FormSchema,
) -> Option<String> {
    let mut patch = Patch {
        html,
        outline: Outline::of(html),
        edits: Edits::default(),
    };
    let places = super::read::read(html).ok()?.places;
    let offset_of = |field: &Field| {
        let place = parsed
            .schema
            .fields
            .iter()
            .position(|f| f.name == field.name);
        places.get(place?).map(|place| place.offset as usize)
    };
    match change {
        Change::Add(field) => patch.add(field),
        Change::Update(from, to) => patch.update(offset_of(from)?, from, to)?,
        Change::Remove(field) => patch.remove(offset_of(field)?, field)?,
    }
    let patched = patch.edits.apply(html);
    let read = parse(&patched).ok()?;
    (read.schema == *wanted).then_some(patched)
}

/// The edits of one change.
struct Patch<'a> {
    html: &'a str,
    outline: Outline<'a>,
    edits: Edits,
}

impl Patch<'_> {
    /// Puts a field behind all others: at the end of the form, or of the markup.
    fn add(&mut self, field: &Field) {
        let schema = FormSchema::of(vec![field.clone()]);
        let page = render(&schema, &RenderOptions::default());
        // Without the element around the fields, which speaks for the whole form.
        let inner = page
            .split_once('\n')
            .and_then(|(_, rest)| rest.strip_suffix("</div>\n"))
            .unwrap_or_default();
        let at = self.outline.form_end.unwrap_or(self.html.len());
        self.edits.insert(at, inner.to_owned());
    }

    fn update(&mut self, offset: usize, from: &Field, to: &Field) -> Option<()> {
        if from.position != to.position || from.group != to.group {
            return None;
        }
        match is_set(from) {
            true => self.update_set(from, to),
            false => self.update_control(self.outline.control_at(offset)?, from, to),
        }
    }

    /// Takes a field's elements away: its controls, their labels and its help text, or the fieldset
    /// that holds nothing else.
    fn remove(&mut self, offset: usize, field: &Field) -> Option<()> {
        let controls = match is_set(field) {
            true => self.set_of(field)?,
            false => vec![self.outline.control_at(offset)?],
        };
        if let Some(fieldset) = self.fieldset_of(&controls) {
            self.cut(fieldset);
            return Some(());
        }
        for control in controls {
            let help = self.help_of(control);
            let own = [self.outline.label_of(control), help, Some(control)];
            for element in own.into_iter().flatten() {
                self.cut(element);
            }
        }
        Some(())
    }

    fn cut(&mut self, element: usize) {
        if let Some(element) = self.outline.elements.get(element) {
            self.edits.replace(element.span.clone(), String::new());
        }
    }
}

/// Whether a field is a set of radios or checkboxes.
fn is_set(field: &Field) -> bool {
    match field.kind {
        FieldType::Radio => true,
        FieldType::Checkbox => !field.options.is_empty(),
        _ => false,
    }
}
