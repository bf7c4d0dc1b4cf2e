//! Reads the options of selects and datalists, and of radios and checkboxes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use super::items::Items;
use crate::html::entities::without_controls;
use crate::html::text::TextRange;
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::check::MAX_OPTIONS;
use model::front_settings::is_picture;
use model::logic::calc::fields::WEIGHTS;
use model::logic::holds::{MAX_SEATS, SEATS};
use model::logic::number::number_of;
use model::one_control::shows_list;
use model::{Field, FieldOption};

/// The longest value or label of an option, in characters.
const MAX_OPTION_CHARS: usize = 1_000;

/// An option of a select or datalist.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) offset: u32,
    pub(super) tag: u32,
    pub(super) text: TextRange,
    pub(super) is_grouped: bool,
    pub(super) is_disabled: bool,
}

/// The select or datalist of an option, by its offset in the document.
#[derive(Clone, Copy, Debug)]
pub(super) enum OptionsOwner {
    Select(u32),
    Datalist(u32),
}

impl OptionsOwner {
    pub(super) const fn offset(self) -> u32 {
        let (OptionsOwner::Select(offset) | OptionsOwner::Datalist(offset)) = self;
        offset
    }
}

/// The values of a field's options; a set is built only when there are many.
#[derive(Default)]
pub(super) struct Values(BTreeSet<String>);

impl Values {
    /// The number of options up to which a linear search is used.
    const FEW: usize = 16;

    /// Notes the value of an option that is about to be added. Returns false if another option has this value.
    fn add(&mut self, value: &str, others: &[FieldOption]) -> bool {
        if others.len() < Self::FEW {
            return others.iter().all(|other| other.value != value);
        }
        if self.0.is_empty() {
            self.0
                .extend(others.iter().map(|other| other.value.clone()));
        }
        self.0.insert(value.to_owned())
    }
}

/// Adds an option to a field, unless its value is taken or a limit is reached. Returns whether it was added.
pub(super) fn add_option(
    field: &mut Field,
    values: &mut Values,
    option: FieldOption,
    warnings: &mut Warnings,
    offset: u32,
) -> bool {
    let offset = offset as usize;
    let fits = field.options.len() < MAX_OPTIONS
        && option.value.chars().count() <= MAX_OPTION_CHARS
        && option.label.chars().count() <= MAX_OPTION_CHARS;
    if !fits {
        let message = "An option is left out: it is too long, or there are too many.";
        warnings.add(WarningCode::TextCut, offset, message);
        return false;
    }
    if !values.add(&option.value, &field.options) {
        let message = format!("Another option has the value `{}`.", option.value);
        warnings.add(WarningCode::DuplicateOption, offset, message);
        return false;
    }
    field.options.push(option);
    true
}

/// The attributes that give an option a number: its value in calculations, and its seats. Each is paired with the
/// field's attribute that collects these numbers in a JSON table.
const NUMBERS: [(&str, &str); 2] = [("data-weight", WEIGHTS), (SEATS, SEATS)];

/// Maximum length of such a table, in bytes.
const MAX_TABLE_BYTES: usize = 9_000;

/// Adds the numbers of an option to the tables of its field.
pub(super) fn add_numbers<'t>(
    field: &mut Field,
    option: &str,
    value: impl Fn(&str) -> Option<Cow<'t, str>>,
) {
    for (attribute, table) in NUMBERS {
        let Some(number) = value(attribute).and_then(|text| number_of(text.trim())) else {
            continue;
        };
        if table == SEATS
            && number
                .as_i64()
                .is_none_or(|seats| !(0..=MAX_SEATS).contains(&seats))
        {
            continue;
        }
        let entry = format!("{}:{number}}}", Value::from(option));
        let known = field.attributes.entry(table.to_owned()).or_default();
        if known.len() + entry.len() <= MAX_TABLE_BYTES {
            let is_first = known.pop().is_none();
            known.push(if is_first { '{' } else { ',' });
            known.push_str(&entry);
        }
    }
}

/// Adds options of other controls with the same name. Equal values are one choice.
pub(super) fn unite(
    field: &mut Field,
    values: &mut Values,
    options: Vec<FieldOption>,
    warnings: &mut Warnings,
    offset: u32,
) {
    for option in options {
        if field.options.len() >= MAX_OPTIONS {
            let message = "Options are left out: there are too many.";
            return warnings.add(WarningCode::TextCut, offset as usize, message);
        }
        if values.add(&option.value, &field.options) {
            field.options.push(option);
        }
    }
}

/// Returns two lists of offsets: the selects in which browsers would preset an option, and the first options that are
/// empty and disabled. Browsers skip such an option, unless it is selected.
pub(super) fn unset_selects(items: &Items<'_>) -> (Vec<u32>, Vec<u32>) {
    let (mut selects, mut empty_options) = (Vec::new(), Vec::new());
    for item in &items.list {
        let owner = OptionsOwner::Select(item.offset);
        let choices = items
            .choices
            .get(items.choices_of(owner))
            .unwrap_or_default();
        let is_chosen =
            |choice: &Choice| items.tags.attributes(choice.tag).get("selected").is_some();
        let has_multiple = items.attribute(item, "multiple").is_some();
        let is_list = shows_list(has_multiple, items.raw_value(item, "size"));
        match choices
            .first()
            .filter(|_| !is_list && !choices.iter().any(is_chosen))
        {
            Some(first) if !read_option(first, owner, items).0.value.is_empty() => {
                selects.push(item.offset)
            }
            Some(first) if first.is_disabled => empty_options.push(first.offset),
            _ => {}
        }
    }
    (selects, empty_options)
}

/// The initially selected values of a select, and its placeholder.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) values: Vec<String>,
    pub(super) placeholder: Option<String>,
}

/// Reads the options of a select or datalist into a field.
pub(super) fn read(
    field: &mut Field,
    owner: OptionsOwner,
    items: &Items<'_>,
    warnings: &mut Warnings,
) -> Chosen {
    let mut chosen = Chosen::default();
    let mut values = Values::default();
    let mut groups_are_reported = false;
    let choices = items.choices.get(items.choices_of(owner));
    for (index, choice) in choices.unwrap_or_default().iter().enumerate() {
        let offset = choice.offset as usize;
        if choice.is_grouped && !groups_are_reported {
            groups_are_reported = true;
            let message = "The options are kept without their groups.";
            warnings.add(WarningCode::OptionGroupFlattened, offset, message);
        }
        let (option, is_selected) = read_option(choice, owner, items);
        let is_first = index == 0 && matches!(owner, OptionsOwner::Select(_));
        let class = items.tags.attributes(choice.tag).get("class");
        if is_first && class.is_some_and(|class| class.raw_value() == markers::CHOOSE_CLASS) {
            continue;
        }
        if is_first && is_placeholder(field, choice, &option, items) {
            chosen.placeholder = Some(option.label);
            continue;
        }
        if choice.is_disabled {
            let message = "An option that cannot be chosen is left out.";
            warnings.add(WarningCode::OptionDisabled, offset, message);
            continue;
        }
        let value = is_selected.then(|| option.value.clone());
        let key = option.value.clone();
        if add_option(field, &mut values, option, warnings, choice.offset) {
            let attributes = items.tags.attributes(choice.tag);
            add_numbers(field, &key, |name| {
                attributes.get(name).map(|number| number.value())
            });
            chosen.values.extend(value);
        }
    }
    if !field.attributes.contains_key("multiple") {
        // In a single select, browsers keep the last selected option.
        let last = chosen.values.len().saturating_sub(1);
        chosen.values.drain(..last);
    }
    chosen
}

fn read_option(choice: &Choice, owner: OptionsOwner, items: &Items<'_>) -> (FieldOption, bool) {
    let attribute = |name| items.tags.attributes(choice.tag).get(name);
    let value = attribute("value").map(|value| value.value().replace('\n', " "));
    let label = attribute("label");
    let text = || items.texts.of_option(choice.text.clone());
    let value = value.unwrap_or_else(text);
    let label = match label {
        Some(label) if !label.raw_value().is_empty() => label.value().into_owned(),
        // Browsers suggest the value itself if an option has no text.
        None if matches!(owner, OptionsOwner::Datalist(_)) => Some(text())
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| value.clone()),
        _ => text(),
    };
    let is_selected = attribute("selected").is_some();
    let image = image(attribute("data-cf-image").map(|image| image.value()));
    let option = FieldOption {
        value,
        label,
        image,
    };
    (option, is_selected)
}

/// The address of an option's picture; empty if it is invalid.
pub(super) fn image(address: Option<Cow<'_, str>>) -> String {
    let address =
        address.filter(|address| is_picture(address) && address.len() <= MAX_OPTION_CHARS);
    address.map(Cow::into_owned).unwrap_or_default()
}

/// Whether the first option is a placeholder: it is empty, and either has a text, like the standard's placeholder label
/// option, or cannot be selected. The result does not depend on `required`, so that changing `required` does not change
/// the options.
fn is_placeholder(field: &Field, choice: &Choice, option: &FieldOption, items: &Items<'_>) -> bool {
    let attribute = |name| items.tags.attributes(choice.tag).get(name);
    let class = attribute("class").map_or("", |class| class.raw_value());
    let is_empty_first = !choice.is_grouped
        && class != markers::OPTION_CLASS
        && option.value.is_empty()
        && attribute("value").is_some()
        && !field.attributes.contains_key("multiple")
        && (!option.label.is_empty() || choice.is_disabled || attribute("hidden").is_some());
    class == markers::PLACEHOLDER_CLASS || is_empty_first
}

/// Reads options written as JSON, for a field whose HTML cannot show them.
pub(super) fn read_exact(field: &mut Field, json: &str, warnings: &mut Warnings, offset: u32) {
    let options: Vec<FieldOption> = serde_json::from_str(json).unwrap_or_default();
    let mut values = Values::default();
    for option in options {
        let option = FieldOption {
            value: without_controls(Cow::Owned(option.value)).replace('\n', " "),
            label: without_controls(Cow::Owned(option.label)).into_owned(),
            image: image(Some(Cow::Owned(option.image))),
        };
        add_option(field, &mut values, option, warnings, offset);
    }
}
