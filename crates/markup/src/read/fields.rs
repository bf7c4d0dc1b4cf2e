//! The second half of reading: the fields that the items of a document make.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{self, Exact, cut};
use super::choices::{self, Owners};
use super::items::{Item, ItemKind, Items, Link};
use super::labels::{self, Labels, settle};
use super::names::{is_name, without_brackets};
use super::sets::{Sets, written_name};
use super::structure::FirstSent;
use super::{items, layout};
use crate::conditions;
use crate::html::entities::decode_attribute;
use crate::html::text::{TextRange, Texts, collapse};
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::attributes::is_script_address;
use model::check::{MAX_FIELDS, MAX_NAME_CHARS, MAX_RULES};
use model::ordered::Gather;
use model::{Condition, ConditionAction, Field, FieldType, FormSchema};

/// The most rules that all fields together are given: each is copied for every field within.
const MAX_RULES_OF_ALL: usize = 50 * MAX_RULES;

/// What a document says, and where.
pub(crate) struct Read<'a> {
    pub(crate) schema: FormSchema,
    pub(super) warnings: Warnings,
    /// For each field, where it stands.
    pub(crate) places: Vec<Place>,
    /// Where each choice of a set begins, and where its label stands; in their order.
    pub(crate) choice_labels: Vec<(u32, TextRange)>,
    pub(crate) texts: Texts<'a>,
    /// Where the elements begin that are steps though nobody calls them so; the first is `step-1`.
    pub(crate) found_steps: Vec<u32>,
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

/// Makes the schema of a document's items.
pub(super) fn build(mut items: Items<'_>) -> Read<'_> {
    let sets = Sets::of(&mut items);
    let mut builder = Builder {
        labels: Labels::of(&items),
        owners: Owners::of(&items),
        referred: OnceCell::new(),
        labelling: OnceCell::new(),
        made_up: BTreeMap::new(),
        taken: None,
        fields_of_items: Vec::new(),
        items,
        sets,
        fields: Vec::new(),
        names: BTreeMap::new(),
        values: BTreeMap::new(),
        exact_defaults: BTreeSet::new(),
        full_defaults: BTreeSet::new(),
        steps: Vec::new(),
        places: Vec::new(),
        choice_labels: Vec::new(),
        labelled_up_to: Cell::new(0),
        mark_before: 0,
        rules: 0,
        known_rules: BTreeMap::new(),
        suggested: 0,
        first_sent: FirstSent::None,
        plain_names: 0,
    };
    for index in 0..builder.items.list.len() {
        builder.add_item(items::index(index));
        // Other fields may still become one, or be left out; these stay.
        if builder.plain_names > MAX_FIELDS {
            break;
        }
    }
    if builder.labels.is_spent() {
        builder.items.warnings.add(
            WarningCode::TextCut,
            0,
            "Labels and descriptions are left out: references repeat too much text.",
        );
    }
    layout::finish(builder)
}

/// The fields built so far, and what the rest needs to know.
pub(super) struct Builder<'a> {
    pub(super) items: Items<'a>,
    pub(super) sets: Sets<'a>,
    pub(super) labels: Labels<'a>,
    pub(super) owners: Owners,
    /// The ids that some control is described by.
    referred: OnceCell<BTreeSet<&'a str>>,
    /// What `aria-labelledby` says of controls and sets of choices, where nothing around labels them.
    labelling: OnceCell<BTreeSet<&'a str>>,
    /// The number of the name that is made up next, by what the name begins with.
    pub(super) made_up: BTreeMap<String, u32>,
    /// The names of all controls, once a name is made up: it keeps clear of them. Also those that were
    /// taken, but none that has a number, which [`Builder::made_up`] tells.
    pub(super) taken: Option<BTreeSet<Cow<'a, str>>>,
    /// The fields of the items that may hold others, in their order.
    fields_of_items: Vec<(u32, u32)>,
    pub(super) fields: Vec<Field>,
    /// The fields by their names, but for those whose name was made up.
    pub(super) names: BTreeMap<Cow<'a, str>, usize>,
    /// The values of the options of radios and checkboxes, by field.
    pub(super) values: BTreeMap<usize, choices::Values>,
    /// The fields whose exact default value is known, whatever is ticked.
    pub(super) exact_defaults: BTreeSet<usize>,
    /// The fields whose default value has no room for more.
    pub(super) full_defaults: BTreeSet<usize>,
    /// For each field, the step around it.
    pub(super) steps: Vec<Link>,
    /// For each field, where it stands in the document.
    pub(super) places: Vec<Place>,
    /// Where each choice of a set begins, and where its label stands.
    pub(super) choice_labels: Vec<(u32, TextRange)>,
    /// Where the text ends that names the box before it.
    pub(super) labelled_up_to: Cell<u32>,
    /// Where the item before stands in the text.
    pub(super) mark_before: u32,
    /// How many fields bear a name that is no part of another's.
    plain_names: usize,
    /// How many rules the fields have: each has those of every element around it.
    rules: usize,
    /// The rules of elements, by their place in [`Items::conditions`], and whether they are whole.
    known_rules: BTreeMap<u32, (Vec<Condition>, bool)>,
    /// How many bytes of options inputs took from datalists.
    pub(super) suggested: usize,
    /// What the first button sends that sends the form; nothing once another is told of.
    pub(super) first_sent: FirstSent,
}

impl<'a> Builder<'a> {
    fn add_item(&mut self, index: u32) {
        let Some(item) = self.items.list.get(index as usize).cloned() else {
            return;
        };
        match item.what {
            ItemKind::Nothing | ItemKind::RoleGroup => return,
            ItemKind::Fieldset if self.sets.owns_set(index) => return,
            ItemKind::Control(FieldType::Radio | FieldType::Checkbox) => self.add_choice(&item),
            ItemKind::Control(kind) => self.add_control(&item, kind, index),
            ItemKind::Scope(kind) => self.add_scope(&item, kind, index),
            ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider
                if self.is_of_page(&item) =>
            {
                return;
            }
            _ if self.scope_of(&item).is_some() => return,
            ItemKind::Submit => self.add_submit(&item),
            ItemKind::Paragraph if self.is_referred(&item) => return,
            ItemKind::Heading(_) if self.is_label(&item) => return,
            _ => self.add_structure(&item, index),
        }
        self.mark_before = item.mark;
    }

    pub(super) fn warn(&mut self, code: WarningCode, item: &Item, message: impl Into<String>) {
        self.items.warnings.add(code, item.offset as usize, message);
    }

    /// Whether text stands outside the form, where there is a form element.
    const fn is_of_page(&self, item: &Item) -> bool {
        self.items.form_count > 0 && !item.is_in_form
    }

    /// The field of the scope that a control lies in.
    pub(super) fn scope_of(&self, item: &Item) -> Option<usize> {
        let parent = item.parent.get()?;
        match self.items.list.get(parent as usize)?.what {
            ItemKind::Scope(_) => self.field_of(parent),
            _ => None,
        }
    }

    /// Notes the field that an item which may hold others has become.
    pub(super) fn note_field(&mut self, item: u32, field: usize) {
        self.fields_of_items.push((item, items::index(field)));
    }

    /// The field that an item has become which may hold others.
    fn field_of(&self, item: u32) -> Option<usize> {
        let fields = &self.fields_of_items;
        let place = fields.partition_point(|(known, _)| *known < item);
        let (known, field) = fields.get(place)?;
        (*known == item).then_some(*field as usize)
    }

    /// Whether a paragraph is the help or label of a control elsewhere.
    fn is_referred(&self, item: &Item) -> bool {
        let Some(id) = self.items.attribute(item, "id") else {
            return false;
        };
        if self.items.attribute(item, "data-cf-type").is_some() {
            return false;
        }
        let referred = self.referred.get_or_init(|| {
            let items = &self.items;
            labels::ids_in(items.described_by.iter().chain(&items.labelled_by))
        });
        referred.contains(id.raw_value)
    }

    /// Whether a heading alone is the label of a control, or of the element around a set of choices.
    fn is_label(&self, heading: &Item) -> bool {
        let Some(id) = self.items.attribute(heading, "id") else {
            return false;
        };
        if self.items.attribute(heading, "data-cf-type").is_some() {
            return false;
        }
        let labelling = self.labelling.get_or_init(|| {
            let items = &self.items;
            if items.labelled_by.is_empty() {
                return BTreeSet::new();
            }
            let takes_label = |(index, item): (usize, &Item)| {
                let takes = match item.what {
                    ItemKind::Control(FieldType::Hidden) => false,
                    ItemKind::Control(_) => {
                        item.label == Link::NONE && !self.labels.is_named(items, item)
                    }
                    _ => {
                        self.sets.owns_set(items::index(index))
                            && items.texts.is_blank(item.text.clone())
                    }
                };
                takes.then(|| items.attribute(item, "aria-labelledby"))?
            };
            let labels = items.list.iter().enumerate().filter_map(takes_label);
            labels.map(|ids| ids.raw_value.trim_ascii()).gather()
        });
        labelling.contains(id.raw_value)
    }

    /// The field of that name, but for those whose name was made up.
    pub(super) fn field_named(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Adds a field, with its name unless it was made up.
    pub(super) fn push(
        &mut self,
        name: Option<Cow<'a, str>>,
        field: Field,
        item: &Item,
        label: TextRange,
        help: TextRange,
    ) -> usize {
        let index = self.fields.len();
        let place = Place {
            offset: item.offset,
            label,
            help,
        };
        if let Some(name) = name {
            self.names.insert(name, index);
        }
        self.plain_names += usize::from(!field.name.contains('['));
        self.fields.push(field);
        self.steps.push(item.step);
        self.places.push(place);
        index
    }

    /// The name of a control, and whether it is sent as a list. None when no field can bear it.
    pub(super) fn control_name(&mut self, item: &Item) -> Option<(Cow<'a, str>, bool)> {
        let written = written_name(&self.items, item);
        let is_list = written.ends_with("[]");
        let name = if is_list {
            without_brackets(written)
        } else {
            written
        };
        if is_name(&name) {
            return Some((name, is_list));
        }
        self.warn(
            WarningCode::NameInvalid,
            item,
            "A control is left out: no field can bear its name.",
        );
        None
    }

    /// Reads what every field has, from the attributes of the item.
    pub(super) fn common(&mut self, name: String, kind: FieldType, item: &Item) -> (Field, Exact) {
        let mut field = Field {
            name,
            kind,
            ..Field::default()
        };
        let kept = self.items.tags.attributes(item.offset);
        let mut exact = attributes::read(&mut field, kept, &mut self.items.warnings);
        if item.is_disabled && kind.captures_value() && !exact.is_enabled {
            field.attributes.entry("disabled".to_owned()).or_default();
        }
        let shown = self.labels.description(&self.items, item);
        exact.help = shown.place;
        field.description = cut(match &exact.description {
            Some(exact) if !shows_description(kind) => exact.clone(),
            exact => settle(shown.text, exact.clone(), String::new, false),
        });
        if let Some(options) = exact
            .options
            .as_deref()
            .filter(|_| !markers::shows_options(kind))
        {
            let offset = item.offset as usize;
            choices::read_exact(&mut field, options, &mut self.items, offset);
        }
        field.conditions = self.conditions_of(item);
        field.group = self.group_of(item);
        self.check_form(item);
        (field, exact)
    }

    fn check_form(&mut self, item: &Item) {
        if let Some(form) = self.items.attribute(item, "form")
            && !self.items.forms.contains_key(form.raw_value)
        {
            let message = format!("There is no form with the id `{}` here.", form.raw_value);
            self.warn(WarningCode::FormNotFound, item, message);
        }
    }

    fn conditions_of(&mut self, item: &Item) -> Vec<Condition> {
        let mut sources = Vec::new();
        let mut next = item.conditions;
        while let Some(index) = next.get()
            && self.rules <= MAX_RULES_OF_ALL
            && let Some(source) = self.items.conditions.get(index as usize)
        {
            sources.push(index);
            next = source.outer;
        }
        let mut conditions = Vec::new();
        for index in sources.into_iter().rev() {
            let (rules, offset, mut is_whole) = self.rules_of(index);
            let count = conditions::count(rules);
            let fits = conditions::count(&conditions) + count <= MAX_RULES;
            let rules = if fits { rules.clone() } else { Vec::new() };
            self.rules += count + 1;
            if fits && self.rules <= MAX_RULES_OF_ALL {
                conditions.extend(rules);
            } else {
                is_whole = false;
            }
            if !is_whole {
                self.items.warnings.add(
                    WarningCode::ConditionDropped,
                    offset as usize,
                    "A condition is left out: it cannot be read, or there are too many.",
                );
            }
        }
        conditions
    }

    /// The rules of an element, where it begins, and whether all of them could be read. They are read
    /// once, however many fields are within.
    fn rules_of(&mut self, index: u32) -> (&Vec<Condition>, u32, bool) {
        let source = self.items.conditions.get(index as usize);
        let offset = source.map_or(0, |source| source.offset);
        let tags = &self.items.tags;
        let (rules, is_whole) = self.known_rules.entry(index).or_insert_with(|| {
            let attribute = |name| tags.attribute(offset, name);
            let mut rules = Vec::new();
            let mut is_whole = true;
            if let Some(exact) = attribute("data-cf-conditions") {
                match conditions::read_exact(&exact.value()) {
                    Some(exact) => rules.extend(exact),
                    None => is_whole = false,
                }
            }
            for (name, action) in [
                ("data-show-if", ConditionAction::Show),
                ("data-hide-if", ConditionAction::Hide),
            ] {
                if let Some(written) = attribute(name) {
                    match conditions::read(&written.value(), action) {
                        Some(condition) => rules.push(condition),
                        None => is_whole = false,
                    }
                }
            }
            (rules, is_whole)
        });
        (rules, offset, *is_whole)
    }

    /// The group of an item: what names it nearest, or the container around it, or the step.
    fn group_of(&self, item: &Item) -> Option<String> {
        let mut item = item;
        loop {
            if let Some(group) = item.group.get() {
                let group = decode_attribute(self.items.groups.get(group as usize)?);
                return Some(collapse(&group))
                    .filter(|group| !group.is_empty() && group.chars().count() <= MAX_NAME_CHARS);
            }
            let Some(parent) = item.parent.get() else {
                break;
            };
            if let Some(field) = self.field_of(parent) {
                return self.fields.get(field).map(|field| field.name.clone());
            }
            item = self.items.list.get(parent as usize)?;
        }
        let step = self.items.steps.get(item.step.get()? as usize)?;
        if step.is_rendered {
            return None;
        }
        layout::step_id(step)
    }
}

/// Whether help text is shown for a field of that type.
const fn shows_description(kind: FieldType) -> bool {
    !matches!(
        kind,
        FieldType::Hidden
            | FieldType::Container
            | FieldType::Heading
            | FieldType::Paragraph
            | FieldType::Divider
    )
}

/// Keeps an attribute that another member could have taken, unless no schema may have it.
pub(super) fn keep(field: &mut Field, name: &str, value: Option<String>) {
    if let Some(value) = value.filter(|value| !is_script_address(value)) {
        field.attributes.insert(name.to_owned(), value);
    }
}
