//! Editing one field in the author's HTML (contract, section 3): only the bytes that say the field
//! change, which are its control's attributes and content, the text that names it, its options and its
//! help text. What cannot be said so is not done at all: an edit counts only when the changed HTML
//! reads as the schema that is wanted, with every other field as it was.

mod add;
mod addons;
mod alike;
mod belongings;
mod control;
mod emptied;
mod gone;
mod help;
mod holders;
mod mentions;
mod options;
mod outline;
mod place;
mod plain;
mod references;
mod remove;
mod required;
mod rows;
mod sets;
mod spots;
mod structure;
mod tag;
mod texts;
mod why;

use std::collections::BTreeSet;
use std::ops::Range;

use self::outline::Outline;
pub use self::why::NotPatched;
use self::why::Why;
use super::html::edits::Edits;
use super::read::{Place, Read, parse, read};
use model::ordered::Gather;
use model::{Field, FieldType, FormSchema};

/// An edit of one field.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// Other members for a field: as it is, and as it is to be.
    Update(&'f Field, &'f Field),
    /// A field goes.
    Remove(&'f Field),
}

impl Change<'_> {
    /// The field as it is in the markup.
    const fn field(&self) -> &Field {
        match self {
            Change::Update(field, _) | Change::Remove(field) => field,
        }
    }
}

/// HTML in which an edit is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// The HTML.
    pub markup: String,
    /// What it reads as.
    pub schema: FormSchema,
}

/// The HTML with the edit made, if it can be made by changing the field's own bytes alone. `wanted` is
/// what it is to read as.
///
/// # Errors
///
/// [`NotPatched`] says which member of which field cannot be said in place, and why.
pub fn patched(html: &str, change: Change<'_>, wanted: &FormSchema) -> Result<Patched, NotPatched> {
    let field = change.field();
    let refused = |why: Why| NotPatched::of(field, why);
    let mut patch = Patch::of(html).map_err(refused)?;
    let places = patch.read.schema.fields.iter().zip(&patch.read.places);
    let mut places = places.filter(|(known, _)| known.name == field.name);
    patch.place = places
        .next()
        .map(|(_, place)| place.clone())
        .unwrap_or_default();
    match change {
        Change::Update(from, to) => {
            let updated = patch.updated(from, to, wanted);
            if updated.is_ok() || from.description.is_empty() || !to.description.is_empty() {
                return updated;
            }
            // Where the rest would be read otherwise without the element of the help, it stays.
            patch.keeps_emptied = true;
            patch.edits = Edits::default();
            patch.updated(from, to, wanted)
        }
        Change::Remove(field) => {
            let removed = patch.removed(field, wanted);
            removed.map_err(|why| why.when("deleted"))
        }
    }
}

/// The HTML with a new field: at a position, or else last of those that ask for an answer (in its
/// `group`, if it has one), before the button that sends. Every byte that was there stays. A field that
/// asks for no group gets that of its place.
///
/// # Errors
///
/// [`NotPatched`] says why there is no place for it.
pub fn added(html: &str, field: &Field, position: Option<usize>) -> Result<Patched, NotPatched> {
    let patch = Patch::of(html).map_err(|why| NotPatched::of(field, why));
    let added = patch.and_then(|mut patch| patch.add(field, position));
    added.map_err(|why| why.when("added"))
}

/// The edits of one change.
struct Patch<'a> {
    html: &'a str,
    read: Read<'a>,
    /// Where the field stands.
    place: Place,
    /// Where all fields and choices begin, in order.
    offsets: Vec<u32>,
    outline: Outline<'a>,
    edits: Edits,
    /// Whether the element of a help text stays that is cleared.
    keeps_emptied: bool,
    /// The numbers that stand behind an id in the document, of the last one asked for.
    numbers: Option<(String, BTreeSet<usize>)>,
}

impl<'a> Patch<'a> {
    fn of(html: &'a str) -> Result<Patch<'a>, Why> {
        let read = read(html).map_err(|_| why::NOT_READ)?;
        let places = read.places.iter().map(|place| place.offset);
        let choices = read.choice_labels.iter().map(|(offset, _)| *offset);
        let offsets: BTreeSet<u32> = places.chain(choices).gather();
        Ok(Patch {
            html,
            read,
            place: Place::default(),
            offsets: offsets.into_iter().collect(),
            outline: Outline::of(html),
            edits: Edits::default(),
            keeps_emptied: false,
            numbers: None,
        })
    }

    /// The markup with the edits made, if it reads as wanted.
    fn reading_as(
        &mut self,
        wanted: &FormSchema,
        edited: &Field,
        to: Option<&Field>,
    ) -> Result<Patched, NotPatched> {
        let markup = std::mem::take(&mut self.edits).apply(self.html);
        let found = parse(&markup).map_err(|_| NotPatched::of(edited, why::NOT_READ))?;
        match why::difference(wanted, &found.schema, edited, to) {
            Some(difference) => Err(difference),
            None => Ok(Patched {
                markup,
                schema: found.schema,
            }),
        }
    }

    /// The markup with other members for a field.
    fn updated(
        &mut self,
        from: &Field,
        to: &Field,
        wanted: &FormSchema,
    ) -> Result<Patched, NotPatched> {
        if required::is_marked_already(from, to) {
            return self.require_marked(from, to, wanted);
        }
        let refused = |why: Why| NotPatched::of(from, why);
        match self.with_placeholder(from, to) {
            Some(to) => {
                self.update(from, &to).map_err(refused)?;
                self.reading_as(&with(wanted, &to), from, Some(&to))
            }
            None => {
                self.update(from, to).map_err(refused)?;
                self.reading_as(wanted, from, Some(to))
            }
        }
    }

    fn update(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        if from.position != to.position {
            return Err(Why("position", "nothing is moved in the markup"));
        }
        if from.group != to.group {
            return Err(Why("group", "nothing is moved in the markup"));
        }
        let has_options = is_set(to) || to.kind == FieldType::Select;
        if has_options && from.default_value != to.default_value && !has_chosen_options(to) {
            return Err(why::NO_OPTION);
        }
        match from.kind {
            FieldType::Heading
            | FieldType::Paragraph
            | FieldType::Divider
            | FieldType::Fieldset
            | FieldType::Container => self.update_structure(from, to),
            _ if is_set(from) => self.update_set(from, to),
            _ => self.update_control(self.control()?, from, to),
        }?;
        if from.name != to.name {
            self.refer(&from.name, Some(&to.name));
        }
        Ok(())
    }

    /// Where fields and choices begin in those bytes.
    fn offsets_in(&self, bytes: &Range<usize>) -> &[u32] {
        let before = |end: usize| self.offsets.partition_point(|at| (*at as usize) < end);
        let within = self.offsets.get(before(bytes.start)..before(bytes.end));
        within.unwrap_or_default()
    }

    /// The field's one control.
    fn control(&self) -> Result<usize, Why> {
        let offset = self.place.offset as usize;
        self.outline.control_at(offset).ok_or(why::NO_CONTROL)
    }
}

/// A schema with another field in the place of that of its name.
fn with(schema: &FormSchema, field: &Field) -> FormSchema {
    let mut schema = schema.clone();
    let known = schema.fields.iter_mut().find(|f| f.name == field.name);
    if let Some(known) = known {
        known.clone_from(field);
    }
    schema
}

/// Whether a field is a set of radios or checkboxes.
fn is_set(field: &Field) -> bool {
    match field.kind {
        FieldType::Radio => true,
        FieldType::Checkbox => !field.options.is_empty(),
        _ => false,
    }
}

/// Whether all that a field has at first are options of it.
fn has_chosen_options(field: &Field) -> bool {
    let values: BTreeSet<&str> = field.options.iter().map(|o| o.value.as_str()).gather();
    let mut chosen = field.default_value.split('\n');
    field.default_value.is_empty() || chosen.all(|chosen| values.contains(chosen))
}
