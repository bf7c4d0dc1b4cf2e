//! Editing one field in the author's HTML (contract, section 3): every byte outside the tags and texts
//! that are edited stays.
//!
//! After each edit the document is read again and must be the schema that is wanted; else nothing is
//! edited, and the caller gets the reason.

mod choices;
mod insert_remove;
mod outline;
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

const NOT_READ: Reason = Reason(String::new(), "there is too much markup");
const NO_ELEMENT: Reason = Reason(String::new(), "the markup has no element for it alone");
const OTHERS_CHANGE: Reason = Reason(
    String::new(),
    "another field or step would come, go or change",
);

/// The control or option of a choice, and where the texts that name it stand.
type Choice = (Element, Vec<Range<usize>>);

/// An edit of one field.
#[derive(Clone, Copy, Debug)]
pub enum Change<'f> {
    /// Update a field: as it is, and as it is to be.
    Update(&'f Field, &'f Field),
    /// Remove a field.
    Remove(&'f Field),
}

/// HTML with an edit made.
#[derive(Clone, Debug, PartialEq)]
pub struct Patched {
    /// The HTML.
    pub markup: String,
    /// The schema that it reads as.
    pub schema: FormSchema,
}

/// The reason why an edit cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotPatched(String);

/// The member that was to change, or nothing for the whole field, and what stands in the way.
#[derive(Debug)]
struct Reason(String, &'static str);

impl Reason {
    fn of(member: &str) -> Reason {
        let reason = match member {
            "type" => "its element would have to become another",
            "position" | "group" => "nothing is moved in the markup",
            "label" | "description" => "the markup has no one text that says it",
            "options" => "they are not those of the markup",
            _ => "the markup would be read otherwise",
        };
        Reason(format!("`{member}` of "), reason)
    }

    /// The sentence about the field for this reason; `done` says what cannot be: it is edited, added or deleted.
    fn refusal(self, done: &str, field: &Field) -> NotPatched {
        let (Reason(member, reason), name) = (self, &field.name);
        NotPatched(format!(
            "{member}the field `{name}` cannot be {done} in place: {reason}"
        ))
    }
}

/// Makes an edit in HTML, which must then read as the wanted schema. `wanted` is what it is to read as.
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
        let found = &patched.schema;
        if let Some((wanted, found)) = wanted.field(&to.name).zip(found.field(&to.name)) {
            expect(wanted, found)?;
        }
        if wanted != found {
            return Err(OTHERS_CHANGE);
        }
        Ok(patched)
    };
    edit().map_err(|reason: Reason| reason.refusal(done, from))
}

/// Inserts a new field into HTML: at a position, or else before the button that sends; with a
/// `group`, at the end of the step or fieldset of that name. Every byte that was there stays.
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
        if without != before {
            return Err(OTHERS_CHANGE);
        }
        // The button that sends may stay behind all fields.
        let asked = position.filter(|position| *position < before.fields.len());
        let wanted = Field {
            position: asked.map_or(found.position, place),
            group: field.group.clone().or_else(|| found.group.clone()),
            ..field.clone()
        };
        expect(&wanted, &found)?;
        Ok(patched)
    };
    add().map_err(|reason: Reason| reason.refusal("added", field))
}

/// That a field is read as the one that is wanted, or the first member in which it differs, as a schema
/// calls that.
fn expect(wanted: &Field, found: &Field) -> Result<(), Reason> {
    let (wanted, found) = (values::value(wanted), values::value(found));
    let mut members = wanted.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| found.get(member) != Some(value));
    differing.map_or(Ok(()), |(member, _)| Err(Reason::of(member)))
}

/// A document, what it reads as, and the edits to be made in it.
struct Editor<'a> {
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
            place: place.map_or_else(Place::default, |(_, place)| place.clone()),
            outline: Outline::of(html),
            edits: Edits::default(),
            read,
        })
    }

    /// Makes the edits, and reads the markup again.
    fn finished(self) -> Result<Patched, Reason> {
        let markup = self.edits.apply(self.outline.html);
        let schema = parse(&markup).map_err(|_| NOT_READ)?.schema;
        Ok(Patched { markup, schema })
    }

    /// The choices of a field, or the options of its element, and the texts that name each.
    fn choices(&self, field: &str, element: &Element) -> Vec<Choice> {
        let choices = self.read.choice_labels.iter().filter_map(|(at, label)| {
            let own = self.outline.at(*at)?;
            let name = self.outline.attribute(&own, "name")?;
            let is_own = field_name(&name) == field;
            is_own.then(|| (own, self.read.texts.spans(label.clone(), true)))
        });
        let options = self.outline.named(element.content.clone(), Tag::Option);
        let is_text = |text: &Range<usize>| !self.outline.source(text).contains('<');
        let options = options.into_iter().map(|own| {
            let text = Some(own.content.clone()).filter(is_text);
            (own, Vec::from_iter(text))
        });
        choices.chain(options).collect()
    }

    /// The largest element around some bytes that holds no other field.
    fn wrapper(&self, bytes: &Range<usize>) -> Option<&Element> {
        let holds_others = |element: &Element| {
            let places = self.read.places.iter().map(|place| &place.offset);
            let mut all = places.chain(self.read.choice_labels.iter().map(|(at, _)| at));
            let is_other = |at| element.span.contains(&at) && !bytes.contains(&at);
            all.any(|at| is_other(*at as usize))
        };
        let around = self.outline.around(bytes.clone());
        let own = around.take_while(|element| !self.is_outer(element) && !holds_others(element));
        own.last()
    }

    /// Whether an element is there for the form, or a step of it, and not for one field.
    fn is_outer(&self, element: &Element) -> bool {
        let has = |name| self.outline.attribute(element, name).is_some();
        let is_whole = matches!(element.tag, Tag::Form | Tag::Body | Tag::Html | Tag::Main);
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

/// A field's HTML as rendering writes it, without the element around all fields; with its group's if asked.
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
    let own = html.split_once(">\n").map_or("", |(_, own)| own);
    own.trim_end_matches("\n</div>\n").to_owned()
}
