//! Edits one field in the author's HTML (contract, section 3): every byte outside the edited tags and texts stays
//! unchanged.
//!
//! After each edit the document is read again and must give the wanted schema. Otherwise nothing is edited, and the
//! caller gets the reason.

mod choices;
mod insert_remove;
pub(crate) mod outline;
mod update;

use std::ops::Range;

use thiserror::Error;

use self::outline::{Element, Outline};
use super::conditions;
use super::html::edits::Edits;
use super::html::place;
use super::html::tag::Tag;
use super::read::{Place, Read, parse, read};
use super::render::{RenderOptions, render};
use model::edit::delete_field;
use model::logic::input::field_name;
use model::{Field, FormSchema, values};

const NOT_READ: Reason = Reason(String::new(), "the markup is too large");
const NO_ELEMENT: Reason = Reason(String::new(), "no element of the markup holds it alone");
const OTHERS_CHANGE: Reason = Reason(
    String::new(),
    "another field or step would be added, removed or changed",
);

/// The control or option element of a choice, and the ranges of its label texts.
type Choice = (Element, Vec<Range<usize>>);

/// An edit of one field.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// Update a field: its old and its new state.
    Update(&'f Field, &'f Field),
    /// Remove a field.
    Remove(&'f Field),
}

/// The edited HTML.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// The HTML.
    pub markup: String,
    /// The schema that reading the HTML gives.
    pub schema: FormSchema,
}

/// The reason why an edit cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotPatched(String);

/// The reason why an edit fails: the member that should change (empty for the whole field), and the obstacle.
#[derive(Debug)]
struct Reason(String, &'static str);

impl Reason {
    fn of(member: &str) -> Reason {
        let reason = match member {
            "type" => "it needs another element",
            "position" | "group" => "fields are not moved in the markup",
            "label" | "description" => "the markup has no single text for it",
            "options" => "the markup cannot hold them",
            _ => "the markup would be read differently",
        };
        Reason(format!("`{member}` of "), reason)
    }

    /// The error message about the field. `done` names the failed edit: `edited`, `added` or `deleted`.
    fn not_patched(self, done: &str, field: &Field) -> NotPatched {
        let (Reason(member, reason), name) = (self, &field.name);
        NotPatched(format!(
            "{member}the field `{name}` cannot be {done} in place: {reason}"
        ))
    }
}

/// Edits HTML so that reading it gives the `wanted` schema.
///
/// # Errors
///
/// [`NotPatched`] says which member of which field cannot be edited in place, and why.
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
        let found = &patched.schema;
        if let Some((wanted, found)) = wanted.field(&to.name).zip(found.field(&to.name)) {
            expect(wanted, found)?;
        }
        if wanted != found {
            return Err(OTHERS_CHANGE);
        }
        Ok(patched)
    };
    edit().map_err(|reason: Reason| reason.not_patched(done, from))
}

/// Inserts a new field into HTML: at a position, or else before the submit button. With a `group`, it goes before that
/// group's button, or else to the end of the step or fieldset of that name. Every existing byte stays unchanged.
///
/// # Errors
///
/// [`NotPatched`] says why the field cannot be placed.
pub fn added(html: &str, field: &Field, position: Option<usize>) -> Result<Patched, NotPatched> {
    let add = || {
        let mut editor = Editor::of(html, "")?;
        let before = editor.read.schema.clone();
        editor.insert(field, position)?;
        let patched = editor.finished()?;
        let without = delete_field(&patched.schema, &field.name, false);
        let (without, found) = without.map_err(|_| OTHERS_CHANGE)?;
        if without != before {
            return Err(OTHERS_CHANGE);
        }
        // A field that should be last may come before the submit button.
        let requested = position.filter(|position| *position < before.fields.len());
        let wanted = Field {
            position: requested.map_or(found.position, place),
            group: field.group.clone().or_else(|| found.group.clone()),
            ..field.clone()
        };
        expect(&wanted, &found)?;
        Ok(patched)
    };
    add().map_err(|reason: Reason| reason.not_patched("added", field))
}

/// Checks that a field is read as wanted; the error names the first member that differs.
fn expect(wanted: &Field, found: &Field) -> Result<(), Reason> {
    let (wanted, found) = (values::value(wanted), values::value(found));
    let mut members = wanted.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| found.get(member) != Some(value));
    differing.map_or(Ok(()), |(member, _)| Err(Reason::of(member)))
}

/// A document, its schema, and the edits to make.
struct Editor<'a> {
    read: Read<'a>,
    outline: Outline<'a>,
    /// The place of the edited field.
    place: Place,
    edits: Edits,
}

impl<'a> Editor<'a> {
    fn of(html: &'a str, name: &str) -> Result<Editor<'a>, Reason> {
        let read = read(html).map_err(|_| NOT_READ)?;
        let mut places = read.schema.fields.iter().zip(&read.places);
        let place = places.find(|(field, _)| field.name == name);
        Ok(Editor {
            place: place.map_or_else(Place::default, |(_, place)| place.clone()),
            outline: Outline::of(html),
            edits: Edits::default(),
            read,
        })
    }

    /// Applies the edits, and reads the markup again.
    fn finished(self) -> Result<Patched, Reason> {
        let markup = self.edits.apply(self.outline.html);
        let schema = parse(&markup).map_err(|_| NOT_READ)?.schema;
        Ok(Patched { markup, schema })
    }

    /// The choices of a field, or the options of its element, each with the ranges of its label texts.
    fn choices(&self, field: &str, element: &Element) -> Vec<Choice> {
        let choices = self.read.choice_labels.iter().filter_map(|(at, label)| {
            let control = self.outline.at(*at)?;
            let name = self.outline.attribute(&control, "name")?;
            let is_choice = field_name(&name) == field;
            is_choice.then(|| (control, self.read.texts.spans(label.clone(), true)))
        });
        let options = self.outline.named(element.content.clone(), Tag::Option);
        let is_text = |text: &Range<usize>| !self.outline.source(text).contains('<');
        let options = options.into_iter().map(|option| {
            let text = Some(option.content.clone()).filter(is_text);
            (option, Vec::from_iter(text))
        });
        choices.chain(options).collect()
    }

    /// The largest element around a range that contains no other field.
    fn wrapper(&self, bytes: &Range<usize>) -> Option<&Element> {
        let holds_others = |element: &Element| {
            let places = self.read.places.iter().map(|place| &place.offset);
            let mut all = places.chain(self.read.choice_labels.iter().map(|(at, _)| at));
            let is_other = |at| element.span.contains(&at) && !bytes.contains(&at);
            all.any(|at| is_other(*at as usize))
        };
        let around = self.outline.around(bytes.clone());
        let all = around.take_while(|element| !self.is_outer(element) && !holds_others(element));
        all.last()
    }

    /// Whether an element belongs to the form or a step, not to one field.
    fn is_outer(&self, element: &Element) -> bool {
        let has = |name| self.outline.attribute(element, name).is_some();
        let is_whole = matches!(element.tag, Tag::Form | Tag::Body | Tag::Html | Tag::Main);
        is_whole || has("data-step") || has("data-layout")
    }

    /// Renames a field in the conditions about it; without a new name, removes these conditions.
    fn rename_in_conditions(&mut self, from: &str, to: Option<&str>) {
        for element in &self.outline.elements {
            for name in ["data-show-if", "data-hide-if"] {
                let written = self.outline.attribute(element, name);
                let condition = written.filter(|written| conditions::subject(written) == from);
                if let Some(written) = condition {
                    let to = to.map(|to| written.replacen(from, to, 1));
                    self.edits
                        .set_attribute(element.span.start, name, to.as_deref());
                }
            }
        }
    }

    fn set(&mut self, element: &Element, name: &str, value: Option<&str>) {
        self.edits.set_attribute(element.span.start, name, value);
    }
}

/// A field's rendered HTML, without the element around all fields. `with_group` includes the section of its group.
fn rendered(field: &Field, with_group: bool) -> String {
    let alone = Field {
        group: field.group.clone().filter(|_| with_group),
        ..field.clone()
    };
    let options = RenderOptions {
        is_in_place: true,
        ..RenderOptions::default()
    };
    let html = render(&FormSchema::of(vec![alone]), &options);
    let content = html.split_once(">\n").map_or("", |(_, content)| content);
    content.trim_end_matches("\n</div>\n").to_owned()
}
