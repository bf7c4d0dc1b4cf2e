//! Builds fields other than single controls: groups, headings, text, and buttons.

use std::borrow::Cow;

use super::attributes::cut;
use super::fields::{Builder, keep};
use super::items::{Item, ItemKind};
use super::labels::settle;
use super::names::field_name_of;
use super::options;
use super::sets::is_rendered_button;
use crate::html::text::{collapse, is_unseen};
use crate::markers::without_marker;
use crate::warnings::WarningCode;
use model::check::is_name;
use model::rows::REPEAT;
use model::slug::slug_of;
use model::{Field, FieldOption, FieldType};

impl Builder<'_, '_> {
    pub(super) fn add_scope(&mut self, item: &Item, kind: FieldType, index: usize) {
        let Some(name) = self.rendered_name(item) else {
            let code = WarningCode::ControlWithoutName;
            return self.warn(code, item, "A group has no name.");
        };
        if let Some(known) = self.field_named(&name) {
            return self.unite(known, item, kind, false);
        }
        let (mut field, exact, mut place) = self.common(name, kind, item);
        let legend = self.items.texts.rendered(item.text.clone());
        let shown = without_marker(&legend, field.required).to_owned();
        let label = settle(shown, exact.label, Some(&field.name), field.required);
        field.label = cut(label);
        place.label = item.text.clone();
        keep(&mut field, "aria-label", exact.aria_label);
        if kind.is_box() {
            keep(&mut field, "value", exact.value);
        }
        let is_exact = exact.default_value.is_some();
        field.default_value = exact.default_value.unwrap_or_default();
        let field = self.push(None, field, item, place);
        if let Some(made) = self.made.get_mut(field) {
            made.has_exact_default = is_exact;
        }
        self.fields_of_items.push((index, field));
    }

    pub(super) fn rendered_name(&self, item: &Item) -> Option<String> {
        let name = self.items.value(item, "data-cf-name")?;
        Some(name.into_owned()).filter(|name| is_name(name))
    }

    pub(super) fn add_submit(&mut self, item: &Item) {
        let is_free = |name: &String| is_name(name) && self.field_named(name).is_none();
        let written = field_name_of(self.items.name(item)).into_owned();
        let stores = self.sets.stores_buttons() && !is_rendered_button(self.items, item);
        let known = self.field_named(&written).filter(|_| stores);
        let known = known.filter(|known| {
            let of = self.fields.get(*known);
            of.is_some_and(|field| field.kind.is_button() && !field.options.is_empty())
        });
        if let Some(known) = known {
            return self.add_button(known, item);
        }
        let named = Some(written).filter(is_free);
        let stores = stores && named.is_some();
        let named = named.or_else(|| self.rendered_name(item).filter(is_free));
        if !stores {
            self.warn_of_several_buttons(item);
        }
        let name = named.unwrap_or_else(|| self.make_up("submit"));
        let (mut field, exact, mut place) = self.common(name, FieldType::Submit, item);
        let text = self.items.texts.rendered(item.text.clone());
        let kind = self.items.raw_value(item, "type");
        let is_image = kind.eq_ignore_ascii_case("image");
        let alternative = field.attributes.get("alt").filter(|_| is_image).cloned();
        if is_image {
            for of_image in ["alt", "src", "width", "height"] {
                field.attributes.remove(of_image);
            }
        }
        let shown = if text.is_empty() {
            alternative.or(exact.value.clone()).unwrap_or_default()
        } else {
            field.default_value = exact.value.clone().unwrap_or_default();
            text
        };
        let is_exact = exact.label.is_some();
        field.label = cut(settle(shown, exact.label, Some("submit"), false));
        let mut aria_label = exact.aria_label;
        if is_unseen(&field.label) && !is_exact {
            field.label = self.label_without_text(aria_label.take(), item);
        }
        keep(&mut field, "aria-label", aria_label);
        place.label = item.text.clone();
        if stores {
            let value = match exact.value.unwrap_or_default() {
                value if value.is_empty() && is_image => "on".to_owned(),
                value => value,
            };
            self.store_button(&mut field, value);
        }
        self.push(None, field, item, place);
    }

    /// The label of a button without text: its `aria-label`, or else its tooltip, or else `Submit`.
    fn label_without_text(&self, aria_label: Option<String>, item: &Item) -> String {
        let named = aria_label.map(|label| collapse(&label));
        let named = named.filter(|label| !is_unseen(label));
        let title = || Some(self.title_of(item)?.text);
        cut(named.or_else(title).unwrap_or_else(|| "Submit".to_owned()))
    }

    /// Keeps the value that a button sends: as an option if several buttons send its name or the value is empty, or
    /// else as the default value.
    fn store_button(&self, field: &mut Field, value: String) {
        if self.sets.buttons(&field.name) > 1 || value.is_empty() {
            let label = std::mem::take(&mut field.label);
            field.default_value = String::new();
            field.options = vec![FieldOption {
                value,
                label,
                ..FieldOption::default()
            }];
        } else {
            field.default_value = cut(value);
        }
    }

    /// Adds a button to the field of the buttons that send the same name.
    pub(super) fn add_button(&mut self, known: usize, item: &Item) {
        let text = self.items.texts.rendered(item.text.clone());
        let value = self.items.value(item, "value").unwrap_or_default();
        let value = value.replace('\n', " ");
        let exact = self.items.value(item, "data-cf-label").map(Cow::into_owned);
        let is_exact = exact.is_some();
        let mut label = settle(text, exact, Some(&value), false);
        if is_unseen(&label) && !is_exact {
            let mut others = ["alt", "aria-label", "title"].into_iter();
            let other = others.find_map(|name| self.items.value(item, name));
            label = other.map_or_else(|| value.clone(), |other| collapse(&other));
        }
        let known = self.fields.get_mut(known).zip(self.made.get_mut(known));
        let Some((field, made)) = known.filter(|(field, _)| field.kind.is_button()) else {
            return;
        };
        let option = FieldOption {
            value,
            label: cut(label),
            image: options::image(self.items.value(item, "data-cf-image")),
        };
        let (values, warnings) = (&mut made.values, &mut self.warnings);
        options::unite(field, values, vec![option], warnings, item.offset);
    }

    /// Warns at the first button that sends something other than the form's first submit button, because the answers do
    /// not show which button was pressed. Rendered buttons need no warning: it was given when the author's HTML was
    /// read.
    fn warn_of_several_buttons(&mut self, item: &Item) {
        let value = |name| self.items.raw_value(item, name);
        let is_rendered = is_rendered_button(self.items, item);
        let sent = Some((value("name"), value("value"))).filter(|(name, _)| !name.is_empty());
        let is_other = !is_rendered && *self.first_sent.get_or_insert(sent) != sent;
        if is_other && !std::mem::replace(&mut self.several_buttons_are_reported, true) {
            let message = "The form has several submit buttons; the pressed one is not stored.";
            self.warn(WarningCode::ButtonNotStored, item, message);
        }
    }

    /// Adds a heading, paragraph, divider, fieldset or container; returns the field's index if the field can contain
    /// others.
    pub(super) fn add_structure(&mut self, item: &Item, next_name: &str) -> Option<usize> {
        let text = self.items.texts.rendered(item.text.clone());
        let rendered = self.rendered_name(item);
        let kind = match item.kind {
            ItemKind::Heading(_) if text.is_empty() && rendered.is_none() => return None,
            ItemKind::Heading(_) => FieldType::Heading,
            ItemKind::Paragraph => FieldType::Paragraph,
            ItemKind::Divider => FieldType::Divider,
            ItemKind::Container => FieldType::Container,
            _ => FieldType::Fieldset,
        };
        let is_free = |name: &String| name != next_name && self.field_named(name).is_none();
        let name = rendered.filter(is_free);
        let name = name.unwrap_or_else(|| match kind {
            FieldType::Fieldset => self.fieldset_name(item, &text),
            _ => self.make_up(kind.as_str()),
        });
        let (mut field, exact, mut place) = self.common(name, kind, item);
        field.label = match kind {
            FieldType::Container | FieldType::Divider => exact.label.unwrap_or_default(),
            _ => cut(settle(text, exact.label, None, false)),
        };
        field.default_value = exact.default_value.unwrap_or_default();
        keep(&mut field, "aria-label", exact.aria_label);
        if let ItemKind::Heading(level @ (1 | 3..=6)) = item.kind {
            let written = field.attributes.entry("aria-level".to_owned());
            written.or_insert_with(|| level.to_string());
        }
        place.label = item.text.clone();
        let field = self.push(None, field, item, place);
        kind.holds_fields().then_some(field)
    }

    fn fieldset_name(&mut self, item: &Item, legend: &str) -> String {
        let named = ["name", "id"].iter().find_map(|attribute| {
            let value = self.items.value(item, attribute)?.into_owned();
            Some(value).filter(|name| is_name(name) && !name.starts_with("cf-"))
        });
        let is_repeat = self.items.attribute(item, REPEAT).is_some();
        if let Some(name) = named.as_ref().filter(|_| is_repeat)
            && self.field_named(name).is_none()
        {
            // The names of the controls in its rows begin with this name.
            self.take_name(name);
            return name.clone();
        }
        let base = named.unwrap_or_else(|| match slug_of(legend).as_str() {
            "form" => "fieldset".to_owned(),
            slug => slug.to_owned(),
        });
        if base != "fieldset" && self.take_name(&base) {
            return base;
        }
        self.make_up(&base)
    }
}
