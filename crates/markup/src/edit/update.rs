//! Updates a field in the author's tags and texts.
//!
//! The editor renders the old and the new field, and sets the attributes in which they differ in the author's tag. A
//! change that cannot be expressed this way is left out. Reading the result then gives a different field than wanted,
//! so the edit is rejected.

use std::borrow::Cow;
use std::iter::once;
use std::ops::Range;

use super::choices::written;
use super::outline::{Element, Outline};
use super::{Choice, Editor, NO_ELEMENT, Reason, rendered};
use crate::html::attributes::Attribute;
use crate::html::entities::decode_text;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::{PREFIX, without_last_marker};
use model::Field;

/// The attributes that carry conditions.
const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

/// The old or the new field, rendered.
pub(super) struct Rendered<'h> {
    pub(super) field: &'h Field,
    pub(super) outline: Outline<'h>,
    /// The element that carries the field's attributes: its fieldset or control, or else the first element.
    pub(super) main: Element,
    /// The options of a select, or the choices of a set.
    pub(super) options: Vec<Element>,
}

impl<'h> Rendered<'h> {
    fn of(html: &'h str, field: &'h Field) -> Result<Rendered<'h>, Reason> {
        use Tag::{Button, Fieldset, Input, Select, Textarea};
        let outline = Outline::of(html);
        let is_main = |tag| matches!(tag, Fieldset | Input | Select | Textarea | Button);
        let main = outline.elements.iter().find(|element| is_main(element.tag));
        let main = main.or(outline.elements.first()).cloned();
        let main = main.ok_or(NO_ELEMENT)?;
        let is_select = main.tag == Tag::Select;
        let option = if is_select { Tag::Option } else { Input };
        Ok(Rendered {
            options: outline.named(main.content.clone(), option),
            field,
            outline,
            main,
        })
    }

    /// The attributes of a rendered element that an update copies to the author's tag.
    pub(super) fn attributes(&self, element: &Element) -> Vec<Attribute<'h>> {
        let is_renderings = |name: &str| {
            let marker = name.strip_prefix(PREFIX);
            matches!(name, "id" | "class" | "name" | "list" | "aria-describedby")
                || matches!(marker, Some("name" | "id" | "label" | "description"))
                || CONDITIONS.contains(&name)
        };
        let all = self.outline.attributes(element).iter();
        all.filter(|known| !is_renderings(known.name())).collect()
    }

    /// The text of an option, or of the label after a choice, without the label's picture.
    pub(super) fn text_of(&self, choice: &Element) -> Cow<'h, str> {
        let mut behind = self.outline.within(choice.span.start..usize::MAX).iter();
        let shows = behind.find(|element| matches!(element.tag, Tag::Option | Tag::Label));
        let source = self.outline.source(&shows.unwrap_or(choice).content);
        decode_text(source.rsplit_once('>').map_or(source, |(_, text)| text))
    }
}

impl Editor<'_> {
    pub(super) fn update(&mut self, from: &Field, to: &Field) -> Result<(), Reason> {
        let element = self.outline.at(self.place.offset).ok_or(NO_ELEMENT)?;
        let (was, becomes) = (rendered(from, false), rendered(to, false));
        let (was, becomes) = (Rendered::of(&was, from)?, Rendered::of(&becomes, to)?);
        let is_set = was.main.tag == Tag::Fieldset;
        let holds_all = |element: &&Element| !is_set || element.tag == Tag::Fieldset;
        let holder = self.outline.with_around(&element).find(holds_all).cloned();
        if let Some(holder) = &holder {
            let old = was.attributes(&was.main);
            self.update_attributes(holder, &old, &becomes.attributes(&becomes.main));
            self.update_class(holder, from, to);
        }
        let choices = self.choices(&from.name, &element);
        self.update_choices(&element, &choices, &was, &becomes);
        if from.label != to.label || from.required != to.required {
            self.update_label(&element, from, to);
        }
        if from.description != to.description {
            let help = self.read.texts.spans(self.place.help.clone(), true);
            match &holder {
                Some(holder) if help.is_empty() => self.add_help(&element, holder, to),
                _ => self.replace_text(&help, &to.description),
            }
        }
        if from.conditions != to.conditions {
            self.update_conditions(&element, &was.outline, &becomes.outline);
        }
        if from.name != to.name {
            for control in once(&element).chain(choices.iter().map(|(choice, _)| choice)) {
                self.rename(control, &from.name, &to.name);
            }
            self.rename_in_conditions(&from.name, Some(&to.name));
        }
        Ok(())
    }

    /// Updates the options of a select or the choices of a set, each in its element. If that fails, a select's
    /// content is rewritten. A textarea's text is rewritten if it changes.
    fn update_choices(
        &mut self,
        element: &Element,
        choices: &[Choice],
        was: &Rendered<'_>,
        becomes: &Rendered<'_>,
    ) {
        let before = was.outline.source(&was.main.content);
        let written = becomes.outline.source(&becomes.main.content);
        let is_text = was.main.tag == Tag::Textarea;
        let is_done = !is_text && self.update_options(choices, was, becomes);
        let is_select = was.main.tag == Tag::Select;
        if (is_text || is_select) && !is_done && before != written {
            let content = element.content.clone();
            self.edits.replace(content, written.to_owned());
        }
    }

    /// Sets the attributes in which two rendered tags differ.
    pub(super) fn update_attributes(
        &mut self,
        element: &Element,
        old: &[Attribute<'_>],
        new: &[Attribute<'_>],
    ) {
        let value_in = |of: &[Attribute<'_>], name| {
            let found = of.iter().find(|known| known.name() == name);
            found.map(|known| known.value().into_owned())
        };
        for name in old.iter().chain(new).map(|attribute| attribute.name()) {
            let value = value_in(new, name);
            if value_in(old, name) != value {
                self.set(element, name, value.as_deref());
            }
        }
    }

    /// Renames a control of a field; brackets in its name stay.
    fn rename(&mut self, control: &Element, from: &str, to: &str) {
        for attribute in ["name", "data-cf-name"] {
            let written = self.outline.attribute(control, attribute);
            if let Some(rest) = written.unwrap_or_default().strip_prefix(from) {
                self.set(control, attribute, Some(&format!("{to}{rest}")));
            }
        }
    }

    fn update_class(&mut self, element: &Element, from: &Field, to: &Field) {
        if from.css_class != to.css_class {
            let written = self.outline.attribute(element, "class").unwrap_or_default();
            let kept = written.strip_suffix(&*from.css_class).unwrap_or_default();
            let class = format!("{kept}{}", to.css_class);
            let class = Some(class.trim()).filter(|class| !class.is_empty());
            self.set(element, "class", class);
        }
    }

    /// Updates the text or attribute that labels a field. A mark of required fields stays if it is a text of its own.
    fn update_label(&mut self, element: &Element, from: &Field, to: &Field) {
        if self.place.label.is_empty() {
            let name = if to.kind.is_button() {
                "value"
            } else {
                "aria-label"
            };
            if from.label != to.label {
                self.set(element, name, Some(&to.label));
            }
            return;
        }
        let mut texts = self.read.texts.spans(self.place.label.clone(), false);
        let shown = |text: &Range<usize>| collapse(&decode_text(self.outline.source(text)));
        texts.retain(|text| !without_last_marker(&shown(text)).is_empty());
        let shown = texts.first().map(shown).unwrap_or_default();
        // A word that marks a field as required is removed when the field becomes optional.
        let label = if to.required || !from.required {
            shown.replacen(&from.label, &to.label, 1)
        } else {
            to.label.clone()
        };
        if shown != label {
            self.replace_text(&texts, &label);
        }
    }

    /// Replaces the text in `texts` if there is exactly one; the white space around it stays.
    pub(super) fn replace_text(&mut self, texts: &[Range<usize>], text: &str) {
        if let [span] = texts {
            let (span, written) = written(&self.outline, span, text);
            self.edits.replace(span, written);
        }
    }

    /// Updates conditions on the element that has them, or on the largest element that contains only this field.
    fn update_conditions(&mut self, element: &Element, was: &Outline<'_>, becomes: &Outline<'_>) {
        let has = |at: &&Element, name: &&str| self.outline.attribute(at, name).is_some();
        let has_any = |at: &&Element| CONDITIONS.iter().any(|name| has(at, name));
        let known = self.outline.with_around(element).find(has_any);
        let holder = known.or_else(|| self.wrapper(&element.span));
        let holder = holder.unwrap_or(element).clone();
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
