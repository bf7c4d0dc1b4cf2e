//! Fields of one control.

use super::attributes::{Exact, cut};
use super::choices;
use super::fields::{Builder, is_name, keep};
use super::items::{Item, Owner};
use super::labels::{self, settle};
use crate::forms::{Field, FieldType};
use crate::markup::html::text::collapse;
use crate::markup::html::tokens::find;
use crate::markup::markers::{self, without_marker};
use crate::markup::warnings::WarningCode;

impl Builder<'_> {
    pub(super) fn add_control(&mut self, item: &Item, kind: FieldType, index: u32) {
        if self.scope_of(item).is_some() {
            return;
        }
        let rendered = self.items.attribute(item, "data-cf-name");
        let name = match rendered.filter(|_| kind == FieldType::Consent) {
            Some(name) => {
                Some((name.value().into_owned(), false)).filter(|(name, _)| is_name(name))
            }
            None => self.control_name(item),
        };
        let Some((name, is_list)) = name else { return };
        if let Some(&known) = self.names.get(&name) {
            return self.merge(known, item, kind, is_list);
        }
        let (mut field, exact) = self.common(name, kind, item);
        if is_list && kind != FieldType::Select {
            field.attributes.entry("multiple".to_owned()).or_default();
        }
        if kind == FieldType::Text {
            self.keep_text_kind(&mut field, item);
        }
        field.default_value = match kind {
            FieldType::Textarea => cut(&self.items.texts.verbatim(item.text.clone())),
            FieldType::Select => {
                let owner = Owner::Select(index);
                let chosen = choices::read(&mut field, owner, &self.owners, &mut self.items);
                if field.placeholder.is_empty() {
                    field.placeholder = chosen.placeholder.unwrap_or_default();
                }
                let shown = chosen.values.join("\n");
                exact.default_value.clone().unwrap_or(shown)
            }
            FieldType::Consent if exact.is_checked => {
                let value = exact.value.clone().unwrap_or_else(|| "on".to_owned());
                exact.default_value.clone().unwrap_or(value)
            }
            FieldType::Consent => String::new(),
            FieldType::File => exact.default_value.clone().unwrap_or_default(),
            _ => cut(exact.value.as_deref().unwrap_or_default()),
        };
        if let Some(list) = self.items.attribute(item, "list")
            && let Some(datalist) = self.items.datalists.get(list.raw_value)
            && markers::suggests_options(kind)
        {
            choices::read(
                &mut field,
                Owner::Datalist(*datalist),
                &self.owners,
                &mut self.items,
            );
        }
        if kind == FieldType::Consent {
            keep(&mut field, "value", exact.value.clone());
        }
        field.label = match kind {
            FieldType::Hidden => {
                keep(&mut field, "aria-label", exact.aria_label);
                exact.label.unwrap_or_default()
            }
            _ => self.label_of(item, &mut field, exact),
        };
        self.push(field, item);
    }

    /// Types of text that the specification does not know keep what browsers do with them.
    fn keep_text_kind(&self, field: &mut Field, item: &Item) {
        let kind = self.items.attribute(item, "type");
        let kind = kind.map(|kind| kind.raw_value.to_ascii_lowercase());
        if let Some(kind @ ("search" | "month" | "week")) = kind.as_deref() {
            field.attributes.insert("type".to_owned(), kind.to_owned());
        }
    }

    /// A further control of a name. A list takes its default value too.
    pub(super) fn merge(&mut self, known: usize, item: &Item, kind: FieldType, is_list: bool) {
        let Some(field) = self.fields.get_mut(known) else {
            return;
        };
        if is_list && field.kind == kind && kind != FieldType::Select {
            if let Some(value) = find(self.items.within(&item.attributes), "value")
                && !value.raw_value.is_empty()
            {
                let joined = format!("{}\n{}", field.default_value, value.value());
                field.default_value = cut(joined.trim_start_matches('\n'));
            }
            return;
        }
        let message = format!(
            "There is a field `{}` already; this control is left out.",
            field.name
        );
        self.warn(WarningCode::DuplicateName, item, message);
    }

    /// The label of a control that is a field of its own.
    pub(super) fn label_of(&mut self, item: &Item, field: &mut Field, exact: Exact) -> String {
        let shown = self.labels.shown(&self.items, item);
        let shown = without_marker(&shown, field.required).to_owned();
        let is_exact = exact.label.is_some();
        let substitute = labels::substitute(&field.name);
        let label = settle(shown, exact.label, &substitute, field.required);
        if is_exact || !label.is_empty() {
            keep(field, "aria-label", exact.aria_label);
            return cut(&label);
        }
        let aria_label = exact.aria_label.map(|label| collapse(&label));
        let label = aria_label
            .filter(|label| !label.is_empty())
            .or_else(|| Some(collapse(&field.placeholder)).filter(|text| !text.is_empty()))
            .or_else(|| self.labels.orphan(&self.items, item, self.mark_before))
            .or_else(|| self.text_beside(item, field.kind));
        if label.is_none() {
            let message = format!("The control `{}` has no label.", field.name);
            self.warn(WarningCode::ControlWithoutLabel, item, message);
        }
        let label = label.unwrap_or_default();
        cut(without_marker(&label, field.required))
    }

    /// Plain text beside a control: after a box to tick, before anything else.
    pub(super) fn text_beside(&self, item: &Item, kind: FieldType) -> Option<String> {
        if item.is_in_label {
            return None;
        }
        let texts = &self.items.texts;
        let before = item.mark.saturating_sub(1);
        let mut text = match kind {
            FieldType::Radio | FieldType::Checkbox | FieldType::Consent => {
                texts.rendered(texts.after(item.mark))
            }
            _ => texts.rendered(texts.before(before)),
        };
        if text.is_empty() && item.is_in_cell {
            text = texts.rendered(texts.before_break(before));
        }
        let text = text.trim_end_matches([':', '：']).trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }
}
