//! Editing one field in the author's HTML (contract, section 3): every byte outside the tags and texts
//! that are edited stays.
//!
//! After each edit the document is read again and must be the schema that is wanted; else nothing is
//! edited, and the caller is told why.

mod delete;
mod insert;
mod outline;
mod refusal;
mod update;

use std::ops::Range;

use self::outline::{Element, Outline};
pub use self::refusal::NotPatched;
use self::refusal::{OTHERS_CHANGE, Reason, expect};
use super::conditions;
use super::html::edits::Edits;
use super::html::place;
use super::html::tag::Tag;
use super::read::{Place, Read, parse, read};
use super::render::{RenderOptions, render};
use model::edit::delete_field;
use model::{Field, FormSchema};

const NOT_READ: Reason = Reason::of("", "there is too much markup");
const NO_ELEMENT: Reason = Reason::of("", "the markup has no element for it alone");

/// The control or option of a choice, and where the texts that name it stand.
type Choice = (Element, Vec<Range<usize>>);

/// An edit of one field.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// Other members for a field: as it is, and as it is to be.
    Update(&'f Field, &'f Field),
    /// A field goes.
    Remove(&'f Field),
}

/// HTML in which an edit is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// The HTML.
    pub markup: String,
    /// What it reads as.
    pub schema: FormSchema,
}

/// The HTML with the edit made. `wanted` is what it is to read as.
///
/// # Errors
///
/// [`NotPatched`] says which member of which field cannot be said in place, and why.
pub fn patched(html: &str, change: Change<'_>, wanted: &FormSchema) -> Result<Patched, NotPatched> {
    let (done, from, to) = match change {
        Change::Update(from, to) => ("edited", from, to),
        Change::Remove(field) => ("deleted", field, field),
    };
    let edit = || {
        let mut editor = Editor::of(html, &from.name)?;
        match change {
            Change::Update(from, to) => editor.update(from, to)?,
            Change::Remove(field) => editor.delete(field)?,
        }
        let patched = editor.finished()?;
        expect(wanted, &patched.schema, &to.name)?;
        Ok(patched)
    };
    edit().map_err(|reason: Reason| reason.told(done, from))
}

/// The HTML with a new field: at a position, or else before the button that sends; with a `group`, at the
/// end of the step or fieldset of that name. Every byte that was there stays.
///
/// # Errors
///
/// [`NotPatched`] says why there is no place for it.
pub fn added(html: &str, field: &Field, position: Option<usize>) -> Result<Patched, NotPatched> {
    let add = || {
        let mut editor = Editor::of(html, "")?;
        let before = editor.read.schema.clone();
        editor.insert(field, position)?;
        let patched = editor.finished()?;
        let without = delete_field(&patched.schema, &field.name, false);
        let (without, found) = without.map_err(|_| OTHERS_CHANGE)?;
        expect(&before, &without, &field.name)?;
        // The button that sends may stay behind all fields.
        let asked = position.filter(|position| *position < before.fields.len());
        let wanted = Field {
            position: asked.map_or(found.position, place),
            group: field.group.clone().or_else(|| found.group.clone()),
            ..field.clone()
        };
        let alone = |field| FormSchema::of(vec![field]);
        expect(&alone(wanted), &alone(found), &field.name)?;
        Ok(patched)
    };
    add().map_err(|reason: Reason| reason.told("added", field))
}

/// A document, what it reads as, and the edits to be made in it.
struct Editor<'a> {
    html: &'a str,
    read: Read<'a>,
    outline: Outline<'a>,
    /// Where the field stands.
    place: Place,
    edits: Edits,
}

impl<'a> Editor<'a> {
    fn of(html: &'a str, name: &str) -> Result<Editor<'a>, Reason> {
        let read = read(html).map_err(|_| NOT_READ)?;
        let mut places = read.schema.fields.iter().zip(&read.places);
        let place = places.find(|(field, _)| field.name == name);
        Ok(Editor {
            html,
            place: place.map_or_else(Place::default, |(_, place)| place.clone()),
            outline: Outline::of(html),
            edits: Edits::default(),
            read,
        })
    }

    /// The markup with the edits made, and what it reads as.
    fn finished(self) -> Result<Patched, Reason> {
        let markup = self.edits.apply(self.html);
        let schema = parse(&markup).map_err(|_| NOT_READ)?.schema;
        Ok(Patched { markup, schema })
    }

    /// The element that the field begins with: its control, fieldset or text.
    fn element(&self) -> Result<Element, Reason> {
        self.outline.at(self.place.offset).ok_or(NO_ELEMENT)
    }

    /// The controls of all choices of a field.
    fn choices(&self, field: &str) -> Vec<Choice> {
        let own = self.read.choice_labels.iter().filter_map(|(at, label)| {
            let element = self.outline.at(*at)?;
            let name = self.outline.attribute(&element, "name")?;
            let is_own = name.strip_suffix("[]").unwrap_or(&name) == field;
            is_own.then(|| (element, self.read.texts.spans(label.clone(), true)))
        });
        own.collect()
    }

    /// The largest element around some bytes that holds no other field.
    fn wrapper(&self, bytes: &Range<usize>) -> Option<Element> {
        let holds_others = |element: &Element| {
            let places = self.read.places.iter().map(|place| &place.offset);
            let mut all = places.chain(self.read.choice_labels.iter().map(|(at, _)| at));
            let is_other = |at| element.span().contains(&at) && !bytes.contains(&at);
            all.any(|at| is_other(*at as usize))
        };
        let around = self.outline.around(bytes.clone());
        let own = around.take_while(|element| !self.is_outer(element) && !holds_others(element));
        own.last()
    }

    /// Whether an element is there for the form, or a step of it, and not for one field.
    fn is_outer(&self, element: &Element) -> bool {
        let has = |name| self.outline.attribute(element, name).is_some();
        let is_whole = matches!(element.name, Tag::Form | Tag::Body | Tag::Html | Tag::Main);
        is_whole || has("data-step") || has("data-layout")
    }

    /// Gives the conditions about a field its new name, or takes them away where it has none.
    fn rename_in_conditions(&mut self, from: &str, to: Option<&str>) {
        for element in &self.outline.elements {
            for name in ["data-show-if", "data-hide-if"] {
                let written = self.outline.attribute(element, name);
                let own = written.filter(|written| conditions::subject(written) == from);
                if let Some(written) = own {
                    let to = to.map(|to| written.replacen(from, to, 1));
                    self.edits.set_attribute(element.start, name, to.as_deref());
                }
            }
        }
    }

    fn set(&mut self, element: &Element, name: &str, value: Option<&str>) {
        self.edits.set_attribute(element.start, name, value);
    }
}

/// A field's HTML as rendering writes it, without the element around all fields; with that of its group,
/// if asked.
fn rendered(field: &Field, with_group: bool) -> String {
    let alone = Field {
        group: field.group.clone().filter(|_| with_group),
        ..field.clone()
    };
    let html = render(&FormSchema::of(vec![alone]), &RenderOptions::default());
    let own = html.split_once(">\n").map_or("", |(_, own)| own);
    own.strip_suffix("\n</div>\n")
        .unwrap_or_default()
        .to_owned()
}
