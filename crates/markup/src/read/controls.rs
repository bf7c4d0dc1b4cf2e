//! Builds fields with one control.

use super::MAX_MARKUP_BYTES;
use super::attributes::{Exact, cut, cut_text};
use super::fields::{Builder, Place, keep};
use super::items::Item;
use super::labels::{LabelText, is_same_text, settle};
use super::options::{self, OptionsOwner};
use super::unite;
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::without_marker;
use crate::warnings::WarningCode;
use model::field_variants::variants_by;
use model::label_texts::without_colon;
use model::messages::part_label;
use model::parts::part_of;
use model::{Field, FieldOption, FieldType};

/// Maximum size of the options that a document's inputs copy from datalists, in bytes; enough for all options that a
/// document can have.
const MAX_SUGGESTED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

impl Builder<'_, '_> {
    pub(super) fn add_control(&mut self, item: &Item, kind: FieldType) {
        if let Some(scope) = self.scope_of(item) {
            return self.read_part(scope, item);
        }
        let rendered = self.rendered_name(item);
        let name = match rendered.filter(|_| kind.is_consent()) {
            Some(name) => Some((name, false)),
            None => self.control_name(item),
        };
        let Some((name, is_list)) = name else { return };
        let known = self.field_named(&name);
        let text = known.and_then(|known| self.fields.get(known));
        let is_beside_choice = |text: &Field| {
            kind == FieldType::Select && text.kind != kind && unite::is_text(text.kind)
        };
        let text = text.filter(|text| is_beside_choice(text)).cloned();
        if let Some(known) = known.filter(|_| text.is_none()) {
            return self.unite(known, item, kind, is_list);
        }
        let (mut field, mut exact, mut place) = self.common(name, kind, item);
        if is_list && kind != FieldType::Select {
            field.attributes.entry("multiple".to_owned()).or_default();
        }
        // An input type without its own field type becomes an attribute of a text field, for browsers.
        let written = self.items.raw_value(item, "type");
        let mut others = variants_by(kind, "type").map(|variant| variant.mark.1);
        if let Some(other) = others.find(|other| written.eq_ignore_ascii_case(other)) {
            field.attributes.insert("type".to_owned(), other.to_owned());
        }
        // A number without an input type comes from an `<output>`.
        if kind == FieldType::Number && written.is_empty() {
            field.attributes.entry("readonly".to_owned()).or_default();
        }
        field.default_value = self.default_value(&mut field, &mut exact, item);
        let list = self.items.raw_value(item, "list");
        if let Some(datalist) = self.items.datalists.get(list)
            && kind.suggests_options()
        {
            self.suggest(&mut field, OptionsOwner::Datalist(*datalist), item);
        }
        if kind.is_consent() {
            keep(&mut field, "value", exact.value.clone());
        }
        if kind == FieldType::Hidden {
            keep(&mut field, "aria-label", exact.aria_label);
            field.label = exact.label.unwrap_or_default();
        } else {
            self.take_label(item, &mut field, exact, &mut place);
        }
        let index = self.push(known, field, item, place);
        if let Some(text) = text {
            self.open(index, &text, item);
        }
    }

    /// Reads the default value of a control's field, and the options of a select.
    fn default_value(&mut self, field: &mut Field, exact: &mut Exact, item: &Item) -> String {
        match field.kind {
            FieldType::Textarea => cut(self.items.texts.verbatim(item.text.clone())),
            FieldType::Select => {
                let owner = OptionsOwner::Select(item.offset);
                let chosen = options::read(field, owner, self.items, &mut self.warnings);
                if field.placeholder.is_empty() {
                    field.placeholder = chosen.placeholder.unwrap_or_default();
                }
                let shown = chosen.values.join("\n");
                exact.default_value.clone().unwrap_or(shown)
            }
            kind if kind.is_consent() && exact.is_checked => {
                let value = exact.value.clone().unwrap_or_else(|| "on".to_owned());
                exact.default_value.clone().unwrap_or(value)
            }
            kind if kind.is_consent() => String::new(),
            kind if kind.takes_files() => exact.default_value.clone().unwrap_or_default(),
            _ => cut(exact.value.take().unwrap_or_default()),
        }
    }

    /// Copies the options of a datalist, which any number of inputs may name.
    fn suggest(&mut self, field: &mut Field, datalist: OptionsOwner, item: &Item) {
        let count = self.items.choices_of(datalist).len();
        self.suggested += count * size_of::<FieldOption>();
        if self.suggested > MAX_SUGGESTED_BYTES {
            let message = "The options are left out: too many inputs refer to them.";
            return self.warn(WarningCode::TextCut, item, message);
        }
        options::read(field, datalist, self.items, &mut self.warnings);
        let texts = field.options.iter();
        self.suggested += texts
            .map(|option| option.value.len() + option.label.len())
            .sum::<usize>();
    }

    /// Reads a control of a rendered name or address. Only a label that the author changed is taken, because the field
    /// already has the rest.
    fn read_part(&mut self, scope: usize, item: &Item) {
        let written = self.items.name(item);
        let label = self.labels.shown(self.items, item).text;
        let Some(field) = self.fields.get_mut(scope) else {
            return;
        };
        let part = part_of(&written, &field.name).unwrap_or_default();
        let default = part_label(part);
        if default.is_empty() || is_unseen(&label) {
            let message = format!("The control `{written}` or its label `{label}` is left out.");
            return self.warn(WarningCode::ContentDropped, item, message);
        }
        if collapse(field.part_label(part).unwrap_or(default)) == label {
            return;
        }
        let (message, offset) = (format!("{}[{part}]", field.name), item.offset);
        let mut label = cut(label);
        cut_text(&mut label, "label", &message, offset, &mut self.warnings);
        match field.options.iter_mut().find(|option| option.value == part) {
            Some(option) => option.label = label,
            None => field.options.push(FieldOption {
                value: part.to_owned(),
                label,
                ..FieldOption::default()
            }),
        }
    }

    /// A field's label with its links; `None` if it has none.
    pub(super) fn linked_label(&self, field: &Field, place: &Place) -> Option<String> {
        let shown = self.items.texts.glimpse(place.label.clone());
        let linked = self.items.texts.linked(place.label.clone(), false);
        // The rest of the shown text is the mark of a required field, or a colon.
        let rest = shown.strip_prefix(field.label.as_str())?;
        let label = linked.strip_suffix(rest)?;
        (label != field.label).then(|| cut(label.to_owned()))
    }

    /// Sets the label, and the label's place, of a control that is a separate field.
    pub(super) fn take_label(
        &mut self,
        item: &Item,
        field: &mut Field,
        exact: Exact,
        place: &mut Place,
    ) {
        let mut shown = self.labels.shown(self.items, item);
        if shown.text.is_empty() {
            let named = self.labels.for_name(self.items, item);
            shown = named.unwrap_or_default();
        }
        let is_consent = field.kind.is_consent();
        if is_consent && !shown.place.is_empty() {
            shown.text = self.items.texts.linked(shown.place.clone(), true);
        }
        if field.required {
            shown.text = without_marker(&shown.text, true).to_owned();
        }
        let is_exact = exact.label.is_some();
        let label = match exact.label {
            Some(exact) if is_consent && is_same_text(&exact, &shown.text, field.required) => exact,
            exact => settle(shown.text, exact, Some(&field.name), field.required),
        };
        if is_exact || !label.is_empty() {
            keep(field, "aria-label", exact.aria_label);
            field.label = cut(label);
            place.label = shown.place;
            return;
        }
        let aria_label = exact.aria_label.map(|label| collapse(&label));
        let label =
            LabelText::unplaced(aria_label).or_else(|| self.text_of(item, field, &place.help));
        let Some(label) = label else {
            let message = format!("The control `{}` has no label.", field.name);
            return self.warn(WarningCode::ControlWithoutLabel, item, message);
        };
        let bare = without_marker(&label.text, field.required);
        // A colon before the marker is removed too.
        let is_marked = bare.len() < label.text.len();
        field.label = cut(if is_marked { without_colon(bare) } else { bare });
        place.label = label.place;
    }

    /// Finds the text that labels a control without its own label. In order: the only label in its block, the text
    /// after a box, the text before a control, the head of its column, the placeholder. Last come a label after the
    /// control, and the tooltip.
    fn text_of(&mut self, item: &Item, field: &Field, help: &TextRange) -> Option<LabelText> {
        let has_words = |text: &String| text.contains(char::is_alphabetic);
        let behind = || {
            field
                .kind
                .is_box()
                .then(|| self.text_behind(item, true))
                .flatten()
        };
        self.labels
            .alone(self.items, item)
            .or_else(behind)
            .or_else(|| self.label_before(item, item.label_from, help))
            .or_else(|| self.items.head_of(item))
            .or_else(|| LabelText::unplaced(Some(collapse(&field.placeholder)).filter(has_words)))
            .or_else(|| self.text_behind(item, false))
            .or_else(|| self.title_of(item))
    }
}
