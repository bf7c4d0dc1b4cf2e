//! The second half of reading: the fields that the items of a document make.

use std::collections::{BTreeMap, BTreeSet};

use super::attributes::{self, Exact, cut};
use super::choices::{self, Owners};
use super::items::{Item, Items, Owner, What};
use super::labels::{self, Labels, settle};
use super::sets::{Sets, written_name};
use super::{items, layout};
use crate::forms::check::MAX_NAME_CHARS;
use crate::forms::slug::slug_of;
use crate::forms::{Condition, ConditionAction, Field, FieldOption, FieldType, FormSchema};
use crate::markup::conditions;
use crate::markup::html::text::collapse;
use crate::markup::html::tokens::find;
use crate::markup::markers::{self, without_marker};
use crate::markup::warnings::{WarningCode, Warnings};

/// Makes the schema of a document's items.
pub(super) fn build(items: Items<'_>) -> (FormSchema, Warnings) {
    let sets = Sets::of(&items);
    let mut builder = Builder {
        labels: Labels::of(&items),
        owners: Owners::of(&items),
        referred: referred_ids(&items),
        made_up: BTreeMap::new(),
        taken: taken_names(&items),
        field_of_item: vec![None; items.list.len()],
        items,
        sets,
        fields: Vec::new(),
        names: BTreeMap::new(),
        values: BTreeMap::new(),
        exact_defaults: BTreeSet::new(),
        steps: Vec::new(),
        offsets: Vec::new(),
        mark_before: 0,
    };
    for index in 0..builder.items.list.len() {
        builder.add_item(items::index(index));
    }
    layout::finish(builder)
}

/// The fields built so far, and what the rest needs to know.
pub(super) struct Builder<'a> {
    pub(super) items: Items<'a>,
    sets: Sets,
    labels: Labels,
    owners: Owners,
    /// The ids that some control is described by.
    referred: BTreeSet<&'a str>,
    /// How many names of each kind were made up.
    made_up: BTreeMap<String, u32>,
    /// The names of all controls, so that made-up names keep clear of them.
    taken: BTreeSet<String>,
    field_of_item: Vec<Option<usize>>,
    pub(super) fields: Vec<Field>,
    names: BTreeMap<String, usize>,
    /// The values of the options of radios and checkboxes, by field.
    values: BTreeMap<usize, BTreeSet<String>>,
    /// The fields whose exact default value is known, whatever is ticked.
    exact_defaults: BTreeSet<usize>,
    /// For each field, the step around it.
    pub(super) steps: Vec<Option<u32>>,
    /// For each field, where it begins in the document.
    pub(super) offsets: Vec<usize>,
    /// Where the item before stands in the text.
    mark_before: u32,
}

impl<'a> Builder<'a> {
    fn add_item(&mut self, index: u32) {
        let Some(item) = self.items.list.get(index as usize).cloned() else {
            return;
        };
        match item.what {
            What::Nothing | What::RoleGroup => return,
            What::Fieldset if self.sets.owns_set(index) => return,
            What::Control(FieldType::Radio | FieldType::Checkbox) => self.add_choice(&item),
            What::Control(kind) => self.add_control(&item, kind, index),
            What::Scope(kind) => self.add_scope(&item, kind, index),
            _ if self.scope_of(&item).is_some() => return,
            What::Submit => self.add_submit(&item),
            What::Paragraph if self.is_referred(&item) => return,
            _ => self.add_structure(&item, index),
        }
        self.mark_before = item.mark;
    }

    fn warn(&mut self, code: WarningCode, item: &Item, message: impl Into<String>) {
        self.items.warnings.add(code, item.offset as usize, message);
    }

    /// The field of the scope that a control lies in.
    fn scope_of(&self, item: &Item) -> Option<usize> {
        let parent = item.parent?;
        match self.items.list.get(parent as usize)?.what {
            What::Scope(_) => *self.field_of_item.get(parent as usize)?,
            _ => None,
        }
    }

    /// Whether a paragraph is the help of a control elsewhere.
    fn is_referred(&self, item: &Item) -> bool {
        let Some(id) = self.items.attribute(item, "id") else {
            return false;
        };
        self.referred.contains(id.raw_value)
    }

    fn push(&mut self, field: Field, item: &Item) -> usize {
        let index = self.fields.len();
        self.names.insert(field.name.clone(), index);
        self.fields.push(field);
        self.steps.push(item.step);
        self.offsets.push(item.offset as usize);
        index
    }

    /// The name of a control, and whether it is sent as a list. None when no field can bear it.
    fn control_name(&mut self, item: &Item) -> Option<(String, bool)> {
        let written = written_name(&self.items, item);
        let (name, is_list) = match written.strip_suffix("[]") {
            Some(name) => (name, true),
            None => (written.as_str(), false),
        };
        if is_name(name) {
            return Some((name.to_owned(), is_list));
        }
        self.warn(
            WarningCode::NameInvalid,
            item,
            "A control is left out: no field can bear its name.",
        );
        None
    }

    /// Reads what every field has, from the attributes of the item.
    fn common(&mut self, name: String, kind: FieldType, item: &Item) -> (Field, Exact) {
        let mut field = Field {
            name,
            kind,
            ..Field::default()
        };
        let range = item.attributes.clone();
        let kept = self
            .items
            .attributes
            .get(range.start as usize..range.end as usize)
            .unwrap_or_default();
        let exact = attributes::read(&mut field, kept, &mut self.items.warnings);
        if item.is_disabled && kind.captures_value() && !exact.is_enabled {
            field.attributes.entry("disabled".to_owned()).or_default();
        }
        let shown = labels::description(&self.items, item);
        field.description = cut(&match &exact.description {
            Some(exact) if !shows_description(kind) => exact.clone(),
            exact => settle(shown, exact.clone(), "", false),
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

    fn add_control(&mut self, item: &Item, kind: FieldType, index: u32) {
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
    fn merge(&mut self, known: usize, item: &Item, kind: FieldType, is_list: bool) {
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
    fn label_of(&mut self, item: &Item, field: &mut Field, exact: Exact) -> String {
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
    fn text_beside(&self, item: &Item, kind: FieldType) -> Option<String> {
        let texts = &self.items.texts;
        let is_box = matches!(
            kind,
            FieldType::Radio | FieldType::Checkbox | FieldType::Consent
        );
        let before = texts.before(item.mark.saturating_sub(1));
        let after = texts.after(item.mark);
        let text = match is_box {
            true => texts.rendered(after),
            false => texts.rendered(before),
        };
        let text = text.trim_end_matches([':', '：']).trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn add_choice(&mut self, item: &Item) {
        let Some((name, _)) = self.control_name(item) else {
            return;
        };
        let is_radio = item.what == What::Control(FieldType::Radio);
        let is_set = is_radio || self.sets.is_choice(&written_name(&self.items, item));
        let kind = match is_radio {
            true => FieldType::Radio,
            false => FieldType::Checkbox,
        };
        if let Some(scope) = self.scope_of(item) {
            return self.add_to_set(scope, item);
        }
        match self.names.get(&name).copied() {
            Some(known)
                if self
                    .fields
                    .get(known)
                    .is_some_and(|f| f.kind == kind && is_set) =>
            {
                self.add_to_set(known, item);
            }
            Some(known)
                if self
                    .fields
                    .get(known)
                    .is_some_and(|f| f.kind == FieldType::Hidden) =>
            {
                // A hidden input before a checkbox says what is sent when it is not ticked.
                let message = format!("The hidden value of `{name}` is left out.");
                self.warn(WarningCode::DuplicateName, item, message);
                let field = self.choice_field(name, kind, is_set, item);
                if let Some(place) = self.fields.get_mut(known) {
                    *place = field;
                }
                if let Some(step) = self.steps.get_mut(known) {
                    *step = item.step;
                }
                if is_set {
                    self.add_to_set(known, item);
                }
            }
            Some(known) => self.merge(known, item, kind, false),
            None => {
                let field = self.choice_field(name, kind, is_set, item);
                let field = self.push(field, item);
                if is_set {
                    self.add_to_set(field, item);
                }
            }
        }
    }

    fn choice_field(&mut self, name: String, kind: FieldType, is_set: bool, item: &Item) -> Field {
        let (mut field, exact) = self.common(name, kind, item);
        if !is_set {
            let value = exact.value.clone();
            if exact.is_checked {
                let shown = value.clone().unwrap_or_else(|| "on".to_owned());
                field.default_value = cut(&exact.default_value.clone().unwrap_or(shown));
            }
            keep(&mut field, "value", value);
            field.label = self.label_of(item, &mut field, exact);
            return field;
        }
        field.css_class = String::new();
        for own in ["id", "aria-label"] {
            field.attributes.remove(own);
        }
        let owner = item.parent.filter(|parent| self.sets.owns_set(*parent));
        let owner = owner.and_then(|owner| self.items.list.get(owner as usize).cloned());
        if let Some(owner) = owner {
            self.take_from_owner(&mut field, &owner);
        }
        if field.label.is_empty() {
            let orphan = self.labels.orphan(&self.items, item, self.mark_before);
            field.label = cut(&orphan.unwrap_or_default());
        }
        field.label = without_marker(&field.label, field.required).to_owned();
        if field.label.is_empty() {
            let message = format!("The choices `{}` have no common label.", field.name);
            self.warn(WarningCode::ControlWithoutLabel, item, message);
        }
        field
    }

    /// What the fieldset or role group around a set of choices says about it.
    fn take_from_owner(&mut self, field: &mut Field, owner: &Item) {
        let (around, exact) = self.common(field.name.clone(), field.kind, owner);
        field.css_class = around.css_class;
        field.required |= around.required
            || around
                .attributes
                .get("aria-required")
                .is_some_and(|value| value == "true");
        if !around.description.is_empty() {
            field.description = around.description;
        }
        for (name, value) in around.attributes {
            if !matches!(name.as_str(), "role" | "aria-required" | "disabled") {
                field.attributes.entry(name).or_insert(value);
            }
        }
        if owner.what == What::Fieldset {
            let mut conditions = around.conditions;
            conditions.append(&mut field.conditions);
            field.conditions = conditions;
        }
        let legend = self.items.texts.rendered(owner.text.clone());
        let shown = match legend.is_empty() {
            true => self.labels.shown(&self.items, owner),
            false => legend,
        };
        let shown = Some(shown).filter(|shown| !shown.is_empty());
        let aria_label = exact.aria_label.map(|label| collapse(&label));
        field.label = cut(&shown.or(aria_label).unwrap_or_default());
    }

    /// Adds a radio or checkbox to the field that it is a choice of.
    fn add_to_set(&mut self, field_index: usize, item: &Item) {
        let Some(field) = self.fields.get(field_index) else {
            return;
        };
        match field.kind {
            FieldType::Radio | FieldType::Checkbox => {}
            FieldType::Rating => return self.take_rating(field_index, item),
            _ => return,
        }
        let mut choice = Field::default();
        let range = item.attributes.start as usize..item.attributes.end as usize;
        let kept = self.items.attributes.get(range).unwrap_or_default();
        let exact = attributes::read(&mut choice, kept, &mut Warnings::default());
        let value = exact
            .value
            .unwrap_or_else(|| "on".to_owned())
            .replace('\n', " ");
        let substitute = labels::substitute(&value);
        let shown = self.labels.shown(&self.items, item);
        let is_exact = exact.label.is_some();
        let mut label = settle(shown, exact.label, &substitute, false);
        if label.is_empty() && !is_exact {
            let aria_label = exact.aria_label.map(|label| collapse(&label));
            label = aria_label
                .filter(|label| !label.is_empty())
                .or_else(|| self.text_beside(item, FieldType::Radio))
                .unwrap_or_else(|| value.clone());
        }
        let help = labels::description(&self.items, item);
        let offset = item.offset as usize;
        let Some(mut field) = self.fields.get_mut(field_index).map(std::mem::take) else {
            return;
        };
        let option = FieldOption {
            value: value.clone(),
            label: cut(&label),
        };
        let values = self.values.entry(field_index).or_default();
        let is_new = choices::add_option(&mut field, values, option, &mut self.items, offset);
        if is_new && exact.is_checked && !self.exact_defaults.contains(&field_index) {
            let is_single = field.kind == FieldType::Radio;
            field.default_value = match is_single || field.default_value.is_empty() {
                true => value,
                false => format!("{}\n{value}", field.default_value),
            };
        }
        field.required |= choice.required;
        if field.description.is_empty() {
            field.description = cut(&help);
        }
        if let Some(place) = self.fields.get_mut(field_index) {
            *place = field;
        }
    }

    fn take_rating(&mut self, index: usize, item: &Item) {
        let is_checked = self.items.attribute(item, "checked").is_some();
        let value = self
            .items
            .attribute(item, "value")
            .map(|value| value.value().into_owned());
        if let Some(field) = self.fields.get_mut(index)
            && is_checked
            && !self.exact_defaults.contains(&index)
        {
            field.default_value = cut(&value.unwrap_or_default());
        }
    }

    fn add_scope(&mut self, item: &Item, kind: FieldType, index: u32) {
        let Some(name) = self.rendered_name(item) else {
            return self.warn(
                WarningCode::ControlWithoutName,
                item,
                "A group has no name.",
            );
        };
        if let Some(&known) = self.names.get(&name) {
            return self.merge(known, item, kind, false);
        }
        let substitute = labels::substitute(&name);
        let (mut field, exact) = self.common(name, kind, item);
        let legend = self.items.texts.rendered(item.text.clone());
        let shown = without_marker(&legend, field.required).to_owned();
        field.label = cut(&settle(shown, exact.label, &substitute, field.required));
        keep(&mut field, "aria-label", exact.aria_label);
        if kind == FieldType::Checkbox {
            keep(&mut field, "value", exact.value);
        }
        let is_exact = exact.default_value.is_some();
        field.default_value = exact.default_value.unwrap_or_default();
        let field = self.push(field, item);
        if is_exact {
            self.exact_defaults.insert(field);
        }
        if let Some(place) = self.field_of_item.get_mut(index as usize) {
            *place = Some(field);
        }
    }

    fn rendered_name(&self, item: &Item) -> Option<String> {
        let name = self.items.attribute(item, "data-cf-name")?;
        Some(name.value().into_owned()).filter(|name| is_name(name))
    }

    fn add_submit(&mut self, item: &Item) {
        let named = self
            .items
            .attribute(item, "name")
            .map(|name| name.value().into_owned());
        let named = named.filter(|name| is_name(name) && !self.names.contains_key(name));
        let name = named
            .or_else(|| {
                self.rendered_name(item)
                    .filter(|name| !self.names.contains_key(name))
            })
            .unwrap_or_else(|| self.make_up("submit"));
        let (mut field, exact) = self.common(name, FieldType::Submit, item);
        let text = self.items.texts.rendered(item.text.clone());
        let is_image = self
            .items
            .attribute(item, "type")
            .is_some_and(|kind| kind.raw_value.eq_ignore_ascii_case("image"));
        let alternative = field.attributes.get("alt").filter(|_| is_image).cloned();
        if is_image {
            for of_image in ["alt", "src", "width", "height"] {
                field.attributes.remove(of_image);
            }
        }
        let shown = match text.is_empty() {
            false => {
                field.default_value = exact.value.clone().unwrap_or_default();
                text
            }
            true => alternative.or(exact.value.clone()).unwrap_or_default(),
        };
        keep(&mut field, "aria-label", exact.aria_label);
        let is_exact = exact.label.is_some();
        field.label = cut(&settle(shown, exact.label, "Submit", false));
        if field.label.is_empty() && !is_exact {
            field.label = "Submit".to_owned();
        }
        self.push(field, item);
    }

    /// A heading, paragraph, divider, fieldset or container.
    fn add_structure(&mut self, item: &Item, index: u32) {
        let text = self.items.texts.rendered(item.text.clone());
        let (kind, base) = match item.what {
            What::Heading(_) if text.is_empty() && self.rendered_name(item).is_none() => return,
            What::Heading(_) => (FieldType::Heading, "heading"),
            What::Paragraph => (FieldType::Paragraph, "paragraph"),
            What::Divider => (FieldType::Divider, "divider"),
            What::Container => (FieldType::Container, "container"),
            _ => (FieldType::Fieldset, "fieldset"),
        };
        let name = self
            .rendered_name(item)
            .filter(|name| !self.names.contains_key(name));
        let name = name.unwrap_or_else(|| match kind {
            FieldType::Fieldset => self.fieldset_name(item, &text),
            _ => self.make_up(base),
        });
        let (mut field, exact) = self.common(name, kind, item);
        field.label = match kind {
            FieldType::Container | FieldType::Divider => exact.label.unwrap_or_default(),
            _ => cut(&settle(text, exact.label, "", false)),
        };
        field.default_value = exact.default_value.unwrap_or_default();
        keep(&mut field, "aria-label", exact.aria_label);
        if let What::Heading(level @ (1 | 3..=6)) = item.what {
            let written = field.attributes.entry("aria-level".to_owned());
            written.or_insert_with(|| level.to_string());
        }
        let field = self.push(field, item);
        if let Some(place) = self.field_of_item.get_mut(index as usize) {
            *place = Some(field);
        }
    }

    fn fieldset_name(&mut self, item: &Item, legend: &str) -> String {
        let named = ["name", "id"].iter().find_map(|attribute| {
            let value = self.items.attribute(item, attribute)?.value().into_owned();
            Some(value).filter(|name| is_name(name) && !name.starts_with("cf-"))
        });
        let base = named.unwrap_or_else(|| match slug_of(legend).as_str() {
            "form" => "fieldset".to_owned(),
            slug => slug.to_owned(),
        });
        if base != "fieldset" && !self.taken.contains(&base) {
            self.taken.insert(base.clone());
            return base;
        }
        self.make_up(&base)
    }

    /// A name that no control bears: `heading-1`, `heading-2` …, but a first `submit`.
    fn make_up(&mut self, base: &str) -> String {
        if base == "submit" && self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let base: String = base.chars().take(MAX_NAME_CHARS - 10).collect();
        let first = u32::from(base == "submit") + 1;
        loop {
            let number = self.made_up.entry(base.clone()).or_insert(first);
            let name = format!("{base}-{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn conditions_of(&mut self, item: &Item) -> Vec<Condition> {
        let mut sources = Vec::new();
        let mut next = item.conditions;
        while let Some(source) = next.and_then(|index| self.items.conditions.get(index as usize)) {
            sources.push(source.clone());
            next = source.outer;
        }
        let mut conditions = Vec::new();
        for source in sources.iter().rev() {
            let kept = self.items.within(&source.attributes);
            let mut read = Vec::new();
            let mut is_whole = true;
            if let Some(exact) = find(kept, "data-cf-conditions") {
                match serde_json::from_str::<Vec<Condition>>(&exact.value()) {
                    Ok(mut exact) => read.append(&mut exact),
                    Err(_) => is_whole = false,
                }
            }
            for (name, action) in [
                ("data-show-if", ConditionAction::Show),
                ("data-hide-if", ConditionAction::Hide),
            ] {
                if let Some(written) = find(kept, name) {
                    match conditions::read(&written.value(), action) {
                        Some(condition) => read.push(condition),
                        None => is_whole = false,
                    }
                }
            }
            if !is_whole {
                self.items.warnings.add(
                    WarningCode::ConditionDropped,
                    source.offset as usize,
                    "A condition is left out: it cannot be read.",
                );
            }
            conditions.append(&mut read);
        }
        conditions
    }

    /// The group of an item: what names it nearest, or the container around it, or the step.
    fn group_of(&self, item: &Item) -> Option<String> {
        let mut item = item;
        loop {
            if let Some(group) = item.group {
                let group = self.items.attributes.get(group as usize)?.value();
                return Some(collapse(&group))
                    .filter(|group| !group.is_empty() && group.chars().count() <= MAX_NAME_CHARS);
            }
            let Some(parent) = item.parent else { break };
            if let Some(field) = self.field_of_item.get(parent as usize).copied().flatten() {
                return self.fields.get(field).map(|field| field.name.clone());
            }
            item = self.items.list.get(parent as usize)?;
        }
        let step = self.items.steps.get(item.step? as usize)?;
        if step.is_rendered {
            return None;
        }
        layout::step_id(&self.items, step)
    }
}

/// Whether a field can bear the name.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= MAX_NAME_CHARS
        && !name.ends_with("[]")
        && name == collapse(name)
        && !name.contains('\u{fffd}')
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

fn taken_names(items: &Items<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in &items.list {
        for attribute in ["name", "data-cf-name"] {
            if let Some(name) = items.attribute(item, attribute) {
                let name = name.value();
                names.insert(name.strip_suffix("[]").unwrap_or(&name).to_owned());
            }
        }
    }
    names
}

/// Keeps an attribute that another member could have taken.
fn keep(field: &mut Field, name: &str, value: Option<String>) {
    if let Some(value) = value {
        field.attributes.insert(name.to_owned(), value);
    }
}

fn referred_ids<'a>(items: &Items<'a>) -> BTreeSet<&'a str> {
    items
        .attributes
        .iter()
        .filter(|attribute| attribute.name.eq_ignore_ascii_case("aria-describedby"))
        .flat_map(|attribute| attribute.raw_value.split_ascii_whitespace())
        .collect()
}
