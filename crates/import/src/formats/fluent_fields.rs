//! Converts the fields of Fluent Forms.

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::maps;
use crate::values::{either, entries, is_on, is_set, member, number, text, values};
use serde_json::Value;

/// The maximum depth of fields within fields.
pub const MAX_DEPTH: usize = 8;

/// The state while reading the fields.
pub struct Walk {
    /// The titles of the remaining pages.
    pub titles: std::vec::IntoIter<String>,
    /// The number of the field, from 1; a nested field has the number of the field that contains it.
    pub number: usize,
}

impl Walk {
    pub fn of(content: &Value) -> Walk {
        let start = member(
            member(member(content, "stepsWrapper"), "stepStart"),
            "settings",
        );
        let titles = values(member(start, "step_titles")).into_iter();
        let titles: Vec<String> = titles
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        Walk {
            titles: titles.into_iter(),
            number: 0,
        }
    }

    pub fn title(&mut self) -> String {
        self.titles.next().unwrap_or_default()
    }
}

/// The columns of a container, each with its fields.
pub fn columns(field: &Value) -> Vec<(&Value, Vec<&Value>)> {
    let columns = values(member(field, "columns")).into_iter();
    columns
        .map(|column| (column, values(member(column, "fields"))))
        .collect()
}

pub fn add(form: &mut Builder<'_>, field: &Value, walk: &mut Walk, depth: usize) {
    let (theirs, settings) = (text(field, "element"), member(field, "settings"));
    let attributes = member(field, "attributes");
    let label = either(settings, "label", "admin_field_label");
    let place = match label {
        _ if theirs.contains("captcha") || theirs == "turnstile" => theirs,
        "" => theirs,
        label => label,
    };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    let name = text(attributes, "name");
    match kind {
        "columns" if depth < MAX_DEPTH => {
            let columns = columns(field);
            let share = 100.0 / f64::from(u8::try_from(columns.len()).unwrap_or(u8::MAX).max(1));
            for (column, fields) in columns {
                let width = number(column, "width").unwrap_or(share);
                for inner in fields {
                    let before = form.items.len();
                    add(form, inner, walk, depth + 1);
                    for item in form.items.iter_mut().skip(before) {
                        item.width(width);
                    }
                }
            }
        }
        "columns" => form.note("too_deep", place, ""),
        "step" => {
            let words = member(settings, "next_btn");
            let next = text(words, "text");
            form.page_buttons(if next == "Next" { "" } else { next }, "");
            previous_words(form, settings);
            form.page(&walk.title());
        }
        "matrix" => matrix(form, field),
        "paragraph" => {
            let id = match name {
                "" => format!("{theirs}_{}", walk.number),
                name => name.to_owned(),
            };
            form.paragraph(&id, &id, text(settings, "html_codes"));
        }
        "fieldset repeat" => {
            let item = form.item(name, name, label, kind);
            repeated(form, item, field);
        }
        _ => {
            let item = form.item(name, name, label, kind);
            let item = described(form, item, field);
            if kind == "date" && is_on(settings, "is_time_enabled") {
                let required = member(member(settings, "validation_rules"), "required");
                form.date_and_time(item, is_on(required, "value"));
            } else {
                form.add(item);
            }
        }
    }
}

/// Adds a repeating group with its fields.
fn repeated(form: &mut Builder<'_>, frame: Item, field: &Value) {
    let group = frame.name.clone();
    form.add(frame);
    let outer = std::mem::replace(&mut form.group, group.clone());
    for (index, column) in values(member(field, "fields")).into_iter().enumerate() {
        let inner = member(column, "settings");
        let id = format!("{group}_{}", index + 1);
        let kind = maps::kind("fluent-forms", text(column, "element"))
            .filter(|kind| !kind.starts_with('!'));
        let made = form.item(&id, &id, text(inner, "label"), kind.unwrap_or("text"));
        let made = described(form, made, column);
        form.add(made);
    }
    form.group = outer;
}

pub fn previous_words(form: &mut Builder<'_>, settings: &Value) {
    let words = text(member(settings, "prev_btn"), "text");
    form.page_buttons("", if words == "Previous" { "" } else { words });
}

pub fn matrix(form: &mut Builder<'_>, field: &Value) {
    let (settings, attributes) = (member(field, "settings"), member(field, "attributes"));
    let name = text(attributes, "name");
    let is_required = is_on(
        member(member(settings, "validation_rules"), "required"),
        "value",
    );
    let rows: Vec<(String, String, bool)> = (entries(member(settings, "grid_rows")).into_iter())
        .map(|(key, label)| {
            (
                key.to_owned(),
                label.as_str().unwrap_or(key).to_owned(),
                is_required,
            )
        })
        .collect();
    let columns: Vec<(String, String)> = (entries(member(settings, "grid_columns")).into_iter())
        .map(|(key, label)| (key.to_owned(), label.as_str().unwrap_or(key).to_owned()))
        .collect();
    let kind = match text(settings, "tabular_field_type") {
        "checkbox" => "checkbox",
        _ => "radio",
    };
    let mut frame = form.item(name, name, text(settings, "label"), "fieldset");
    form.describe(&mut frame, text(settings, "help_message"));
    form.matrix(frame, kind, &rows, &columns);
}

/// Sets a field's properties from Fluent Forms' settings and attributes.
pub fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    let (settings, attributes) = (member(field, "settings"), member(field, "attributes"));
    let required = member(member(settings, "validation_rules"), "required");
    form.describe(&mut item, text(settings, "help_message"));
    item.require(is_set(member(required, "value")));
    item.set(
        "placeholder",
        either(attributes, "placeholder", "placeholder"),
    );
    if item.kind == "select" {
        item.set("placeholder", text(settings, "placeholder"));
    }
    item.class(text(settings, "container_class"));
    by_kind(form, &mut item, field);
    if item.kind == "heading" {
        item.set("description", "");
    }
    if !text(attributes, "data-mask").is_empty() {
        form.note("input_mask", &item.name, "");
    }
    let default = text(attributes, "value");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if !matches!(
        item.kind,
        "consent" | "file" | "name" | "address" | "heading"
    ) {
        item.set("default_value", default);
    }
    if text(settings, "is_unique") == "yes" {
        form.note("no_duplicates", &item.name, "");
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let (settings, attributes) = (member(field, "settings"), member(field, "attributes"));
    let theirs = text(field, "element");
    let rules = member(settings, "validation_rules");
    match item.kind {
        "country" => {
            item.kind = "text";
            item.attribute("autocomplete", "country-name");
            form.note("field_type/place", &item.name, "");
        }
        "select" | "radio" | "checkbox" => choices(form, item, settings),
        "consent" => form.consent_label(item, text(settings, "tnc_html")),
        "name" | "address" => parts(form, item, field),
        "number" if theirs == "rangeslider" => item.range(
            either(attributes, "min", "min"),
            text(attributes, "max"),
            text(settings, "number_step"),
        ),
        "number" => {
            item.bound(
                "min",
                member(member(rules, "min"), "value")
                    .as_str()
                    .unwrap_or_default(),
            );
            item.bound(
                "max",
                member(member(rules, "max"), "value")
                    .as_str()
                    .unwrap_or_default(),
            );
            item.attribute("step", text(settings, "number_step"));
            if !text(settings, "calculation_settings").is_empty()
                || is_on(member(settings, "calculation_settings"), "status")
            {
                form.note("calculation", &item.name, "");
            }
        }
        "text" | "textarea" => item.longest(text(attributes, "maxlength")),
        "rating" if theirs == "net_promoter_score" => {
            item.scale(0.0, 10.0);
            item.ends(text(settings, "start_text"), text(settings, "end_text"));
        }
        "rating" => {
            let stars = entries(member(settings, "options")).len();
            item.bound_number("max", f64::from(u8::try_from(stars).unwrap_or(5)));
        }
        "file" => files(form, item, rules, theirs),
        _ => {}
    }
}

pub fn choices(form: &mut Builder<'_>, item: &mut Item, settings: &Value) {
    for choice in values(member(settings, "advanced_options")) {
        item.choice("", text(choice, "value"), text(choice, "label"));
        if is_on(settings, "enable_image_input") {
            item.image(text(choice, "image"));
        }
    }
    if item.choices.is_empty() {
        for (value, label) in entries(member(settings, "options")) {
            item.choice("", value, label.as_str().unwrap_or(value));
        }
    }
    if text(settings, "enable_other_option") == "yes" {
        let label = text(settings, "other_option_label");
        item.attribute("data-other", if label.is_empty() { "Other" } else { label });
    }
    item.longest(text(settings, "max_selection"));
    if text(settings, "randomize_options") == "yes" {
        form.note("random_order", &item.name, "");
    }
}

pub fn files(form: &mut Builder<'_>, item: &mut Item, rules: &Value, theirs: &str) {
    let rule = |name: &str| member(member(rules, name), "value");
    item.bound_number("max", USUAL_FILE_BYTES);
    item.most_bytes(rule("max_file_size").as_str().unwrap_or_default(), 1.0);
    let types = values(member(member(rules, "allowed_file_types"), "value"));
    let types = types.into_iter().chain(values(rule("allowed_image_types")));
    item.accept(
        types
            .filter_map(Value::as_str)
            .flat_map(|types| types.split('|')),
    );
    if theirs == "input_image" && !item.has_flag("accept") {
        item.attribute("accept", "image/*");
    }
    let most = rule("max_file_count")
        .as_str()
        .unwrap_or_default()
        .parse::<u32>();
    if most.unwrap_or(1) > 1 {
        item.flag("multiple", true);
        form.note("maximum_of_files", &item.name, "");
    }
}

/// Adds the visible parts of a name or an address, with their labels.
pub fn parts(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let mut is_required = false;
    for (key, part) in entries(member(field, "fields")) {
        let settings = member(part, "settings");
        let is_hidden = settings.get("visible").is_some() && !is_on(settings, "visible");
        if is_hidden {
            continue;
        }
        let label = text(settings, "label");
        is_required |= is_on(
            member(member(settings, "validation_rules"), "required"),
            "value",
        );
        match maps::kind("parts", key) {
            Some(ours) => item.choice("", ours, label),
            None => form.note("part", &item.name, label),
        }
    }
    item.require(is_required);
}
