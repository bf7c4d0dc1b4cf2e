//! Other members for a field, in the tags and texts that say them.
//!
//! What changes in a tag is found out by rendering the field as it was and as it is to be: the attributes
//! in which the two differ are set in the author's tag.

use std::ops::Range;

use super::outline::Outline;
use super::refusal::Reason;
use super::{CONDITIONS, Editor, NO_ELEMENT, rendered};
use crate::forms::{Field, FieldType};
use crate::markup::html::escape;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::collapse;
use crate::markup::markers::{COLONS, STARS, without_last_marker};

const NOTHING_MOVES: &str = "nothing is moved in the markup";
const SEVERAL_TEXTS: &str = "its text is not one text of the markup";
const OTHER_OPTIONS: &str = "the options of the markup are not those of the field";

/// Rendered attributes that are not the author's.
const OWN_OF_RENDERING: [&str; 10] = [
    "id",
    "class",
    "name",
    "list",
    "aria-describedby",
    "data-cf-name",
    "data-cf-id",
    "data-cf-label",
    "data-cf-description",
    "data-cf-enabled",
];

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        if from.position != to.position {
            return Err(Reason("position", NOTHING_MOVES));
        }
        if from.group != to.group {
            return Err(Reason("group", NOTHING_MOVES));
        }
        let (before, after) = (rendered(from), rendered(to));
        let (before, after) = (Outline::of(&before), Outline::of(&after));
        let element = self.element()?;
        if is_set(from) {
            self.update_set(element, (from, to), (&before, &after))?;
        } else {
            self.update_element(element, (from, to), (&before, &after))?;
        }
        if from.label != to.label || from.required != to.required {
            self.update_label(element, from, to)?;
        }
        if from.description != to.description {
            let help = self.place.help.clone();
            self.update_text(help, &to.description, Reason("description", SEVERAL_TEXTS))?;
        }
        if from.conditions != to.conditions {
            self.update_conditions(element, (&before, &after));
        }
        if from.name != to.name {
            self.rename(element, from, to);
            self.rename_in_conditions(&from.name, Some(&to.name));
        }
        Ok(())
    }

    /// A control, heading, text or button.
    fn update_element(
        &mut self,
        element: usize,
        (from, to): (&Field, &Field),
        (before, after): (&Outline<'_>, &Outline<'_>),
    ) -> Result<(), Reason> {
        let (Some(old), Some(new)) = (main_element(before, from), main_element(after, to)) else {
            return Err(NO_ELEMENT);
        };
        let name = |outline: &Outline<'_>, index: usize| outline.elements.get(index).map(|e| e.name);
        if name(before, old) != name(after, new) {
            return Err(Reason("type", "its element would have to become another"));
        }
        self.update_attributes(element, (before, old), (after, new));
        self.update_class(element, from, to);
        if from.kind == FieldType::Select {
            self.update_options(element, (before, old), (after, new), from.options != to.options)?;
        }
        if from.kind == FieldType::Textarea && from.default_value != to.default_value {
            let content = self.outline.elements.get(element).map(|e| e.content.clone());
            let mut text = String::new();
            if to.default_value.starts_with('\n') {
                text.push('\n');
            }
            escape::text(&mut text, &to.default_value);
            self.edits.replace(content.unwrap_or_default(), text);
        }
        Ok(())
    }

    /// Sets the attributes in which two rendered tags differ.
    fn update_attributes(
        &mut self,
        element: usize,
        (before, old): (&Outline<'_>, usize),
        (after, new): (&Outline<'_>, usize),
    ) {
        let is_said = |name: &str| !OWN_OF_RENDERING.contains(&name) && !CONDITIONS.contains(&name);
        let (old, new) = (before.attributes(old), after.attributes(new));
        for (name, value) in new.iter().filter(|(name, _)| is_said(name)) {
            if !old.iter().any(|known| known == &(*name, value.clone())) {
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
            let kept = written.strip_suffix(from.css_class.as_str()).unwrap_or_default();
            let class = format!("{kept}{}", to.css_class);
            let class = Some(class.trim()).filter(|class| !class.is_empty());
            self.set(element, "class", class);
        }
    }

    /// The options of a select: each in its place where they are as many, else all of them.
    fn update_options(
        &mut self,
        select: usize,
        (before, old): (&Outline<'_>, usize),
        (after, new): (&Outline<'_>, usize),
        is_changed: bool,
    ) -> Result<(), Reason> {
        let own = self.outline.options_of(select);
        let (old, new) = (before.options_of(old), after.options_of(new));
        if own.len() != old.len() || old.len() != new.len() {
            if !is_changed && old.len() == new.len() {
                return Ok(());
            }
            let content = self.outline.elements.get(select).map(|e| e.content.clone());
            let content = content.ok_or(NO_ELEMENT)?;
            let is_group = |index: usize| self.outline.is(index, Tag::Optgroup);
            if self.outline.within(&content).any(is_group) {
                return Err(Reason("options", "the options of the markup stand in groups"));
            }
            let written: String = new.iter().filter_map(|option| source(after, *option)).collect();
            self.edits.replace(content, written);
            return Ok(());
        }
        for ((own, old), new) in own.into_iter().zip(old).zip(new) {
            self.update_attributes(own, (before, old), (after, new));
            let (was, becomes) = (content_of(before, old), content_of(after, new));
            if was != becomes {
                if self.outline.attribute(own, "value").is_none() {
                    self.set(own, "value", after.attribute(new, "value").as_deref());
                }
                let content = self.outline.elements.get(own).map_or(0..0, |e| e.content.clone());
                self.replace_text(&content, &becomes, Reason("options", SEVERAL_TEXTS))?;
            }
        }
        Ok(())
    }

    /// Radios and checkboxes: as many as there were.
    fn update_set(
        &mut self,
        element: usize,
        (from, to): (&Field, &Field),
        (before, after): (&Outline<'_>, &Outline<'_>),
    ) -> Result<(), Reason> {
        if from.kind != to.kind {
            return Err(Reason("type", "its element would have to become another"));
        }
        let choices = self.choices(from);
        if choices.len() != from.options.len() || from.options.len() != to.options.len() {
            return Err(Reason("options", OTHER_OPTIONS));
        }
        let inputs = |outline: &Outline<'_>| -> Vec<usize> {
            let all = 0..outline.elements.len();
            all.filter(|index| outline.is(*index, Tag::Input)).collect()
        };
        for (place, (old, new)) in inputs(before).into_iter().zip(inputs(after)).enumerate() {
            let Some((offset, label)) = choices.get(place) else {
                break;
            };
            let own = self.outline.at(*offset).ok_or(NO_ELEMENT)?;
            self.update_attributes(own, (before, old), (after, new));
            let texts = from.options.get(place).zip(to.options.get(place));
            if let Some((was, becomes)) = texts.filter(|(was, becomes)| was.label != becomes.label) {
                let reason = Reason("options", SEVERAL_TEXTS);
                let label = label.clone();
                if label.is_empty() && was.label == was.value {
                    self.set(own, "aria-label", Some(&becomes.label));
                } else {
                    self.update_text(label, &becomes.label, reason)?;
                }
            }
        }
        let around = self.outline.around(element_span(&self.outline, element));
        let fieldset = around.into_iter().find(|index| self.outline.is(*index, Tag::Fieldset));
        if let Some(fieldset) = fieldset {
            self.update_attributes(fieldset, (before, 0), (after, 0));
            self.update_class(fieldset, from, to);
        }
        Ok(())
    }

    /// The text or attribute that names a field, with the mark of a required one.
    fn update_label(&mut self, element: usize, from: &Field, to: &Field) -> Result<(), Reason> {
        if !self.place.label.is_empty() {
            let spans = self.read.texts.spans(self.place.label.clone(), false);
            let is_mark = |span: &&Range<usize>| {
                let text = self.outline.shown(span);
                let bare = without_last_marker(text.trim().trim_end_matches(COLONS));
                bare.trim_matches(STARS).trim().is_empty()
            };
            let marks: Vec<_> = spans.iter().filter(is_mark).cloned().collect();
            let texts: Vec<_> = spans.iter().filter(|span| !is_mark(span)).cloned().collect();
            let [text] = texts.as_slice() else {
                return match from.label == to.label && marks.is_empty() {
                    true => Ok(()),
                    false => Err(Reason("label", SEVERAL_TEXTS)),
                };
            };
            let keeps_marks = to.required || !from.required;
            if !keeps_marks {
                marks.iter().for_each(|mark| self.edits.remove(mark.clone()));
            }
            let shown = collapse(&self.outline.shown(text));
            if from.label != to.label || (!keeps_marks && shown != to.label) {
                let label = match shown.split_once(from.label.as_str()) {
                    Some((start, end)) if keeps_marks && !from.label.is_empty() => {
                        format!("{start}{}{end}", to.label)
                    }
                    _ => to.label.clone(),
                };
                return self.replace_text(text, &label, Reason("label", SEVERAL_TEXTS));
            }
            return Ok(());
        }
        if from.label == to.label {
            return Ok(());
        }
        let says = |name: &&str| {
            let value = self.outline.attribute(element, name);
            value.is_some_and(|value| collapse(&value) == from.label)
        };
        let named = ["aria-label", "placeholder", "value", "alt", "title"].into_iter().find(says);
        match named {
            Some(name) => self.set(element, name, Some(&to.label)),
            None => self.set(element, "aria-label", Some(&to.label)),
        }
        Ok(())
    }

    /// Puts another text in the place of a place's only one.
    fn update_text(&mut self, place: Range<u32>, text: &str, reason: Reason) -> Result<(), Reason> {
        let spans = self.read.texts.spans(place, true);
        match spans.as_slice() {
            [span] => self.replace_text(&span.clone(), text, reason),
            _ => Err(reason),
        }
    }

    /// Writes a text in the place of the only one in some bytes, with the white space around that.
    fn replace_text(&mut self, bytes: &Range<usize>, text: &str, reason: Reason) -> Result<(), Reason> {
        let mut written = String::new();
        escape::text(&mut written, text);
        let texts = self.outline.texts_in(bytes);
        let span = match texts.as_slice() {
            [] if bytes.is_empty() => bytes.clone(),
            [span] => span.clone(),
            _ => return Err(reason),
        };
        let old = self.html.get(span.clone()).unwrap_or_default();
        let start = span.start + (old.len() - old.trim_ascii_start().len());
        let end = start + old.trim_ascii().len();
        self.edits.replace(start..end, written);
        Ok(())
    }

    /// Conditions stay on the element that has them, or go on the smallest that holds the field alone.
    fn update_conditions(&mut self, element: usize, (before, after): (&Outline<'_>, &Outline<'_>)) {
        let span = element_span(&self.outline, element);
        let has = |index: &usize| {
            let mut names = CONDITIONS.iter();
            names.any(|name| self.outline.attribute(*index, name).is_some())
        };
        let mut around = std::iter::once(element).chain(self.outline.around(span.clone()));
        let holder = around.find(has).or_else(|| self.wrapper(span.clone()));
        drop(around);
        let holder = holder.unwrap_or(element);
        let (old, new) = (conditions_of(before), conditions_of(after));
        for (name, _) in old.iter().filter(|(name, _)| !new.iter().any(|(new, _)| new == name)) {
            self.set(holder, name, None);
        }
        for (name, value) in new {
            self.set(holder, name, Some(&value));
        }
    }

    /// Gives the controls of a field its new name, with the brackets that they have.
    fn rename(&mut self, element: usize, from: &Field, to: &Field) {
        let choices: Vec<usize> = match is_set(from) {
            true => {
                let choices = self.choices(from);
                choices.iter().filter_map(|(offset, _)| self.outline.at(*offset)).collect()
            }
            false => vec![element],
        };
        for choice in choices {
            let written = self.outline.attribute(choice, "name");
            let name = match written.as_deref().and_then(|name| name.strip_prefix(from.name.as_str())) {
                Some(brackets) => format!("{}{brackets}", to.name),
                None => to.name.clone(),
            };
            let attribute = match written {
                Some(_) => "name",
                None => "data-cf-name",
            };
            self.set(choice, attribute, Some(&name));
        }
        if self.outline.attribute(element, "data-cf-name").is_some() {
            self.set(element, "data-cf-name", Some(&to.name));
        }
    }
}

/// Whether a field is a set of radios or checkboxes.
pub(super) fn is_set(field: &Field) -> bool {
    match field.kind {
        FieldType::Radio => true,
        FieldType::Checkbox => !field.options.is_empty(),
        _ => false,
    }
}

/// The rendered element that carries what a field says.
fn main_element(outline: &Outline<'_>, field: &Field) -> Option<usize> {
    let is_main = |index: &usize| {
        let name = outline.elements.get(*index).map(|e| e.name);
        matches!(name, Some(Tag::Input | Tag::Select | Tag::Textarea | Tag::Button))
    };
    let all = 0..outline.elements.len();
    let is_control = field.kind.captures_value() || field.kind == FieldType::Submit;
    match is_control && !matches!(field.kind, FieldType::Name | FieldType::Address) {
        true => all.into_iter().find(is_main),
        false => all.into_iter().next(),
    }
}

fn element_span(outline: &Outline<'_>, element: usize) -> Range<usize> {
    outline.elements.get(element).map_or(0..0, |e| e.span())
}

/// The attributes of a rendered field that carry its conditions.
fn conditions_of(outline: &Outline<'_>) -> Vec<(&'static str, String)> {
    let elements = 0..outline.elements.len();
    let said = elements.flat_map(|index| {
        CONDITIONS.into_iter().filter_map(move |name| {
            let value = outline.attribute(index, name)?;
            Some((name, value.into_owned()))
        })
    });
    said.collect()
}

fn source(outline: &Outline<'_>, element: usize) -> Option<String> {
    let span = outline.elements.get(element)?.span();
    Some(format!("{}\n", outline.source(&span)))
}

fn content_of(outline: &Outline<'_>, element: usize) -> String {
    let content = outline.elements.get(element).map_or(0..0, |e| e.content.clone());
    collapse(&outline.shown(&content))
}
