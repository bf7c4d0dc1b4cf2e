//! A new field that looks as the one beside it: a row of a table with its cells, the elements and classes
//! of a framework. What is not the neighbour's label or control is copied byte for byte.

use std::ops::Range;

use super::outline::{Element, Outline};
use super::texts::Marker;
use super::{Patch, tag};
use crate::html::edits::Edits;
use crate::html::escape;
use crate::html::tag::Tag;
use model::{Field, FieldType};

/// The most bytes of a field that another is made like.
const MAX_COPY: usize = 5_000;

impl Patch<'_> {
    /// The bytes of the field at an index, made to be those of another one. None where they are not one
    /// element with a label and a control only, are hidden, do more than to lay them out (a script, an
    /// attribute of a framework), or say nothing of their own: no cells and no class.
    pub(super) fn made_alike(
        &mut self,
        index: usize,
        bytes: &Range<usize>,
        field: &Field,
    ) -> Option<String> {
        let known = self.read.schema.fields.get(index)?.clone();
        self.place = self.read.places.get(index)?.clone();
        let is_plain = is_one_control(known.kind) && is_one_control(field.kind);
        let is_copied = is_plain
            && known.conditions.is_empty()
            && !field.label.is_empty()
            && field.conditions.is_empty()
            && bytes.len() <= MAX_COPY;
        let control = self.control().ok().filter(|_| is_copied)?;
        let texts = self.texts_at(&self.place.label, false);
        if texts.is_empty() || !self.holds_nothing_else(bytes, control, &texts) {
            return None;
        }
        let label = self.label_around(&texts.first()?.clone());
        let label = label.and_then(|label| self.outline.at(label.start));
        let (written, id) = self.rendered_alike(control, field)?;
        let others = std::mem::take(&mut self.edits);
        let marker = match (known.required, field.required) {
            (true, false) => Marker::Goes,
            (true, true) => Marker::Stays,
            _ => Marker::None,
        };
        let said = self.set_text("label", &texts, &known.label, &field.label, marker);
        if let Some(label) = label
            && self.outline.value(label, "for").is_some()
        {
            self.set(label, "for", Some(&id));
        }
        let span = self.outline.elements.get(control).map(Element::span);
        self.edits.replace(span?, written);
        let edits = std::mem::replace(&mut self.edits, others);
        said.ok()?;
        Some(edits.apply_within(self.html, bytes.clone()))
    }

    /// Whether those bytes are one element that lays out a control and the text that names it, with cells
    /// or classes, for visitors to see, and hold nothing else.
    fn holds_nothing_else(
        &self,
        bytes: &Range<usize>,
        control: usize,
        texts: &[Range<usize>],
    ) -> bool {
        let elements = &self.outline.elements;
        let Some(whole) = self.outline.at(bytes.start) else {
            return false;
        };
        let own = elements.get(control).map_or(0..0, Element::span);
        // A table or list is not a field's own, if it holds no other.
        let is_whole = whole != control
            && elements.get(whole).is_some_and(|element| {
                let is_list = matches!(element.name, Tag::Table | Tag::Ul | Tag::Ol | Tag::Menu);
                element.span() == *bytes && !is_list
            });
        let is_of_control = |at: usize| own.contains(&at);
        let within = whole..self.outline.at_or_behind(bytes.end);
        let is_named = |index: usize| self.outline.value(index, "for").is_some();
        let labels = within.clone().filter(|index| is_named(*index)).count();
        let is_plain = labels <= 1
            && self.is_all_plain(bytes, is_of_control)
            && !self.is_kept_from_visitors(control, bytes);
        let has_class = |index: usize| self.outline.value(index, "class").is_some();
        let is_row = self.is(whole, Tag::Tr);
        let shown = self.outline.texts_in(bytes);
        let mut shown = shown.iter().filter(|text| !is_of_control(text.start));
        is_whole
            && is_plain
            && (is_row || within.into_iter().any(has_class))
            && shown.all(|text| texts.contains(text))
    }

    /// A field's control with the class of others of its kind, its help behind it, and its id.
    fn rendered_alike(&self, control: usize, field: &Field) -> Option<(String, String)> {
        let page = super::add::rendered(field, false);
        let outline = Outline::of(&page);
        let own = outline.elements.iter().position(Element::is_control)?;
        let element = outline.elements.get(own)?;
        let class = match field.css_class.as_str() {
            "" => self.class_of(control, element.name),
            class => Some(class.to_owned()),
        };
        let mut edits = Edits::default();
        tag::set(
            &mut edits,
            &page,
            &*outline.tag(own)?,
            "class",
            class.as_deref(),
        );
        let mut written = edits.apply_within(&page, element.span());
        if !field.description.is_empty() {
            let id = outline.value(own, "aria-describedby")?;
            written.push_str(" <small id=\"");
            escape::attribute_value(&mut written, &id);
            written.push_str("\">");
            escape::text(&mut written, &field.description);
            written.push_str("</small>");
        }
        Some((written, outline.value(own, "id")?.into_owned()))
    }

    /// The class of a control, or of the last one of that element before it.
    fn class_of(&self, control: usize, name: Tag) -> Option<String> {
        let is_one = |index: &usize| {
            let kind = self.outline.value(*index, "type").unwrap_or_default();
            let is_ticked = ["radio", "checkbox", "hidden", "submit", "file"]
                .iter()
                .any(|own| kind.eq_ignore_ascii_case(own));
            self.is(*index, name) && !is_ticked
        };
        let like = (0..=control).rev().find(is_one).unwrap_or(control);
        let class = self.outline.value(like, "class");
        class.map(|class| class.into_owned())
    }
}

/// Whether a field is one control with one label, and written like others of that sort.
const fn is_one_control(kind: FieldType) -> bool {
    matches!(
        kind,
        FieldType::Select | FieldType::Date | FieldType::Number
    ) || kind.has_length()
}
