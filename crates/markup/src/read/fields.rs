//! The second half of reading: builds fields from a document's items.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{self, Exact, cut, cut_fully, cut_text};
use super::items::{Conditional, Item, ItemKind, Items, Link, Step};
use super::labels::{Labels, settle};
use super::names::field_name_of;
use super::sets::Sets;
use super::traps::Traps;
use super::{layout, losses, options, recognize, rows, traps};
use crate::html::entities::decode_attribute;
use crate::html::text::{TextRange, Texts};
use crate::warnings::{WarningCode, Warnings};
use model::attributes::{MAX_ATTRIBUTE_VALUE_CHARS, is_script_address};
use model::check::{MAX_FIELDS, MAX_NAME_CHARS, is_name};
use model::ordered::Gather;
use model::step_words::StepWay;
use model::{Field, FieldType, FormSchema};

/// The schema of a document, and the places of its fields.
pub(crate) struct Read<'a> {
    pub(crate) schema: FormSchema,
    pub(super) warnings: Warnings,
    /// The place of each field.
    pub(crate) places: Vec<Place>,
    /// The offset of each choice of a set, and the place of its label, in document order.
    pub(crate) choice_labels: Vec<(u32, TextRange)>,
    pub(crate) texts: Texts<'a>,
    pub(crate) steps: Vec<Step<'a>>,
    pub(crate) conditions: Vec<Conditional>,
    /// The offsets of the buttons that do not submit, and whether each leads to the next or the previous step.
    pub(crate) step_buttons: Vec<(u32, Option<StepWay>)>,
    pub(crate) traps: Traps,
    /// The offsets of the selects that get an empty option; `empty_options` has existing empty options to select.
    pub(crate) unset_selects: Vec<u32>,
    pub(crate) empty_options: Vec<u32>,
}

/// The place of a field in its document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The offset of the start tag.
    pub(crate) offset: u32,
    /// The places of the label and the help; empty if a text is not in the document, or comes from several elements.
    pub(crate) label: TextRange,
    pub(crate) help: TextRange,
}

/// Facts about a field that are not among its members.
#[derive(Default)]
pub(super) struct Made {
    pub(super) place: Place,
    /// The step around the field.
    pub(super) step: Link,
    /// The values of the options, if the field is made of radios or checkboxes.
    pub(super) values: options::Values,
    /// Whether the markup states the default value, regardless of checked boxes.
    pub(super) has_exact_default: bool,
}

/// Builds the schema of a document's items.
pub(super) fn build(mut items: Items<'_>) -> Read<'_> {
    let mut warnings = std::mem::take(&mut items.warnings);
    let traps = traps::take(&mut items, &mut warnings);
    let mut builder = Builder::of(&items, warnings);
    for (index, item) in items.list.iter().enumerate() {
        builder.add_item(item, index);
        // Only fields with brackets in their names may still be merged or left out, so the limit is certainly exceeded.
        if builder.plain_names > MAX_FIELDS {
            break;
        }
    }
    builder.place_texts("");
    builder.name_free_answers();
    if builder.labels.is_spent() {
        let message = "Labels and descriptions are left out: references repeat too much text.";
        builder.warnings.add(WarningCode::TextCut, 0, message);
    }
    rows::unite(&mut builder);
    recognize::composites(&mut builder);
    recognize::dates_in_parts(&mut builder);
    layout::drop_taken_parts(&mut builder);
    let mut layout = layout::read(&builder);
    for step in layout.steps.iter_mut().flatten() {
        cut_text(&mut step.title, "title", &step.id, 0, &mut builder.warnings);
    }
    for (field, made) in builder.fields.iter_mut().zip(&builder.made) {
        cut_fully(field, made.place.offset, &mut builder.warnings);
    }
    losses::report(&items, &mut builder.warnings);
    let mut schema = FormSchema::of(Vec::new());
    schema.layout = layout;
    schema.fields = std::mem::take(&mut builder.fields);
    schema.number();
    if let Some(settings) = items.settings {
        let settings = decode_attribute(settings);
        schema.form_settings = serde_json::from_str(&settings).unwrap_or_default();
    }
    schema.add_spam_traps(&traps.names);
    let places: Vec<Place> = builder.made.into_iter().map(|made| made.place).collect();
    let mut warnings = builder.warnings;
    layout::drop_unknown_subjects(&mut schema, &places, &mut warnings);
    layout::drop_cycles(&mut schema, &places, &mut warnings);
    let (unset_selects, empty_options) = options::unset_selects(&items);
    Read {
        schema,
        warnings,
        places,
        choice_labels: builder.choice_labels,
        unset_selects,
        empty_options,
        texts: items.texts,
        steps: items.steps,
        conditions: items.conditions,
        step_buttons: items.step_buttons,
        traps,
    }
}

/// The fields built so far, and the state for the remaining items.
pub(super) struct Builder<'i, 'a> {
    pub(super) items: &'i Items<'a>,
    pub(super) warnings: Warnings,
    pub(super) sets: Sets<'a>,
    pub(super) labels: Labels<'a>,
    /// The headings and paragraphs since the last field; the last of them may label the next control.
    pub(super) unplaced_texts: Vec<&'i Item>,
    /// The ids that label or describe some control.
    referred: OnceCell<BTreeSet<&'a str>>,
    /// The next number for generated names, by the name before the number.
    pub(super) made_up: BTreeMap<String, usize>,
    /// The names of all controls and the generated names; set when the first name is generated.
    pub(super) taken: Option<BTreeSet<String>>,
    /// The indexes of items that may contain other items, each with the index of its field, in item order.
    pub(super) fields_of_items: Vec<(usize, usize)>,
    pub(super) fields: Vec<Field>,
    /// The indexes of the fields, by name.
    pub(super) names: BTreeMap<String, usize>,
    /// The facts about each field that are not among its members.
    pub(super) made: Vec<Made>,
    pub(super) choice_labels: Vec<(u32, TextRange)>,
    /// The number of fields whose name has no brackets.
    plain_names: usize,
    /// The total number of rules of the fields, copies included.
    pub(super) rule_count: usize,
    /// The bytes of options that inputs took from datalists.
    pub(super) suggested: usize,
    /// The name and value that the first submit button sends, if it sends any.
    pub(super) first_sent: Option<Option<(&'a str, &'a str)>>,
    pub(super) several_buttons_are_reported: bool,
    /// The indexes of choice fields that accept a free answer from a text control with the same name.
    pub(super) opened: Vec<usize>,
}

impl<'i, 'a> Builder<'i, 'a> {
    fn of(items: &'i Items<'a>, warnings: Warnings) -> Builder<'i, 'a> {
        // The final capacity avoids a reallocation, which would briefly hold the fields twice.
        let capacity = items.list.len().min(MAX_FIELDS + 1);
        Builder {
            items,
            warnings,
            labels: Labels::of(items),
            sets: Sets::of(items),
            fields: Vec::with_capacity(capacity),
            unplaced_texts: Vec::new(),
            referred: OnceCell::new(),
            made_up: BTreeMap::new(),
            taken: None,
            fields_of_items: Vec::new(),
            names: BTreeMap::new(),
            made: Vec::new(),
            choice_labels: Vec::new(),
            plain_names: 0,
            rule_count: 0,
            suggested: 0,
            first_sent: None,
            several_buttons_are_reported: false,
            opened: Vec::new(),
        }
    }

    fn add_item(&mut self, item: &'i Item, index: usize) {
        let is_of_page = self.items.form_count > 0 && !item.is_in_form;
        match (item.kind, self.scope_of(item)) {
            (ItemKind::Nothing | ItemKind::RoleGroup, _) => {}
            (ItemKind::Fieldset, _) if item.holds_one_set => {}
            (ItemKind::Control(kind), _) if kind.ticks_options() => {
                self.add_choice(item, kind);
            }
            (ItemKind::Control(kind), None) if self.sets.is_left_out(self.items, item, kind) => {
                self.leave_out(item, kind);
            }
            (ItemKind::Control(kind), _) => self.add_control(item, kind),
            (ItemKind::Scope(kind), _) => self.add_scope(item, kind, index),
            (ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider, _) if is_of_page => {}
            (ItemKind::Submit, Some(scope)) => self.add_button(scope, item),
            (_, Some(_)) => {}
            (ItemKind::Heading(_) | ItemKind::Paragraph, _) if self.is_referred(item) => {}
            (ItemKind::Heading(_) | ItemKind::Paragraph, _) => self.unplaced_texts.push(item),
            (ItemKind::Submit, _) => self.add_submit(item),
            _ => {
                self.place_texts("");
                let field = self.add_structure(item, "");
                let of_item = field.map(|field| (index, field));
                self.fields_of_items.extend(of_item);
            }
        }
    }

    /// Builds fields from headings and paragraphs that are not labels. None of them gets the name of the next field.
    pub(super) fn place_texts(&mut self, next_name: &str) {
        for item in std::mem::take(&mut self.unplaced_texts) {
            self.add_structure(item, next_name);
        }
    }

    /// Warns about a control that is ignored because of others with its name.
    pub(super) fn leave_out(&mut self, item: &Item, kind: FieldType) {
        let noun = match kind {
            FieldType::Hidden => "hidden value",
            _ => "disabled control",
        };
        let message = format!("The {noun} of `{}` is left out.", self.items.name(item));
        self.warn(WarningCode::DuplicateName, item, message);
    }

    pub(super) fn warn(&mut self, code: WarningCode, item: &Item, message: impl Into<String>) {
        self.warnings.add(code, item.offset as usize, message);
    }

    /// Whether a heading or paragraph is the help or label of a control elsewhere, or of a set of choices.
    fn is_referred(&self, item: &Item) -> bool {
        let items = self.items;
        let referred = || {
            let takes_label =
                |item: &Item| item.holds_one_set || matches!(item.kind, ItemKind::Control(_));
            let lists = items.list.iter().flat_map(|item| {
                let labels = takes_label(item).then(|| items.attribute(item, "aria-labelledby"));
                [labels.flatten(), items.attribute(item, "aria-describedby")]
            });
            let lists = lists.flatten().map(|list| list.raw_value());
            lists.flat_map(str::split_ascii_whitespace).gather()
        };
        let id = items.raw_value(item, "id");
        !id.is_empty()
            && self.referred.get_or_init(referred).contains(id)
            && items.attribute(item, "data-cf-type").is_none()
    }

    /// The index of the field with this name.
    pub(super) fn field_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Adds a field, or replaces the field at `known`. Returns the field's index.
    pub(super) fn push(
        &mut self,
        known: Option<usize>,
        field: Field,
        item: &Item,
        place: Place,
    ) -> usize {
        self.place_texts(&field.name);
        let facts = Made {
            place,
            step: item.step,
            ..Made::default()
        };
        let index = known.unwrap_or(self.fields.len());
        if let Some((old, made)) = self.fields.get_mut(index).zip(self.made.get_mut(index)) {
            (*old, *made) = (field, facts);
            return index;
        }
        self.names.insert(field.name.clone(), index);
        self.plain_names += usize::from(!field.name.contains('['));
        self.fields.push(field);
        self.made.push(facts);
        index
    }

    /// The name of a control, and whether it is sent as a list; `None` if no field may have the name.
    pub(super) fn control_name(&mut self, item: &Item) -> Option<(String, bool)> {
        let written = self.items.name(item);
        let is_list = written.trim_ascii_end().ends_with("[]");
        let name = field_name_of(written);
        if is_name(&name) {
            return Some((name.into_owned(), is_list));
        }
        let start: String = name.chars().take(MAX_NAME_CHARS).collect();
        let message = format!("The control `{start}` is left out: no field can have its name.");
        self.warn(WarningCode::NameInvalid, item, message);
        None
    }

    /// Reads the members that every field has from the attributes of the item.
    pub(super) fn common(
        &mut self,
        name: String,
        kind: FieldType,
        item: &Item,
    ) -> (Field, Exact, Place) {
        let mut field = Field {
            name,
            kind,
            ..Field::default()
        };
        let kept = self.items.tags.attributes(item.tag).iter();
        let exact = attributes::read(&mut field, kept, &mut self.warnings);
        if item.is_disabled && kind.captures_value() && !exact.is_enabled {
            field.attributes.entry("disabled".to_owned()).or_default();
        }
        let shown = self.labels.description(self.items, item);
        field.description = cut(match &exact.description {
            Some(exact) if !kind.shows_description() => exact.clone(),
            exact => settle(shown.text, exact.clone(), None, false),
        });
        let options = exact.options.as_deref();
        if let Some(options) = options.filter(|_| !kind.shows_options()) {
            options::read_exact(&mut field, options, &mut self.warnings, item.offset);
        }
        if kind.captures_value() && kind.is_seen() || kind.is_button() {
            self.note_hidden_values(&mut field, item);
        }
        self.add_conditions(&mut field.conditions, item.conditions);
        field.group = self.group_of(item);
        if let Some(form) = self.items.attribute(item, "form")
            && !self.items.forms.contains(form.raw_value())
        {
            let message = format!("There is no form with the id `{}` here.", form.raw_value());
            self.warn(WarningCode::FormNotFound, item, message);
        }
        let place = Place {
            offset: item.offset,
            label: 0..0,
            help: shown.place,
        };
        (field, exact, place)
    }

    /// Records the values that hidden controls submit under the field's name. For a single checkbox, such a value only
    /// means "not checked"; an empty value is not a choice.
    fn note_hidden_values(&self, field: &mut Field, item: &Item) {
        let Some(values) = self.sets.hidden_values(&field.name) else {
            return;
        };
        let kind = field.kind;
        let is_single_box = || kind.is_box() && !self.sets.is_choice(&self.items.name(item));
        let is_noted = match kind {
            FieldType::Consent | FieldType::File | FieldType::Hidden => false,
            _ if kind.has_choices() => !is_single_box() && values.bytes().any(|byte| byte != b'\n'),
            _ => true,
        };
        if is_noted && values.chars().count() <= MAX_ATTRIBUTE_VALUE_CHARS {
            let noted = field.attributes.entry(Field::HIDDEN.to_owned());
            noted.or_insert_with(|| values.to_owned());
        }
    }
}

/// Keeps the value of an attribute that did not become another member, unless it is unsafe.
pub(super) fn keep(field: &mut Field, name: &str, value: Option<String>) {
    if let Some(value) = value.filter(|value| !is_script_address(value)) {
        field.attributes.insert(name.to_owned(), value);
    }
}
