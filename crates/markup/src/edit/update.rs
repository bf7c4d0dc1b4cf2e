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
use crate::markers::{PREFIX, without_last_marker};
use model::{Field, FieldType};

const OTHER_ELEMENT: Reason = Reason("type", "its element would have to become another");
const OTHER_LABEL: Reason = Reason("label", "its text is not one text of the markup");
const OTHER_HELP: Reason = Reason("description", OTHER_LABEL.1);
const OTHER_OPTIONS: Reason = Reason("options", "they are not those of the markup");

/// A field, and how it is rendered.
type Rendered<'o> = (&'o Field, &'o Outline<'o>);

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        let moved = [
            ("position", from.position != to.position),
            ("group", from.group != to.group),
        ];
        if let Some((member, _)) = moved.into_iter().find(|(_, is_moved)| *is_moved) {
            return Err(Reason(member, "nothing is moved in the markup"));
        }
        let element = self.element()?;
        let (before, after) = (rendered(from, false), rendered(to, false));
        let (before, after) = (Outline::of(&before), Outline::of(&after));
        let (old, new) = ((from, &before), (to, &after));
        let choices = self.choices(&from.name);
        let controls = if choices.is_empty() {
            self.update_control(element, old, new)?;
            vec![element]
        } else {
            self.update_choices(element, &choices, old, new)?;
            choices.into_iter().map(|(own, _)| own).collect()
        };
        if from.label != to.label || from.required != to.required {
            self.update_label(element, from, to)?;
        }
        if from.description != to.description {
            let help = self.read.texts.spans(self.place.help.clone(), true);
            self.replace_text(&help, &to.description, OTHER_HELP)?;
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

    /// Sets what a control, heading or group says, and the options of a select: each in its place where they
    /// are as many, else all of them.
    fn update_control(
        &mut self,
        element: usize,
        (from, before): Rendered<'_>,
        (to, after): Rendered<'_>,
    ) -> Result<(), Reason> {
        let (old, new) = (main_element(before, from), main_element(after, to));
        if before.name(old) != after.name(new) {
            return Err(OTHER_ELEMENT);
        }
        self.update_attributes(element, (before, old), (after, new));
        self.update_class(element, from, to);
        let options = |of: &Outline<'_>, select| of.named(of.content(select), Tag::Option);
        let (own, was) = (options(&self.outline, element), options(before, old));
        let becomes = options(after, new);
        let is_text = from.kind == FieldType::Textarea && from.default_value != to.default_value;
        let is_other =
            was.len() != becomes.len() || (own.len() != was.len() && from.options != to.options);
        if is_text || is_other {
            let written = after.source(&after.content(new)).to_owned();
            self.edits.replace(self.outline.content(element), written);
        } else if own.len() == was.len() {
            for ((own, was), becomes) in own.into_iter().zip(was).zip(becomes) {
                let texts = self.outline.texts_in(&self.outline.content(own));
                self.update_option((own, texts), (before, was), (after, becomes))?;
            }
        }
        Ok(())
    }

    /// Sets what radios and checkboxes say, where they are as many as there were, and the fieldset around.
    fn update_choices(
        &mut self,
        first: usize,
        choices: &[(usize, Range<u32>)],
        (from, before): Rendered<'_>,
        (to, after): Rendered<'_>,
    ) -> Result<(), Reason> {
        if from.kind != to.kind {
            return Err(OTHER_ELEMENT);
        }
        if choices.len() != from.options.len() || choices.len() != to.options.len() {
            return Err(OTHER_OPTIONS);
        }
        let inputs = |of: &Outline<'_>| of.named(0..usize::MAX, Tag::Input);
        let pairs = inputs(before).into_iter().zip(inputs(after));
        for ((own, label), (was, becomes)) in choices.iter().zip(pairs) {
            let texts = self.read.texts.spans(label.clone(), true);
            self.update_option((*own, texts), (before, was), (after, becomes))?;
        }
        let span = self.outline.span(first);
        let mut around = self.outline.around(span);
        let fieldset = around.find(|at| self.outline.name(*at) == Some(Tag::Fieldset));
        drop(around);
        if let Some(fieldset) = fieldset {
            self.update_attributes(fieldset, (before, 0), (after, 0));
            self.update_class(fieldset, from, to);
        }
        Ok(())
    }

    /// Sets what an option or choice says, given its texts.
    fn update_option(
        &mut self,
        (own, texts): (usize, Vec<Range<usize>>),
        old: (&Outline<'_>, usize),
        new: (&Outline<'_>, usize),
    ) -> Result<(), Reason> {
        self.update_attributes(own, old, new);
        let text = new.0.text_of_choice(new.1);
        if old.0.text_of_choice(old.1) == text {
            return Ok(());
        }
        if self.outline.attribute(own, "value").is_none() {
            self.set(own, "value", new.0.attribute(new.1, "value").as_deref());
        }
        self.replace_text(&texts, &text, OTHER_OPTIONS)
    }

    /// Sets the attributes in which two rendered tags differ.
    fn update_attributes(
        &mut self,
        element: usize,
        old: (&Outline<'_>, usize),
        new: (&Outline<'_>, usize),
    ) {
        let (old, new) = (old.0.attributes(old.1), new.0.attributes(new.1));
        for (name, value) in &new {
            if is_authors(name) && !old.contains(&(name, value.clone())) {
                self.set(element, name, Some(value));
            }
        }
        for (name, _) in old.iter().filter(|(name, _)| is_authors(name)) {
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

    /// The text or attribute that names a field. The marks of a required one stay where they are no part of
    /// that text.
    fn update_label(&mut self, element: usize, from: &Field, to: &Field) -> Result<(), Reason> {
        let is_other = from.label != to.label;
        if self.place.label.is_empty() {
            let is_button = to.kind == FieldType::Submit;
            let name = if is_button { "value" } else { "aria-label" };
            if is_other {
                self.set(element, name, Some(&to.label));
            }
            return Ok(());
        }
        let mut texts = self.read.texts.spans(self.place.label.clone(), false);
        texts.retain(|text| !without_last_marker(self.outline.shown(text).trim()).is_empty());
        let [text] = texts.as_slice() else {
            return if is_other { Err(OTHER_LABEL) } else { Ok(()) };
        };
        let shown = collapse(&self.outline.shown(text));
        let label = if to.required || !from.required {
            shown.replacen(&from.label, &to.label, 1)
        } else {
            to.label.clone()
        };
        if shown == label {
            return Ok(());
        }
        self.replace_text(&texts, &label, OTHER_LABEL)
    }

    /// Writes a text in the place of the only one, within the white space around that.
    fn replace_text(
        &mut self,
        texts: &[Range<usize>],
        text: &str,
        reason: Reason,
    ) -> Result<(), Reason> {
        let [span] = texts else { return Err(reason) };
        let old = self.outline.source(span);
        let start = span.start + (old.len() - old.trim_ascii_start().len());
        let mut written = String::new();
        escape::text(&mut written, text);
        let end = start + old.trim_ascii().len();
        self.edits.replace(start..end, written);
        Ok(())
    }

    /// Conditions stay on the element that has them, or go on the largest that holds the field alone.
    fn update_conditions(&mut self, element: usize, before: &Outline<'_>, after: &Outline<'_>) {
        let span = self.outline.span(element);
        let value = |of: &Outline<'_>, at, name| Some(of.attribute(at, name)?.into_owned());
        let has_any = |at: &usize| {
            CONDITIONS
                .iter()
                .any(|name| value(&self.outline, *at, name).is_some())
        };
        let mut around = std::iter::once(element).chain(self.outline.around(span.clone()));
        let known = around.find(has_any).or_else(|| self.wrapper(span));
        drop(around);
        for name in CONDITIONS {
            let value = |of: &Outline<'_>| of.all().find_map(|at| value(of, at, name));
            if value(before) != value(after) {
                self.set(known.unwrap_or(element), name, value(after).as_deref());
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

/// Whether a rendered attribute may stand in the author's tag.
fn is_authors(name: &str) -> bool {
    let is_own = matches!(name, "id" | "class" | "name" | "list" | "aria-describedby");
    let own = ["name", "id", "label", "description"];
    let marker = name.strip_prefix(PREFIX);
    !is_own && !CONDITIONS.contains(&name) && !marker.is_some_and(|marker| own.contains(&marker))
}

/// The rendered element that carries what a field says: its control, else the first.
fn main_element(outline: &Outline<'_>, field: &Field) -> usize {
    let known = [Tag::Input, Tag::Select, Tag::Textarea, Tag::Button].map(Some);
    let is_composite = matches!(field.kind, FieldType::Name | FieldType::Address);
    let is_control = |at: &usize| !is_composite && known.contains(&outline.name(*at));
    outline.all().find(is_control).unwrap_or(0)
}
