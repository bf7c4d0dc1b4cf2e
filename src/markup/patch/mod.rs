//! Editing one field in the author's HTML (contract, section 3): only the bytes that say the field
//! change, which are its control's attributes and content, the text that names it, its options and its
//! help text. What cannot be said so is not done at all: an edit counts only when the changed HTML
//! reads as the schema that is wanted, with every other field as it was.

mod control;
mod holders;
mod options;
mod outline;
mod remove;
mod sets;
mod tag;
mod texts;
mod why;

use self::outline::Outline;
pub use self::why::NotPatched;
use self::why::Why;
use super::html::edits::Edits;
use super::read::{Place, Read, parse, read};
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

impl Change<'_> {
    /// The field as it is in the markup.
    const fn field(&self) -> &Field {
        match self {
            Change::Add(field) | Change::Update(field, _) | Change::Remove(field) => field,
        }
    }
}

/// The HTML with the edit made, if it can be made by changing the field's own bytes alone. `wanted` is
/// what it is to read as.
///
/// # Errors
///
/// [`NotPatched`] says which member of which field cannot be said in place, and why.
pub fn patched(html: &str, change: Change<'_>, wanted: &FormSchema) -> Result<String, NotPatched> {
    let field = change.field();
    let refused = |why: Why| NotPatched::of(field, why);
    let read = read(html).map_err(|_| refused(why::NOT_READ))?;
    let place = read
        .schema
        .fields
        .iter()
        .zip(&read.places)
        .find_map(|(known, place)| (known.name == field.name).then(|| place.clone()));
    let mut patch = Patch {
        html,
        place: place.unwrap_or_default(),
        read,
        outline: Outline::of(html),
        edits: Edits::default(),
    };
    match change {
        Change::Add(field) => patch.add(field),
        Change::Update(from, to) => patch.update(from, to).map_err(refused)?,
        Change::Remove(field) => patch.remove(field).map_err(refused)?,
    }
    let patched = patch.edits.apply(html);
    let found = parse(&patched).map_err(|_| refused(why::NOT_READ))?.schema;
    match why::difference(wanted, &found, field) {
        Some(difference) => Err(difference),
        None => Ok(patched),
    }
}

/// The edits of one change.
struct Patch<'a> {
    html: &'a str,
    read: Read<'a>,
    /// Where the field stands.
    place: Place,
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

    fn update(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        if from.position != to.position {
            return Err(Why("position", "nothing is moved in the markup"));
        }
        if from.group != to.group {
            return Err(Why("group", "nothing is moved in the markup"));
        }
        match is_set(from) {
            true => self.update_set(from, to),
            false => self.update_control(self.control()?, from, to),
        }
    }

    /// The field's one control.
    fn control(&self) -> Result<usize, Why> {
        let offset = self.place.offset as usize;
        self.outline.control_at(offset).ok_or(why::NO_CONTROL)
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
