//! Converts the fields of Formidable Forms.

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::rules::conditions;
use crate::values::{entries, is_on, member, number, put, text, values};
use crate::xml::Element;
use model::logic::number::parse_number;
use serde_json::Value;

/// The number of grid columns in a row.
pub const COLUMNS: f64 = 12.0;

/// A field's element, with the parsed CDATA of its `options` and `field_options`.
pub struct Field<'f> {
    pub element: &'f Element,
    pub options: Value,
    pub more: Value,
}

pub fn add(form: &mut Builder<'_>, field: &Field<'_>, titles: &Value) {
    let (element, more) = (field.element, &field.more);
    let (id, label, theirs) = (
        element.text_of("id"),
        element.text_of("name"),
        element.text_of("type"),
    );
    let place = if label.is_empty() { id } else { label };
    let Some(kind) = form.kind(theirs, place) else {
        return;
    };
    match kind {
        "step" => {
            form.group.clear();
            form.page_buttons(label, "");
            form.page(text(titles, id));
        }
        "end" => form.group.clear(),
        "submit" => form.button = label.to_owned(),
        "review" => put(&mut form.settings, "review", Value::Bool(true)),
        "paragraph" => form.paragraph(
            id,
            &[theirs, "_", id].concat(),
            element.text_of("description"),
        ),
        "fieldset" => {
            form.group.clear();
            let kind = if is_on(more, "repeat") {
                "fieldset repeat"
            } else {
                "fieldset"
            };
            let mut item = form.item(id, "", label, kind);
            form.describe(&mut item, element.text_of("description"));
            let name = item.name.clone();
            form.add(item);
            form.alias(element.text_of("field_key"));
            form.group = name;
        }
        "matrix" => {
            let rows = values(&field.options).into_iter().filter_map(Value::as_str);
            let rows: Vec<_> = rows
                .map(|row| (String::new(), row.to_owned(), false))
                .collect();
            let frame = form.item(id, "", label, "fieldset");
            form.matrix(frame, "radio", &rows, &[]);
        }
        _ => {
            let item = form.item(id, "", label, kind);
            let item = described(form, item, field);
            form.add(item);
            form.alias(element.text_of("field_key"));
        }
    }
}

/// The parts of names and addresses: Formidable's name of each part, and this engine's name.
const PARTS: [(&str, &str); 8] = [
    ("first", "first"),
    ("last", "last"),
    ("line1", "street"),
    ("line2", "street2"),
    ("city", "city"),
    ("state", "state"),
    ("zip", "postal_code"),
    ("country", "country"),
];

pub fn described(form: &mut Builder<'_>, mut item: Item, field: &Field<'_>) -> Item {
    let (element, more) = (field.element, &field.more);
    form.describe(&mut item, element.text_of("description"));
    item.require(element.text_of("required") == "1");
    item.set("placeholder", text(more, "placeholder"));
    for class in text(more, "classes").split_whitespace() {
        match class.strip_prefix("frm").map(parse_number) {
            Some(Some(columns)) => item.width(columns / COLUMNS * 100.0),
            _ if class.starts_with("frm_") => {}
            _ => item.class(class),
        }
    }
    by_kind(form, &mut item, field);
    let default = element.text_of("default_value");
    if default.contains('[')
        && matches!(
            item.kind,
            "text" | "hidden" | "textarea" | "email" | "url" | "number"
        )
    {
        form.note("default_value", &item.name, "");
    } else if !default.starts_with(['{', '['])
        && !matches!(item.kind, "file" | "consent" | "rating")
    {
        let value = item.value_of(default).to_owned();
        item.set("default_value", &value);
    }
    if is_on(more, "unique") {
        form.note("no_duplicates", &item.name, "");
    }
    if is_on(more, "calc") {
        form.note("calculation", &item.name, "");
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, field: &Field<'_>) {
    let (element, more) = (field.element, &field.more);
    match item.kind {
        "name" | "address" => {
            for (part, ours) in PARTS {
                let label = text(more, &[part, "_desc"].concat());
                if !label.is_empty() {
                    item.choice("", ours, label);
                }
            }
        }
        "select" | "radio" | "checkbox" => choices(form, item, field),
        "textarea" => {
            item.attribute("rows", text(more, "max"));
            item.longest(text(more, "max_limit"));
        }
        "text" => item.longest(text(more, "max")),
        "number" => {
            item.bound("min", text(more, "minnum"));
            item.bound("max", text(more, "maxnum"));
            item.attribute("step", text(more, "step"));
        }
        "date" => years(item, more),
        "rating" if element.text_of("type") == "star" => item.longest(text(more, "maxnum")),
        "rating" => {
            let end = |name: &str, usual: f64| number(more, name).unwrap_or(usual);
            let is_nps = element.text_of("type") == "nps";
            item.scale(
                end("minnum", if is_nps { 0.0 } else { 1.0 }),
                end("maxnum", 10.0),
            );
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            item.most_bytes(text(more, "size"), 1_048_576.0);
            if is_on(more, "restrict") {
                let types = entries(member(more, "ftypes")).into_iter();
                item.accept(types.flat_map(|(extensions, _)| extensions.split('|')));
            }
            item.flag("multiple", is_on(more, "multiple"));
        }
        "consent" => {
            let html = text(more, "gdpr_agreement_text");
            form.consent_label(item, html);
        }
        _ => {}
    }
}

/// Sets the allowed years of a date.
fn years(item: &mut Item, more: &Value) {
    let ends = [
        ("min", "start_year", "-01-01"),
        ("max", "end_year", "-12-31"),
    ];
    for (attribute, name, day) in ends {
        let year = text(more, name);
        if year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()) {
            item.attribute(attribute, &[year, day].concat());
        }
    }
}

pub fn choices(form: &mut Builder<'_>, item: &mut Item, field: &Field<'_>) {
    if field.element.text_of("type") == "toggle" {
        let label = text(&field.more, "toggle_on");
        let label = if label.is_empty() {
            item.label.clone()
        } else {
            label.to_owned()
        };
        item.choice("", "", &label);
        return;
    }
    let is_separate = is_on(&field.more, "separate_value");
    let listed = match &field.options {
        Value::Array(items) => items.iter().map(|item| ("", item)).collect(),
        options => entries(options),
    };
    for (key, option) in listed {
        let label = option.as_str().unwrap_or_else(|| text(option, "label"));
        if key.starts_with("other_") {
            item.attribute("data-other", label);
            continue;
        }
        let value = if is_separate {
            text(option, "value")
        } else {
            ""
        };
        item.choice("", value, label);
    }
    item.flag(
        "multiple",
        item.kind == "select" && is_on(&field.more, "multiple"),
    );
    if is_on(&field.more, "random") {
        form.note("random_order", &item.name, "");
    }
}

/// Converts the conditions of a field from three parallel lists: fields, operators and values.
pub fn field_logic(form: &mut Builder<'_>, more: &Value, place: &str) -> Option<Value> {
    let list = |name: &str| values(member(more, name)).into_iter();
    let all = list("hide_field")
        .zip(list("hide_field_cond"))
        .zip(list("hide_opt"));
    let mut rules = Vec::new();
    for ((id, operator), value) in all {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        if !word(id).is_empty() {
            rules.extend(form.rule(&word(id), &word(operator), &word(value), place));
        }
    }
    let action = if text(more, "show_hide") == "hide" {
        "hide"
    } else {
        "show"
    };
    conditions(
        action,
        if text(more, "any_all") == "any" {
            "any"
        } else {
            "all"
        },
        rules,
    )
}
