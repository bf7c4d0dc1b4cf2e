//! The second half of reading: the fields that the items of a document make.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{self, Exact, cut, cut_fully, cut_text};
use super::items::{Conditional, Item, ItemKind, Items, Link, Step};
use super::labels::{Labels, settle};
use super::names::field_name_of;
use super::sets::Sets;
use super::traps::Traps;
use super::{layout, losses, options, recognize, traps};
use crate::html::entities::decode_attribute;
use crate::html::text::{TextRange, Texts};
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::attributes::{MAX_ATTRIBUTE_VALUE_CHARS, is_script_address};
use model::check::{MAX_FIELDS, MAX_NAME_CHARS, is_name};
use model::ordered::Gather;
use model::step_words::StepWay;
use model::{Field, FieldType, FormSchema};

/// The schema of a document, and where its fields stand.
pub(crate) struct Read<'a> {
    pub(crate) schema: FormSchema,
    pub(super) warnings: Warnings,
    /// For each field, where it stands.
    pub(crate) places: Vec<Place>,
    /// Where each choice of a set begins, and where its label stands; in their order.
    pub(crate) choice_labels: Vec<(u32, TextRange)>,
    pub(crate) texts: Texts<'a>,
    pub(crate) steps: Vec<Step<'a>>,
    pub(crate) conditions: Vec<Conditional>,
    /// The buttons that submit nothing, by where they begin, and the step that each leads to.
    pub(crate) step_buttons: Vec<(u32, Option<StepWay>)>,
    pub(crate) traps: Traps,
    /// Where the selects begin that get an empty option, and such options that are to be selected.
    pub(crate) unset_selects: Vec<u32>,
    pub(crate) empty_options: Vec<u32>,
}

/// Where a field stands in its document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// Where the start tag begins, in bytes.
    pub(crate) offset: u32,
    /// Its label and its help, where each is the text of one element, or beside it.
    pub(crate) label: TextRange,
    pub(crate) help: TextRange,
}

/// Facts about a field that are not members of it.
#[derive(Default)]
pub(super) struct Made {
    pub(super) place: Place,
    /// The step around it.
    pub(super) step: Link,
    /// The values of its options, if it is made of radios or checkboxes.
    pub(super) values: options::Values,
    /// Whether its exact default value is stated, whatever is ticked.
    pub(super) has_exact_default: bool,
}

/// Builds the schema of a document's items.
pub(super) fn build(mut items: Items<'_>) -> Read<'_> {
    let mut warnings = std::mem::take(&mut items.warnings);
    let traps = traps::take(&mut items, &mut warnings);
    let mut builder = Builder::of(&items, warnings);
    for (index, item) in items.list.iter().enumerate() {
        builder.add_item(item, index);
        // Other fields may still become one, or be left out; these stay.
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
    recognize::composites(&mut builder);
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

/// The fields built so far, and what the rest needs to know.
pub(super) struct Builder<'i, 'a> {
    pub(super) items: &'i Items<'a>,
    pub(super) warnings: Warnings,
    pub(super) sets: Sets<'a>,
    pub(super) labels: Labels<'a>,
    /// The headings and paragraphs since the last field: the next control may take the last of them for its
    /// label.
    pub(super) unplaced_texts: Vec<&'i Item>,
    /// The ids that some control is labelled or described by.
    referred: OnceCell<BTreeSet<&'a str>>,
    /// The number of the name that is made up next, by what the name begins with.
    pub(super) made_up: BTreeMap<String, usize>,
    /// The names of all controls and those that were made up, once one is.
    pub(super) taken: Option<BTreeSet<String>>,
    /// The fields of the items that may hold others, in the order of the items.
    pub(super) fields_of_items: Vec<(usize, usize)>,
    pub(super) fields: Vec<Field>,
    /// The fields by their names.
    pub(super) names: BTreeMap<String, usize>,
    /// The facts about each field that are not members of it.
    pub(super) made: Vec<Made>,
    pub(super) choice_labels: Vec<(u32, TextRange)>,
    /// How many fields bear a name that is no part of another's.
    plain_names: usize,
    /// How many rules the fields have: each has those of every element around it.
    pub(super) rule_count: usize,
    /// How many bytes of options inputs took from datalists.
    pub(super) suggested: usize,
    /// The name and value that the first button sends, if it sends any, which sends the form.
    pub(super) first_sent: Option<Option<(&'a str, &'a str)>>,
    pub(super) several_buttons_are_reported: bool,
    /// The choices that take the free answer of a text control beside them.
    pub(super) opened: Vec<usize>,
}

impl<'i, 'a> Builder<'i, 'a> {
    fn of(items: &'i Items<'a>, warnings: Warnings) -> Builder<'i, 'a> {
        // Growing would hold the fields twice for a moment.
        let most = items.list.len().min(MAX_FIELDS + 1);
        Builder {
            items,
            warnings,
            labels: Labels::of(items),
            sets: Sets::of(items),
            fields: Vec::with_capacity(most),
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
            (ItemKind::Fieldset, _) if item.owns_set => {}
            (ItemKind::Control(kind @ (FieldType::Radio | FieldType::Checkbox)), _) => {
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

    /// Makes fields of the headings and paragraphs that label nothing; none takes the name of the next field.
    pub(super) fn place_texts(&mut self, next_name: &str) {
        for item in std::mem::take(&mut self.unplaced_texts) {
            self.add_structure(item, next_name);
        }
    }

    /// Warns of a control that counts for nothing beside others of its name.
    pub(super) fn leave_out(&mut self, item: &Item, kind: FieldType) {
        let what = match kind {
            FieldType::Hidden => "hidden value",
            _ => "disabled control",
        };
        let message = format!("The {what} of `{}` is left out.", self.items.name(item));
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
                |item: &Item| item.owns_set || matches!(item.kind, ItemKind::Control(_));
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

    /// The field of that name.
    pub(super) fn field_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Adds a field, or puts it in the place of one that is known.
    pub(super) fn push(
        &mut self,
        known: Option<usize>,
        field: Field,
        item: &Item,
        place: Place,
    ) -> usize {
        self.place_texts(&field.name);
        let own = Made {
            place,
            step: item.step,
            ..Made::default()
        };
        let index = known.unwrap_or(self.fields.len());
        if let Some((old, made)) = self.fields.get_mut(index).zip(self.made.get_mut(index)) {
            (*old, *made) = (field, own);
            return index;
        }
        self.names.insert(field.name.clone(), index);
        self.plain_names += usize::from(!field.name.contains('['));
        self.fields.push(field);
        self.made.push(own);
        index
    }

    /// The name of a control, and whether it is sent as a list. None when no field can bear it.
    pub(super) fn control_name(&mut self, item: &Item) -> Option<(String, bool)> {
        let written = self.items.name(item);
        let is_list = written.trim_ascii_end().ends_with("[]");
        let name = field_name_of(written);
        if is_name(&name) {
            return Some((name.into_owned(), is_list));
        }
        let start: String = name.chars().take(MAX_NAME_CHARS).collect();
        let message = format!("The control `{start}` is left out: no field can bear its name.");
        self.warn(WarningCode::NameInvalid, item, message);
        None
    }

    /// Reads what every field has, from the attributes of the item.
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
        if let Some(options) = options.filter(|_| !markers::shows_options(kind)) {
            options::read_exact(&mut field, options, &mut self.warnings, item.offset);
        }
        if kind.captures_value() && kind != FieldType::Hidden || kind == FieldType::Submit {
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

    /// Notes what hidden controls send under the field's name too. The value of a box alone says whether it is
    /// ticked, and an empty one is no choice.
    fn note_hidden_values(&self, field: &mut Field, item: &Item) {
        use FieldType::{Checkbox, Consent, File, Hidden, Radio, Select};
        let Some(values) = self.sets.hidden_values(&field.name) else {
            return;
        };
        let is_told = match field.kind {
            Consent | File | Hidden => false,
            Checkbox if !self.sets.is_choice(&self.items.name(item)) => false,
            Checkbox | Radio | Select => values.bytes().any(|byte| byte != b'\n'),
            _ => true,
        };
        if is_told && values.chars().count() <= MAX_ATTRIBUTE_VALUE_CHARS {
            let noted = field.attributes.entry(Field::HIDDEN.to_owned());
            noted.or_insert_with(|| values.to_owned());
        }
    }
}

/// Keeps an attribute that another member could have taken, unless no schema may have it.
pub(super) fn keep(field: &mut Field, name: &str, value: Option<String>) {
    if let Some(value) = value.filter(|value| !is_script_address(value)) {
        field.attributes.insert(name.to_owned(), value);
    }
}
