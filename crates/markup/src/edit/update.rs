//! Other members for a field, in the tags and texts that say them.
//!
//! What changes in a tag is found out by rendering the field as it was and as it is to be: the attributes
//! in which the two differ are set in the author's tag.

use std::borrow::Cow;
use std::ops::Range;

use super::outline::{Element, Outline};
use super::refusal::Reason;
use super::{Choice, Editor, rendered};
use crate::html::escape;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::{PREFIX, without_last_marker};
use model::{Field, FieldType};

const OTHER_ELEMENT: Reason = Reason::of("type", "its element would have to become another");
const NOT_ONE_TEXT: &str = "its text is not one text of the markup";
const OTHER_LABEL: Reason = Reason::of("label", NOT_ONE_TEXT);
const OTHER_HELP: Reason = Reason::of("description", NOT_ONE_TEXT);
const OTHER_OPTIONS: Reason = Reason::of("options", "they are not those of the markup");

/// The attributes that carry conditions.
const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

/// A field as it is rendered.
struct Rendered<'h> {
    outline: Outline<'h>,
    /// The element that carries what the field says: its fieldset or control, else the first.
    main: Element,
}

impl<'h> Rendered<'h> {
    fn of(html: &'h str) -> Result<Rendered<'h>, Reason> {
        use Tag::{Button, Fieldset, Input, Select, Textarea};
        let outline = Outline::of(html);
        let is_main = |tag: Tag| matches!(tag, Fieldset | Input | Select | Textarea | Button);
        let mut elements = outline.elements.iter();
        let main = elements.find(|own| is_main(own.name));
        let main = main.or(outline.elements.first()).copied();
        let main = main.ok_or(OTHER_ELEMENT)?;
        Ok(Rendered { outline, main })
    }

    /// The attributes of one of its elements that may stand in the author's tag.
    fn attributes(&self, element: &Element) -> Vec<(&'h str, Cow<'h, str>)> {
        let is_renderings = |name: &str| {
            let marker = name.strip_prefix(PREFIX);
            matches!(name, "id" | "class" | "name" | "list" | "aria-describedby")
                || matches!(marker, Some("name" | "id" | "label" | "description"))
                || CONDITIONS.contains(&name)
        };
        let mut own = self.outline.attributes(element);
        own.retain(|(name, _)| !is_renderings(name));
        own
    }
}

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        if (from.position, &from.group) != (to.position, &to.group) {
            let is_in_group = from.group == to.group;
            let member = if is_in_group { "position" } else { "group" };
            return Err(Reason::of(member, "nothing is moved in the markup"));
        }
        let element = self.element()?;
        let (was, becomes) = (rendered(from, false), rendered(to, false));
        let (was, becomes) = (Rendered::of(&was)?, Rendered::of(&becomes)?);
        if was.main.name != becomes.main.name {
            return Err(OTHER_ELEMENT);
        }
        let choices = self.choices(&from.name);
        let mut controls: Vec<Element> = choices.iter().map(|(own, _)| *own).collect();
        if controls.is_empty() {
            controls.push(element);
        }
        let holds_all = |own: &Element| choices.is_empty() || own.name == Tag::Fieldset;
        let holder = self.outline.with_around(element).find(holds_all);
        if let Some(holder) = holder {
            self.update_attributes(&holder, (&was, &was.main), (&becomes, &becomes.main));
            self.update_class(&holder, from, to);
        }
        self.update_options(&element, choices, &was, &becomes)?;
        if from.label != to.label || from.required != to.required {
            self.update_label(&element, from, to)?;
        }
        if from.description != to.description {
            let help = self.read.texts.spans(self.place.help.clone(), true);
            self.replace_text(&help, &to.description, OTHER_HELP)?;
        }
        if from.conditions != to.conditions {
            self.update_conditions(element, &was.outline, &becomes.outline);
        }
        if from.name != to.name {
            for control in &controls {
                self.rename(control, from, to);
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
        choices: Vec<Choice>,
        was: &Rendered<'_>,
        becomes: &Rendered<'_>,
    ) -> Result<(), Reason> {
        let (name, own) = match choices.as_slice() {
            [] => (Tag::Option, self.options(element)),
            _ => (Tag::Input, choices),
        };
        let old = was.outline.named(was.main.content(), name);
        let new = becomes.outline.named(becomes.main.content(), name);
        let is_text = was.main.name == Tag::Textarea;
        let is_as_many = [own.len(), old.len()] == [new.len(); 2];
        if is_text || (!is_as_many && was.main.name == Tag::Select) {
            let written = becomes.outline.source(becomes.main.content());
            if was.outline.source(was.main.content()) != written {
                self.edits.replace(element.content(), written.to_owned());
            }
            return Ok(());
        }
        if !is_as_many {
            return Err(OTHER_OPTIONS);
        }
        for (((own, texts), old), new) in own.iter().zip(&old).zip(&new) {
            self.update_attributes(own, (was, old), (becomes, new));
            let text = becomes.outline.text_of_choice(new);
            if was.outline.text_of_choice(old) != text {
                if self.outline.attribute(own, "value").is_none() {
                    let value = becomes.outline.attribute(new, "value");
                    self.set(own, "value", value.as_deref());
                }
                self.replace_text(texts, &text, OTHER_OPTIONS)?;
            }
        }
        Ok(())
    }

    /// The options of a select, each with its text if that is one.
    fn options(&self, select: &Element) -> Vec<Choice> {
        let is_text = |text: &Range<usize>| !self.outline.source(text.clone()).contains('<');
        let own = self
            .outline
            .named(select.content(), Tag::Option)
            .into_iter();
        let own = own.map(|own| (own, Vec::from_iter(Some(own.content()).filter(is_text))));
        own.collect()
    }

    /// Sets the attributes in which two rendered tags differ.
    fn update_attributes(
        &mut self,
        own: &Element,
        (was, old): (&Rendered<'_>, &Element),
        (becomes, new): (&Rendered<'_>, &Element),
    ) {
        let (old, new) = (was.attributes(old), becomes.attributes(new));
        for attribute in new.iter().filter(|attribute| !old.contains(attribute)) {
            self.set(own, attribute.0, Some(&attribute.1));
        }
        for (name, _) in &old {
            if !new.iter().any(|(known, _)| known == name) {
                self.set(own, name, None);
            }
        }
    }

    /// Gives a control of a field its new name, with the brackets that it has.
    fn rename(&mut self, control: &Element, from: &Field, to: &Field) {
        let mut is_named = false;
        for attribute in ["name", "data-cf-name"] {
            let Some(written) = self.outline.attribute(control, attribute) else {
                continue;
            };
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

    fn update_class(&mut self, own: &Element, from: &Field, to: &Field) {
        if from.css_class != to.css_class {
            let written = self.outline.attribute(own, "class").unwrap_or_default();
            let kept = written.strip_suffix(&*from.css_class).unwrap_or_default();
            let class = format!("{kept}{}", to.css_class);
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
        texts.retain(|text| {
            let shown = self.outline.shown(text.clone());
            !without_last_marker(shown.trim()).is_empty()
        });
        let shown = texts.first().map(|text| self.outline.shown(text.clone()));
        let shown = collapse(&shown.unwrap_or_default());
        // The word that marks a required field goes with that.
        let label = if to.required || !from.required {
            shown.replacen(&from.label, &to.label, 1)
        } else {
            to.label.clone()
        };
        if is_other || (texts.len() == 1 && shown != label) {
            self.replace_text(&texts, &label, OTHER_LABEL)?;
        }
        Ok(())
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
        let end = start + old.trim_ascii().len();
        let mut written = String::new();
        escape::text(&mut written, text);
        self.edits.replace(start..end, written);
        Ok(())
    }

    /// Conditions stay on the element that has them, or go on the largest that holds the field alone.
    fn update_conditions(&mut self, own: Element, was: &Outline<'_>, becomes: &Outline<'_>) {
        let has = |at: &Element, name: &&str| self.outline.attribute(at, name).is_some();
        let has_any = |at: &Element| CONDITIONS.iter().any(|name| has(at, name));
        let known = self.outline.with_around(own).find(has_any);
        let holder = known.or_else(|| self.wrapper(&own.span())).unwrap_or(own);
        for name in CONDITIONS {
            let value = |of: &Outline<'_>| {
                let mut elements = of.elements.iter();
                Some(elements.find_map(|at| of.attribute(at, name))?.into_owned())
            };
            if value(was) != value(becomes) {
                self.set(&holder, name, value(becomes).as_deref());
            }
        }
    }
}
