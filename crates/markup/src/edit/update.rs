//! Other members for a field, in the tags and texts that say them.
//!
//! What changes in a tag is found out by rendering the field as it was and as it is to be: the attributes
//! in which the two differ are set in the author's tag.

use std::ops::Range;

use super::outline::Outline;
use super::refusal::Reason;
use super::{CONDITIONS, Editor, rendered};
use crate::html::escape;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::without_last_marker;
use model::{Field, FieldType};

const UNMOVED: &str = "nothing is moved in the markup";
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

/// A rendered field, and an element of it.
type Rendered<'o> = (&'o Outline<'o>, usize);

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        if from.position != to.position {
            return Err(Reason("position", UNMOVED));
        }
        if from.group != to.group {
            return Err(Reason("group", UNMOVED));
        }
        let element = self.element()?;
        let (before, after) = (rendered(from, false), rendered(to, false));
        let (before, after) = (Outline::of(&before), Outline::of(&after));
        let has_options = !from.options.is_empty();
        let is_box = from.kind == FieldType::Checkbox && has_options;
        let controls = if is_box || from.kind == FieldType::Radio {
            self.update_choices((from, &before), (to, &after))?
        } else {
            self.update_control(element, (from, &before), (to, &after))?;
            vec![element]
        };
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

    fn update_control(
        &mut self,
        element: usize,
        (from, before): (&Field, &Outline<'_>),
        (to, after): (&Field, &Outline<'_>),
    ) -> Result<(), Reason> {
        let (old, new) = (main_element(before, from), main_element(after, to));
        if before.name(old) != after.name(new) {
            return Err(OTHER_ELEMENT);
        }
        let (old, new) = ((before, old), (after, new));
        self.update_attributes(element, old, new);
        self.update_class(element, from, to);
        if from.kind == FieldType::Select {
            return self.update_options(element, old, new, from.options != to.options);
        }
        if from.kind == FieldType::Textarea && from.default_value != to.default_value {
            self.replace_content(element, new);
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
        let options =
            |(outline, select): Rendered<'_>| outline.named(outline.content(select), Tag::Option);
        let own = options((&self.outline, select));
        let (before, after) = (options(old), options(new));
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
        let choices = self.choices(&from.name);
        if choices.len() != from.options.len() || from.options.len() != to.options.len() {
            return Err(OTHER_OPTIONS);
        }
        let inputs = |field: &Outline<'_>| field.named(0..usize::MAX, Tag::Input);
        let pairs = inputs(before).into_iter().zip(inputs(after));
        let labels = from.options.iter().zip(&to.options);
        for (((own, label), (old, new)), (was, becomes)) in choices.iter().zip(pairs).zip(labels) {
            self.update_attributes(*own, (before, old), (after, new));
            if was.label != becomes.label {
                self.update_text(label.clone(), &becomes.label, OTHER_OPTIONS)?;
            }
        }
        let span = self.outline.span(self.element()?);
        let mut around = self.outline.around(span);
        let fieldset = around.find(|at| self.outline.name(*at) == Some(Tag::Fieldset));
        drop(around);
        if let Some(fieldset) = fieldset {
            self.update_attributes(fieldset, (before, 0), (after, 0));
            self.update_class(fieldset, from, to);
        }
        Ok(choices.into_iter().map(|(own, _)| own).collect())
    }

    /// The text or attribute that names a field. The marks of a required one stay where they are no part of
    /// that text.
    fn update_label(&mut self, element: usize, from: &Field, to: &Field) -> Result<(), Reason> {
        let is_other = from.label != to.label;
        if self.place.label.is_empty() {
            let says = |name: &&str| {
                let value = self.outline.attribute(element, name);
                value.is_some_and(|value| collapse(&value) == from.label)
            };
            let mut names = ["aria-label", "placeholder", "value", "alt", "title"].into_iter();
            let named = names.find(says).unwrap_or("aria-label");
            if is_other {
                self.set(element, named, Some(&to.label));
            }
            return Ok(());
        }
        let mut texts = self.read.texts.spans(self.place.label.clone(), false);
        texts.retain(|text| !without_last_marker(self.outline.shown(text).trim()).is_empty());
        let [text] = texts.as_slice() else {
            return if is_other { Err(OTHER_LABEL) } else { Ok(()) };
        };
        let shown = collapse(&self.outline.shown(text));
        let is_unmarked = from.required && !to.required;
        let label = if is_unmarked || from.label.is_empty() {
            to.label.clone()
        } else {
            shown.replacen(&from.label, &to.label, 1)
        };
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
        let value = |at: usize, name: &str| self.outline.attribute(at, name);
        let has_any = |at: &usize| CONDITIONS.iter().any(|name| value(*at, name).is_some());
        let known = std::iter::once(element).chain(self.outline.around(span.clone()));
        let known = known.into_iter().find(has_any);
        let element = known.or_else(|| self.wrapper(span)).unwrap_or(element);
        for name in CONDITIONS {
            let value = |field: &Outline<'_>| {
                let mut values = field.all().map(|at| field.attribute(at, name));
                values.find_map(|value| Some(value?.into_owned()))
            };
            if value(before) != value(after) {
                self.set(element, name, value(after).as_deref());
            }
        }
    }

    /// Gives a control of a field its new name, with the brackets that it has.
    fn rename(&mut self, control: usize, from: &Field, to: &Field) {
        let mut is_named = false;
        for attribute in ["name", "data-cf-name"] {
            let written = self.outline.attribute(control, attribute);
            let Some(written) = written else { continue };
            is_named = true;
            if let Some(rest) = written.strip_prefix(&*from.name) {
                let name = format!("{}{rest}", to.name);
                self.set(control, attribute, Some(&name));
            }
        }
        if !is_named {
            self.set(control, "data-cf-name", Some(&to.name));
        }
    }
}

/// The rendered element that carries what a field says: its control, else the first.
fn main_element(outline: &Outline<'_>, field: &Field) -> usize {
    let is_composite = matches!(field.kind, FieldType::Name | FieldType::Address);
    let is_control = |index: &usize| {
        let known = [Tag::Input, Tag::Select, Tag::Textarea, Tag::Button];
        outline
            .name(*index)
            .is_some_and(|name| known.contains(&name))
    };
    let control = outline.all().find(is_control).filter(|_| !is_composite);
    control.unwrap_or(0)
}
