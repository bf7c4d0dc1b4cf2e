//! Other members for a field, in the tags and texts that say them.
//!
//! What changes in a tag is found out by rendering the field as it was and as it is to be: the attributes
//! in which the two differ are set in the author's tag.

use std::ops::Range;

use super::outline::Outline;
use super::refusal::Reason;
use super::{CONDITIONS, Editor, NO_ELEMENT, rendered};
use crate::html::escape;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::{COLONS, STARS, without_last_marker};
use model::{Field, FieldType};

const OTHER_ELEMENT: Reason = Reason("type", "its element would have to become another");
const OTHER_LABEL: Reason = Reason("label", "its text is not one text of the markup");
const OTHER_HELP: Reason = Reason("description", "its text is not one text of the markup");
const OTHER_OPTIONS: Reason = Reason(
    "options",
    "the options of the markup are not those of the field",
);

/// Rendered attributes that are not the author's.
const OWN_OF_RENDERING: [&str; 9] = [
    "id",
    "class",
    "name",
    "list",
    "aria-describedby",
    "data-cf-name",
    "data-cf-id",
    "data-cf-label",
    "data-cf-description",
];

/// An element of a rendered field.
type Rendered<'o> = (&'o Outline<'o>, usize);

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        const UNMOVED: &str = "nothing is moved in the markup";
        if from.position != to.position {
            return Err(Reason("position", UNMOVED));
        }
        if from.group != to.group {
            return Err(Reason("group", UNMOVED));
        }
        let element = self.element()?;
        let (before, after) = (rendered(from, false), rendered(to, false));
        let (before, after) = (Outline::of(&before), Outline::of(&after));
        let mut controls = vec![element];
        if is_set(from) {
            controls = self.update_choices((from, &before), (to, &after))?;
        } else {
            let old = (&before, main_element(&before, from));
            let new = (&after, main_element(&after, to));
            if before.name(old.1) != after.name(new.1) {
                return Err(OTHER_ELEMENT);
            }
            self.update_attributes(element, old, new);
            self.update_class(element, from, to);
            if from.kind == FieldType::Select {
                self.update_options(element, old, new, from.options != to.options)?;
            } else if from.kind == FieldType::Textarea && from.default_value != to.default_value {
                self.replace_content(element, new);
            }
        }
        if from.label != to.label || from.required != to.required {
            self.update_label(element, from, to)?;
        }
        if from.description != to.description {
            self.update_text(self.place.help.clone(), &to.description, OTHER_HELP)?;
        }
        if from.conditions != to.conditions {
            self.update_conditions(element, &before, &after);
        }
        if from.name != to.name {
            for control in controls {
                self.rename(control, from, to);
            }
            self.rename_in_conditions(&from.name, Some(&to.name));
        }
        Ok(())
    }

    /// Sets the attributes in which two rendered tags differ.
    fn update_attributes(&mut self, element: usize, old: Rendered<'_>, new: Rendered<'_>) {
        let is_said = |name: &str| !OWN_OF_RENDERING.contains(&name) && !CONDITIONS.contains(&name);
        let (old, new) = (old.0.attributes(old.1), new.0.attributes(new.1));
        for (name, value) in new.iter().filter(|(name, _)| is_said(name)) {
            if !old.contains(&(name, value.clone())) {
                self.set(element, name, Some(value));
            }
        }
        for (name, _) in old.iter().filter(|(name, _)| is_said(name)) {
            if !new.iter().any(|(known, _)| known == name) {
                self.set(element, name, None);
            }
        }
    }

    fn update_class(&mut self, element: usize, from: &Field, to: &Field) {
        if from.css_class != to.css_class {
            let written = self.outline.attribute(element, "class").unwrap_or_default();
            let kept = written.strip_suffix(from.css_class.as_str());
            let class = format!("{}{}", kept.unwrap_or_default(), to.css_class);
            let class = Some(class.trim()).filter(|class| !class.is_empty());
            self.set(element, "class", class);
        }
    }

    fn replace_content(&mut self, element: usize, (new, rendered): Rendered<'_>) {
        let written = new.source(&new.content(rendered)).to_owned();
        self.edits.replace(self.outline.content(element), written);
    }

    /// The options of a select: each in its place where they are as many, else all of them.
    fn update_options(
        &mut self,
        select: usize,
        old: Rendered<'_>,
        new: Rendered<'_>,
        is_changed: bool,
    ) -> Result<(), Reason> {
        let own = self.outline.options_of(select);
        let (before, after) = (old.0.options_of(old.1), new.0.options_of(new.1));
        if own.len() != before.len() || before.len() != after.len() {
            if is_changed || before.len() != after.len() {
                self.replace_content(select, new);
            }
            return Ok(());
        }
        for ((own, before), after) in own.into_iter().zip(before).zip(after) {
            self.update_attributes(own, (old.0, before), (new.0, after));
            let text = new.0.shown(&new.0.content(after));
            if old.0.shown(&old.0.content(before)) != text {
                if self.outline.attribute(own, "value").is_none() {
                    self.set(own, "value", new.0.attribute(after, "value").as_deref());
                }
                self.replace_text(&self.outline.content(own), &text, OTHER_OPTIONS)?;
            }
        }
        Ok(())
    }

    /// Radios and checkboxes, as many as there were; gives their elements.
    fn update_choices(
        &mut self,
        (from, before): (&Field, &Outline<'_>),
        (to, after): (&Field, &Outline<'_>),
    ) -> Result<Vec<usize>, Reason> {
        if from.kind != to.kind {
            return Err(OTHER_ELEMENT);
        }
        let choices = self.choices(from);
        if choices.len() != from.options.len() || from.options.len() != to.options.len() {
            return Err(OTHER_OPTIONS);
        }
        let pairs = before.inputs().into_iter().zip(after.inputs());
        let options = from.options.iter().zip(&to.options);
        let mut controls = Vec::new();
        for (((offset, label), (old, new)), (was, becomes)) in
            choices.into_iter().zip(pairs).zip(options)
        {
            let own = self.outline.at(offset).ok_or(NO_ELEMENT)?;
            controls.push(own);
            self.update_attributes(own, (before, old), (after, new));
            if was.label != becomes.label {
                self.update_text(label, &becomes.label, OTHER_OPTIONS)?;
            }
        }
        let span = self.outline.span(self.element()?);
        let mut around = self.outline.around(span);
        let is_fieldset = |index: &usize| self.outline.name(*index) == Some(Tag::Fieldset);
        if let Some(fieldset) = around.find(is_fieldset) {
            drop(around);
            self.update_attributes(fieldset, (before, 0), (after, 0));
            self.update_class(fieldset, from, to);
        }
        Ok(controls)
    }

    /// The text or attribute that names a field, with the marks of a required one.
    fn update_label(&mut self, element: usize, from: &Field, to: &Field) -> Result<(), Reason> {
        if self.place.label.is_empty() {
            let says = |name: &&str| {
                let value = self.outline.attribute(element, name);
                value.is_some_and(|value| collapse(&value) == from.label)
            };
            let names = ["aria-label", "placeholder", "value", "alt", "title"];
            let named = names.into_iter().find(says).unwrap_or("aria-label");
            if from.label != to.label {
                self.set(element, named, Some(&to.label));
            }
            return Ok(());
        }
        let is_mark = |span: &Range<usize>| {
            let text = self.outline.shown(span);
            let bare = without_last_marker(text.trim().trim_end_matches(COLONS));
            bare.trim_matches(STARS).trim().is_empty()
        };
        let spans = self.read.texts.spans(self.place.label.clone(), false);
        let (marks, texts): (Vec<_>, Vec<_>) = spans.into_iter().partition(is_mark);
        let is_unmarked = from.required && !to.required;
        let [text] = texts.as_slice() else {
            let stays = from.label == to.label && !is_unmarked;
            return if stays { Ok(()) } else { Err(OTHER_LABEL) };
        };
        let shown = collapse(&self.outline.shown(text));
        let label = if is_unmarked || from.label.is_empty() {
            to.label.clone()
        } else {
            shown.replacen(&from.label, &to.label, 1)
        };
        if is_unmarked {
            marks.into_iter().for_each(|mark| self.edits.remove(mark));
        }
        if shown == label {
            return Ok(());
        }
        self.replace_text(text, &label, OTHER_LABEL)
    }

    /// Puts another text in the place of a place's only one.
    fn update_text(&mut self, place: Range<u32>, text: &str, reason: Reason) -> Result<(), Reason> {
        match self.read.texts.spans(place, true).as_slice() {
            [span] => self.replace_text(&span.clone(), text, reason),
            _ => Err(reason),
        }
    }

    /// Writes a text in the place of the only one in some bytes, within the white space around that.
    fn replace_text(
        &mut self,
        bytes: &Range<usize>,
        text: &str,
        reason: Reason,
    ) -> Result<(), Reason> {
        let texts = self.outline.texts_in(bytes);
        let span = match texts.as_slice() {
            [] => bytes.start..bytes.start,
            [span] => span.clone(),
            _ => return Err(reason),
        };
        let old = self.outline.source(&span);
        let start = span.start + (old.len() - old.trim_ascii_start().len());
        let end = start + old.trim_ascii().len();
        let mut written = String::new();
        escape::text(&mut written, text);
        self.edits.replace(start..end, written);
        Ok(())
    }

    /// Conditions stay on the element that has them, or go on the largest that holds the field alone.
    fn update_conditions(&mut self, element: usize, before: &Outline<'_>, after: &Outline<'_>) {
        let span = self.outline.span(element);
        let around = self.outline.around(span.clone());
        let mut elements = std::iter::once(element).chain(around);
        let known = elements.find(|index| self.has_conditions(*index));
        drop(elements);
        let element = known.or_else(|| self.wrapper(span)).unwrap_or(element);
        for name in CONDITIONS {
            let (old, new) = (before.first_value(name), after.first_value(name));
            if old != new {
                self.set(element, name, new.as_deref());
            }
        }
    }

    /// Gives a control of a field its new name, with the brackets that it has.
    fn rename(&mut self, control: usize, from: &Field, to: &Field) {
        let mut attributes = vec!["name", "data-cf-name"];
        attributes.retain(|name| self.outline.attribute(control, name).is_some());
        if attributes.is_empty() {
            self.set(control, "data-cf-name", Some(&to.name));
        }
        for attribute in attributes {
            let written = self
                .outline
                .attribute(control, attribute)
                .unwrap_or_default();
            if let Some(rest) = written.strip_prefix(&*from.name) {
                let name = format!("{}{rest}", to.name);
                self.set(control, attribute, Some(&name));
            }
        }
    }
}

/// Whether a field is a set of radios or checkboxes.
pub(super) fn is_set(field: &Field) -> bool {
    let has_options = !field.options.is_empty();
    field.kind == FieldType::Radio || (field.kind == FieldType::Checkbox && has_options)
}

/// The rendered element that carries what a field says: its control, else the first.
fn main_element(outline: &Outline<'_>, field: &Field) -> usize {
    let is_composite = matches!(field.kind, FieldType::Name | FieldType::Address);
    let is_control = |index: &usize| {
        let name = outline.name(*index);
        let known = [Tag::Input, Tag::Select, Tag::Textarea, Tag::Button];
        !is_composite && name.is_some_and(|name| known.contains(&name))
    };
    (0..outline.elements.len()).find(is_control).unwrap_or(0)
}
