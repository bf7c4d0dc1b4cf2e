//! Other members for a field, in the tags and texts that say them.
//!
//! What changes in a tag is found out by rendering the field as it was and as it is to be: the attributes
//! in which the two differ are set in the author's tag.

use std::ops::Range;

use super::outline::{Element, Outline};
use super::refusal::Reason;
use super::{Editor, rendered};
use crate::html::escape;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::{PREFIX, without_last_marker};
use model::{Field, FieldType};

const OTHER_ELEMENT: Reason = Reason("type", "its element would have to become another");
const OTHER_LABEL: Reason = Reason("label", "its text is not one text of the markup");
const OTHER_HELP: Reason = Reason("description", OTHER_LABEL.1);
const OTHER_OPTIONS: Reason = Reason("options", "they are not those of the markup");

/// The attributes that carry conditions.
const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

/// An element of a field as it is rendered.
type Rendered<'o> = (&'o Outline<'o>, &'o Element);

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        for (member, is_moved) in [
            ("position", from.position != to.position),
            ("group", from.group != to.group),
        ] {
            if is_moved {
                return Err(Reason(member, "nothing is moved in the markup"));
            }
        }
        let element = self.element()?;
        let (before, after) = (rendered(from, false), rendered(to, false));
        let (before, after) = (Outline::of(&before), Outline::of(&after));
        let (Some(was), Some(becomes)) = (main_element(&before), main_element(&after)) else {
            return Err(OTHER_ELEMENT);
        };
        if was.name != becomes.name {
            return Err(OTHER_ELEMENT);
        }
        let choices = self.choices(&from.name);
        let mut around = self.outline.around(element.span()).into_iter();
        let fieldset = around.find(|around| around.name == Tag::Fieldset);
        let holder = if choices.is_empty() {
            Some(element)
        } else {
            fieldset
        };
        if let Some(holder) = holder {
            self.update_attributes(&holder, (&before, &was), (&after, &becomes));
            self.update_class(&holder, from, to);
        }
        self.update_options(&element, (&before, &was), (&after, &becomes), &choices)?;
        if from.label != to.label || from.required != to.required {
            self.update_label(&element, from, to)?;
        }
        if from.description != to.description {
            let help = self.read.texts.spans(self.place.help.clone(), true);
            self.replace_text(&help, &to.description, OTHER_HELP)?;
        }
        if from.conditions != to.conditions {
            self.update_conditions(element, &before, &after);
        }
        if from.name != to.name {
            let controls = choices.iter().map(|(control, _)| *control);
            let own = choices.is_empty().then_some(element);
            for control in controls.chain(own).collect::<Vec<_>>() {
                self.rename(&control, from, to);
            }
            self.rename_in_conditions(&from.name, Some(&to.name));
        }
        Ok(())
    }

    /// Sets what the options of a select or the choices of a set say, where they are as many as there were;
    /// else writes all of a select's. A textarea's text is written anew.
    fn update_options(
        &mut self,
        element: &Element,
        (before, was): Rendered<'_>,
        (after, becomes): Rendered<'_>,
        choices: &[(Element, Range<u32>)],
    ) -> Result<(), Reason> {
        let is_set = !choices.is_empty();
        let name = if is_set { Tag::Input } else { Tag::Option };
        let own: Vec<(Element, Vec<Range<usize>>)> = if is_set {
            let texts = |label: &Range<u32>| self.read.texts.spans(label.clone(), true);
            let own = choices.iter().map(|(own, label)| (*own, texts(label)));
            own.collect()
        } else {
            let own = self.outline.named(element.content(), name);
            let texts = |own: &Element| self.outline.texts_in(own.content());
            own.into_iter().map(|own| (own, texts(&own))).collect()
        };
        let old = before.named(was.content(), name);
        let new = after.named(becomes.content(), name);
        let is_whole = matches!(was.name, Tag::Select | Tag::Textarea);
        if old.len() == new.len() && own.len() == old.len() && was.name != Tag::Textarea {
            for (((own, texts), was), becomes) in own.iter().zip(&old).zip(&new) {
                self.update_attributes(own, (before, was), (after, becomes));
                let text = after.text_of_choice(becomes);
                if before.text_of_choice(was) != text {
                    if self.outline.attribute(own, "value").is_none() {
                        self.set(own, "value", after.attribute(becomes, "value").as_deref());
                    }
                    self.replace_text(texts, &text, OTHER_OPTIONS)?;
                }
            }
        } else if is_whole {
            let written = after.source(becomes.content());
            if before.source(was.content()) != written {
                self.edits.replace(element.content(), written.to_owned());
            }
        } else {
            return Err(OTHER_OPTIONS);
        }
        Ok(())
    }

    /// Sets the attributes in which two rendered tags differ.
    fn update_attributes(&mut self, own: &Element, old: Rendered<'_>, new: Rendered<'_>) {
        let (old, new) = (old.0.attributes(old.1), new.0.attributes(new.1));
        for (name, value) in &new {
            if is_authors(name) && !old.contains(&(name, value.clone())) {
                self.set(own, name, Some(value));
            }
        }
        for (name, _) in old.iter().filter(|(name, _)| is_authors(name)) {
            if !new.iter().any(|(known, _)| known == name) {
                self.set(own, name, None);
            }
        }
    }

    fn update_class(&mut self, own: &Element, from: &Field, to: &Field) {
        if from.css_class != to.css_class {
            let written = self.outline.attribute(own, "class").unwrap_or_default();
            let kept = written.strip_suffix(from.css_class.as_str());
            let class = format!("{}{}", kept.unwrap_or_default(), to.css_class);
            let class = Some(class.trim()).filter(|class| !class.is_empty());
            self.set(own, "class", class);
        }
    }

    /// The text or attribute that names a field. The marks of a required one stay where they are no part of
    /// that text.
    fn update_label(&mut self, own: &Element, from: &Field, to: &Field) -> Result<(), Reason> {
        let is_other = from.label != to.label;
        if self.place.label.is_empty() {
            let is_button = to.kind == FieldType::Submit;
            let name = if is_button { "value" } else { "aria-label" };
            if is_other {
                self.set(own, name, Some(&to.label));
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
        let old = self.outline.source(span.clone());
        let start = span.start + (old.len() - old.trim_ascii_start().len());
        let mut written = String::new();
        escape::text(&mut written, text);
        let end = start + old.trim_ascii().len();
        self.edits.replace(start..end, written);
        Ok(())
    }

    /// Conditions stay on the element that has them, or go on the largest that holds the field alone.
    fn update_conditions(&mut self, own: Element, before: &Outline<'_>, after: &Outline<'_>) {
        let has_any = |at: &Element| {
            let mut names = CONDITIONS.iter();
            names.any(|name| self.outline.attribute(at, name).is_some())
        };
        let mut around = std::iter::once(own).chain(self.outline.around(own.span()));
        let known = around.find(has_any).or_else(|| self.wrapper(&own.span()));
        for name in CONDITIONS {
            let value = |of: &Outline<'_>| {
                let mut values = of.elements.iter().map(|at| of.attribute(at, name));
                Some(values.find_map(|value| value)?.into_owned())
            };
            if value(before) != value(after) {
                self.set(&known.unwrap_or(own), name, value(after).as_deref());
            }
        }
    }

    /// Gives a control of a field its new name, with the brackets that it has.
    fn rename(&mut self, control: &Element, from: &Field, to: &Field) {
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

/// The rendered element that carries what a field says: its fieldset or control, else the first.
fn main_element(outline: &Outline<'_>) -> Option<Element> {
    const KNOWN: [Tag; 5] = [
        Tag::Fieldset,
        Tag::Input,
        Tag::Select,
        Tag::Textarea,
        Tag::Button,
    ];
    let mut elements = outline.elements.iter();
    let known = elements.find(|own| KNOWN.contains(&own.name));
    known.or(outline.elements.first()).copied()
}
