//! Converts the fields of WPForms.

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::values::{entries, is_on, member, number, text, values};
use serde_json::Value;

/// The members of an object with their names, or the items of a list with their indexes.
pub fn entries_or_items(fields: &Value) -> Vec<(String, &Value)> {
    if let Value::Array(items) = fields {
        let numbered = items.iter().enumerate();
        return numbered
            .map(|(index, item)| (index.to_string(), item))
            .collect();
    }
    entries(fields)
        .into_iter()
        .map(|(id, field)| (id.to_owned(), field))
        .collect()
}

/// The placement of a field: its width in percent, and its group.
pub struct Placed {
    pub id: String,
    pub width: f64,
    pub group: String,
}

pub fn add(form: &mut Builder<'_>, id: &str, field: &Value, places: &mut Vec<Placed>) {
    let (theirs, label) = (text(field, "type"), text(field, "label"));
    let place = if label.is_empty() { theirs } else { label };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    match kind {
        "step" => page(form, field),
        "layout" => columns(field, "", places),
        "review" => {
            form.settings.insert("review".to_owned(), Value::Bool(true));
        }
        "matrix" => matrix(form, id, field),
        "fieldset repeat" => {
            let item = form.item(id, "", label, kind);
            let name = item.name.clone();
            form.add(item);
            columns(field, &name, places);
        }
        "paragraph" => {
            let html = if theirs == "html" {
                text(field, "code")
            } else {
                text(field, "content")
            };
            let name = [theirs, "_", id].concat();
            form.paragraph(id, &name, html);
        }
        "datetime" => moments(form, id, field),
        _ => {
            let item = form.item(id, "", label, kind);
            let item = described(form, item, field);
            form.add(item);
            if kind == "heading" {
                let name = [
                    form.find(id).map_or("heading", |item| item.name.as_str()),
                    "_text",
                ]
                .concat();
                form.paragraph("", &name, text(field, "description"));
            }
        }
    }
}

pub fn page(form: &mut Builder<'_>, field: &Value) {
    match text(field, "position") {
        "top" => form.title_page(text(field, "title")),
        "bottom" => form.page_buttons("", text(field, "prev")),
        _ => {
            form.page_buttons(text(field, "next"), text(field, "prev"));
            form.page(text(field, "title"));
        }
    }
}

/// Collects the placements of the fields in a layout's columns.
pub fn columns(layout: &Value, group: &str, places: &mut Vec<Placed>) {
    let rows = values(member(layout, "columns"));
    let share = 100.0 / f64::from(u8::try_from(rows.len()).unwrap_or(u8::MAX).max(1));
    for column in rows {
        let width = number(column, "width_preset").unwrap_or(share);
        let ids = values(member(column, "fields")).into_iter();
        places.extend(ids.filter_map(Value::as_str).map(|id| Placed {
            id: id.to_owned(),
            width,
            group: group.to_owned(),
        }));
    }
}

pub fn matrix(form: &mut Builder<'_>, id: &str, field: &Value) {
    let is_required = is_on(field, "required");
    let rows = entries_or_items(member(field, "rows"));
    let rows: Vec<(String, String, bool)> = (rows.iter())
        .filter_map(|(_, row)| Some((String::new(), row.as_str()?.to_owned(), is_required)))
        .collect();
    let columns = values(member(field, "columns")).into_iter();
    let columns: Vec<(String, String)> = (columns.filter_map(Value::as_str))
        .map(|label| (String::new(), label.to_owned()))
        .collect();
    let kind = if is_on(field, "multiple_responses") {
        "checkbox"
    } else {
        "radio"
    };
    let mut frame = form.item(id, "", text(field, "label"), "fieldset");
    form.describe(&mut frame, text(field, "description"));
    form.matrix(frame, kind, &rows, &columns);
}

/// Adds a date, a time, or both in a group.
pub fn moments(form: &mut Builder<'_>, id: &str, field: &Value) {
    let label = text(field, "label");
    let format = text(field, "format");
    if matches!(format, "date" | "time") {
        let item = form.item(
            id,
            "",
            label,
            if format == "time" { "time" } else { "date" },
        );
        let item = described(form, item, field);
        form.add(item);
        return;
    }
    let frame = form.item(id, "", label, "fieldset");
    let frame = described(form, frame, field);
    form.date_and_time(frame, is_on(field, "required"));
}

/// Sets a field's properties from its settings in WPForms.
pub fn described(form: &mut Builder<'_>, mut item: Item, field: &Value) -> Item {
    if item.kind != "heading" {
        form.describe(&mut item, text(field, "description"));
    }
    item.require(is_on(field, "required"));
    if item.kind != "name" {
        item.set("placeholder", text(field, "placeholder"));
    }
    item.class(text(field, "css"));
    choices(form, &mut item, field);
    bounds(form, &mut item, field);
    parts(form, &mut item, field);
    let default = text(field, "default_value");
    if default.contains('{') {
        form.note("default_value", &item.name, "");
    } else if !matches!(item.kind, "consent" | "file" | "name" | "address") {
        item.set("default_value", default);
    }
    if is_on(field, "dynamic_choices") {
        form.note("choices_elsewhere", &item.name, "");
    }
    if is_on(field, "calculation_is_enabled") {
        form.note("calculation", &item.name, "");
    }
    item
}

pub fn choices(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    let all = entries_or_items(member(field, "choices"));
    if item.kind == "consent" || item.kind == "checkbox" && is_on(field, "disclaimer_format") {
        item.kind = "consent";
        let label = all.first().map_or("", |(_, choice)| text(choice, "label"));
        form.consent_label(item, label);
        return;
    }
    if !matches!(item.kind, "select" | "radio" | "checkbox") {
        return;
    }
    let mut chosen = Vec::new();
    for (key, choice) in all {
        let value = if is_on(field, "show_values") {
            text(choice, "value")
        } else {
            ""
        };
        item.choice(&key, value, text(choice, "label"));
        if is_on(field, "choices_images") {
            item.image(text(choice, "image"));
        }
        if is_on(choice, "default") {
            chosen.push(item.value_of(&key).to_owned());
        }
        if is_on(choice, "other")
            || text(choice, "label").eq_ignore_ascii_case("other") && is_on(field, "choices_other")
        {
            item.attribute("data-other", text(choice, "label"));
            item.choices.pop();
        }
    }
    item.set("default_value", &chosen.join("\n"));
    item.flag(
        "multiple",
        item.kind == "select" && is_on(field, "multiple"),
    );
    item.longest(text(field, "choice_limit"));
    if is_on(field, "random") {
        form.note("random_order", &item.name, "");
    }
}

pub fn bounds(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    match item.kind {
        "text" | "textarea" if is_on(field, "limit_enabled") => {
            if text(field, "limit_mode") == "words" {
                form.note("word_limit", &item.name, "");
            } else {
                item.longest(text(field, "limit_count"));
            }
        }
        "number" if text(field, "type") == "number-slider" => {
            item.range(text(field, "min"), text(field, "max"), text(field, "step"));
        }
        "number" => {
            item.bound("min", text(field, "min"));
            item.bound("max", text(field, "max"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(text(field, "max_size"), 1_048_576.0);
            item.accept(text(field, "extensions").split(','));
            let most = text(field, "max_file_number").parse::<u32>().unwrap_or(1);
            item.flag("multiple", most > 1);
            if most > 1 {
                form.note("maximum_of_files", &item.name, "");
            }
        }
        "rating" if text(field, "type") == "net_promoter_score" => {
            item.scale(0.0, 10.0);
            item.ends(text(field, "lowest_label"), text(field, "highest_label"));
        }
        "rating" => {
            item.longest(text(field, "scale"));
        }
        _ => {}
    }
    if !text(field, "input_mask").is_empty() {
        form.note("input_mask", &item.name, "");
    }
    if is_on(field, "confirmation") {
        form.note("email_confirmation", &item.name, "");
    }
}

/// Converts a name by its format; a simple name becomes a text field.
pub fn parts(form: &mut Builder<'_>, item: &mut Item, field: &Value) {
    if item.kind == "name" {
        match text(field, "format") {
            "simple" => {
                item.kind = "text";
                item.attribute("autocomplete", "name");
                item.set("placeholder", text(field, "simple_placeholder"));
            }
            "first-middle-last" => form.note("part", &item.name, "Middle"),
            _ => {}
        }
    }
}
