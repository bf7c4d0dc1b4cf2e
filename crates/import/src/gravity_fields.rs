//! Converts the fields of a Gravity Forms form to fields of a schema.

use model::check::MAX_FIELDS;
use model::logic::number::parse_number;
use serde_json::{Map, Value};

use super::forms::item::number_value;
use super::gravity_text::{note_formatting, without_tags};
use super::values::{
    Places, counterpart, either, is_on, member, one_line, put, put_text, shortened, table, text,
    texts, values,
};
use super::{Page, Report};

/// The number of grid columns in a row.
const GRID_COLUMNS: f64 = 12.0;

/// The maximum number of parts of a name or an address.
const MAX_PARTS: usize = 11;

/// The names of the submit button, and of the paragraph for the form's description.
pub const SUBMIT: &str = "gravity_submit";
const DESCRIPTION: &str = "gravity_description";

/// An imported field, or a break between pages (`page`).
pub struct Known<'f> {
    theirs: &'f Value,
    name: String,
    kind: &'static str,
}

impl Known<'_> {
    /// The template variable of the field, or of one of its parts, by the part's number.
    pub fn variable(&self, part: &str) -> String {
        match part_of(self.kind, part) {
            Some(part) => ["[", &self.name, ".", part, "]"].concat(),
            None => ["[", &self.name, "]"].concat(),
        }
    }
}

/// The imported fields, in order.
#[derive(Default)]
pub struct Fields<'f> {
    all: Vec<Known<'f>>,
    /// The indexes in `all`, by id; of several fields with one id, the last wins.
    places: Places,
    names: Places,
}

impl<'f> Fields<'f> {
    /// The field with this id.
    pub fn find(&self, id: &str) -> Option<&Known<'f>> {
        self.all.get(self.places.get(id)?)
    }

    /// The names of the fields by their ids.
    pub fn ids(&self) -> Map<String, Value> {
        let mut ids = Map::new();
        for (id, place) in self.places.all() {
            if let Some(field) = self.all.get(place) {
                put_text(&mut ids, id, &field.name);
            }
        }
        ids
    }

    fn add(&mut self, field: Known<'f>) {
        if field.kind != "page" {
            self.places.put(text(field.theirs, "id"), self.all.len());
            self.names.put(&field.name, 0);
        }
        self.all.push(field);
    }
}

/// The imported fields of a form, with names and types of this engine.
pub fn known<'f>(form: &'f Value, report: &mut Report) -> Fields<'f> {
    let mut stored = values(member(form, "fields"));
    // One field is reserved for the button.
    report.keep_first(&mut stored, MAX_FIELDS - 1, "too_many_fields");
    let mut known = Fields::default();
    for theirs in stored {
        let (their_type, label) = (text(theirs, "type"), text(theirs, "label"));
        let Some(kind) = kind_of(theirs) else {
            report.remark("unknown_field", label, their_type);
            continue;
        };
        let shown = if is_unseen(theirs) {
            counterpart("gravity_forms.types_if_unseen", kind)
        } else {
            Some(kind)
        };
        let Some(kind) = shown else {
            report.remark("visibility/left_out", label, "");
            continue;
        };
        let is_variant = their_type != text(theirs, "inputType");
        if is_variant && counterpart("gravity_forms.types", their_type).is_none() {
            report.remark("field_type", label, their_type);
        }
        let name = match kind {
            "page" => String::new(),
            _ => free_name(theirs, &known),
        };
        known.add(Known { theirs, name, kind });
    }
    known
}

/// Builds the fields of a form's pages; a form without page breaks has one page.
pub fn pages(form: &Value, known: &Fields<'_>, report: &mut Report) -> Vec<Page> {
    let titles = values(member(member(form, "pagination"), "pages")).into_iter();
    let mut titles = titles.filter_map(Value::as_str);
    let mut title = || titles.next().unwrap_or_default().to_owned();
    let mut pages = Vec::new();
    let mut page = (title(), Vec::new());
    let about = text(form, "description");
    page.1.extend(paragraph(DESCRIPTION, about, report));
    for field in &known.all {
        if field.kind == "page" {
            pages.push(std::mem::replace(&mut page, (title(), Vec::new())));
            let place = format!("page {}", pages.len() + 1);
            for button in ["nextButton", "previousButton"] {
                note_button(member(field.theirs, button), &place, report);
            }
            continue;
        }
        let mut made = vec![Value::Object(converted(field, report))];
        if field.kind == "heading" {
            // A heading has no description here, so the description becomes a paragraph.
            let name = free_of(&[&field.name, "_text"].concat(), field.theirs, known);
            made.extend(paragraph(&name, text(field.theirs, "description"), report));
        }
        let conditions = conditions(
            member(field.theirs, "conditionalLogic"),
            known,
            &field.name,
            report,
        );
        if let Some(conditions) = conditions {
            for members in made.iter_mut().filter_map(Value::as_object_mut) {
                put(members, "conditions", conditions.clone());
            }
        }
        page.1.extend(made);
    }
    pages.push(page);
    pages
}

/// Reports a page's own text for a button, because here all pages share one text.
pub fn note_button(button: &Value, place: &str, report: &mut Report) {
    let words = text(button, "text").trim();
    if !matches!(words, "" | "Next" | "Previous") {
        report.remark("page_button", place, words);
    }
}

/// A paragraph from HTML; `None` for an empty text.
fn paragraph(name: &str, html: &str, report: &mut Report) -> Option<Value> {
    let plain = without_tags(html);
    if plain.is_empty() {
        return None;
    }
    note_formatting(html, name, report);
    let members = texts(&[("name", name), ("type", "paragraph"), ("label", &plain)]);
    Some(Value::Object(members))
}

/// Whether visitors never see the field.
fn is_unseen(field: &Value) -> bool {
    matches!(text(field, "visibility"), "hidden" | "administrative")
}

fn kind_of(field: &Value) -> Option<&'static str> {
    let kind = text(field, "type");
    if kind == "name" && text(field, "nameFormat") == "simple" {
        return Some("text");
    }
    let known = |kind: &str| counterpart("gravity_forms.types", kind);
    known(kind).or_else(|| known(text(field, "inputType")))
}

/// A unique name, derived from the label or else from the id.
fn free_name(field: &Value, known: &Fields<'_>) -> String {
    let label = either(field, "adminLabel", "label").to_ascii_lowercase();
    let words = label.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(6).collect();
    let name = words.join("_");
    let name = shortened(&name, 60);
    if name.is_empty() || name == "cf" {
        return ["field_", text(field, "id")].concat();
    }
    free_of(name, field, known)
}

fn free_of(name: &str, field: &Value, known: &Fields<'_>) -> String {
    if [SUBMIT, DESCRIPTION].contains(&name) || known.names.get(name).is_some() {
        [name, "_", text(field, "id")].concat()
    } else {
        name.to_owned()
    }
}

fn converted(field: &Known<'_>, report: &mut Report) -> Map<String, Value> {
    let Known { theirs, name, kind } = field;
    let content = text(theirs, "content");
    let label = match *kind {
        "paragraph" => without_tags(content),
        "consent" => without_tags(text(theirs, "checkboxLabel")),
        _ => one_line(text(theirs, "label")),
    };
    let description = match *kind {
        "paragraph" | "heading" => "",
        _ => text(theirs, "description"),
    };
    note_formatting(&[content, description].concat(), name, report);
    report.unknown_members(theirs, "gravity_forms/field", name);
    let span = parse_number(text(theirs, "layoutGridColumnSpan")).unwrap_or_default();
    let width = number_value((span / GRID_COLUMNS * 100.0).trunc()).to_string();
    let place = [name, ".layoutGridColumnSpan"].concat();
    let classes = [text(theirs, "cssClass"), report.width_class(&width, &place)];
    let mut made = texts(&[
        ("name", name),
        ("type", kind),
        ("label", &label),
        ("css_class", &one_line(&classes.join(" "))),
        ("placeholder", &one_line(text(theirs, "placeholder"))),
        ("description", &without_tags(description)),
    ]);
    // Visitors cannot fill in a hidden field.
    let required = is_on(theirs, "isRequired") && *kind != "hidden";
    put(&mut made, "required", Value::Bool(required));
    if is_unseen(theirs) {
        report.remark("visibility", name, "");
    }
    put_values(&mut made, field, report);
    put(&mut made, "validation", Value::Object(bounds(theirs, kind)));
    put(
        &mut made,
        "attributes",
        Value::Object(attributes(theirs, kind)),
    );
    remark_losses(field, report);
    made
}

/// Sets the options and the default value of a field.
fn put_values(made: &mut Map<String, Value>, field: &Known<'_>, report: &mut Report) {
    let Known { theirs, name, kind } = field;
    let takes_choices = matches!(*kind, "select" | "radio" | "checkbox");
    let (options, chosen) = match *kind {
        "name" | "address" => (parts(theirs, kind, name, report), String::new()),
        _ if takes_choices => choices(theirs),
        _ => (Vec::new(), String::new()),
    };
    put(made, "options", Value::Array(options));
    let default = if takes_choices {
        &chosen
    } else {
        text(theirs, "defaultValue")
    };
    if !default.contains('{') && !matches!(*kind, "name" | "address" | "consent" | "file") {
        put_text(made, "default_value", default);
    } else if !default.is_empty() {
        report.remark("default_value", name, "");
    }
}

/// Reports the members of a field that have no counterpart.
fn remark_losses(field: &Known<'_>, report: &mut Report) {
    let Known { theirs, name, kind } = field;
    for (member, remark) in table("gravity_forms.losses") {
        if is_on(theirs, member) {
            report.remark(remark, name, "");
        }
    }
    if *kind == "file" && is_on(theirs, "maxFiles") {
        report.remark("maximum_of_files", name, "");
    }
}

/// The attributes of a field's control.
fn attributes(theirs: &Value, kind: &str) -> Map<String, Value> {
    let mut attributes = Map::new();
    if text(theirs, "type") == "multiselect" || is_on(theirs, "multipleFiles") {
        put(&mut attributes, "multiple", Value::from(""));
    }
    let extensions = text(theirs, "allowedExtensions");
    if kind == "file" && !extensions.trim().is_empty() {
        let dotted = |extension: &str| [".", extension.trim().trim_start_matches('.')].concat();
        let accept: Vec<String> = extensions.split(',').map(dotted).collect();
        put_text(&mut attributes, "accept", &accept.join(","));
    }
    if is_on(theirs, "enableAutocomplete") {
        let token = text(theirs, "autocompleteAttribute");
        put_text(&mut attributes, "autocomplete", token);
    }
    attributes
}

/// The choices as options, and the values of the initially selected choices, one per line.
fn choices(field: &Value) -> (Vec<Value>, String) {
    let (mut options, mut chosen) = (Vec::new(), Vec::new());
    for choice in values(member(field, "choices")) {
        let label = without_tags(text(choice, "text"));
        let value = one_line(text(choice, "value"));
        let sent = if value.is_empty() { &label } else { &value };
        options.push(Value::Object(texts(&[("value", sent), ("label", &label)])));
        if is_on(choice, "isSelected") {
            chosen.push(sent.clone());
        }
    }
    (options, chosen.join("\n"))
}

/// The bounds of a field's answers, in bytes for files.
fn bounds(field: &Value, kind: &str) -> Map<String, Value> {
    let number = |name: &str| parse_number(text(field, name));
    let bytes = |megabytes: f64| (megabytes * 1_048_576.0).trunc();
    let longest = number("maxLength");
    let (least, most) = match kind {
        "number" => (number("rangeMin"), longest.or(number("rangeMax"))),
        "text" | "textarea" => (None, longest),
        "file" => {
            let size = number("maxFileSize").filter(|size| *size > 0.0 && *size < 1e6);
            (None, size.map(bytes))
        }
        _ => (None, None),
    };
    let mut validation = Map::new();
    for (name, bound) in [("min", least), ("max", most)] {
        if let Some(bound) = bound {
            put(&mut validation, name, Value::from(bound));
        }
    }
    validation
}

/// The engine's name for a numbered part of a name or an address.
fn part_of(kind: &str, number: &str) -> Option<&'static str> {
    counterpart("gravity_forms.parts", &[kind, ".", number].concat())
}

/// The form's labels for the parts of a name or an address, as a field's options. Parts are numbered, as in `1.3`;
/// each may have its own label and may be hidden.
fn parts(field: &Value, kind: &str, name: &str, report: &mut Report) -> Vec<Value> {
    let mut options = Vec::new();
    for input in values(member(field, "inputs")).into_iter().take(MAX_PARTS) {
        let number = text(input, "id").rsplit_once('.');
        let part = part_of(kind, number.map_or("", |(_, number)| number));
        let label = one_line(either(input, "customLabel", "label"));
        match (part, is_on(input, "isHidden")) {
            (Some(_), true) => report.remark("part_hidden", name, &label),
            (Some(part), false) if !label.is_empty() => {
                options.push(Value::Object(texts(&[("value", part), ("label", &label)])));
            }
            (None, false) => report.remark("part", name, &label),
            _ => {}
        }
    }
    options
}

/// Converts the conditions of a field or an action; returns `None` if no rule can be converted.
pub fn conditions(
    logic: &Value,
    known: &Fields<'_>,
    place: &str,
    report: &mut Report,
) -> Option<Value> {
    let mut rules = Vec::new();
    for rule in values(member(logic, "rules")) {
        let id = text(rule, "fieldId");
        let field = known.find(id.split('.').next().unwrap_or_default());
        let operator = counterpart("gravity_forms.operators", text(rule, "operator"));
        if let (Some(field), Some(operator)) = (field, operator) {
            let members = [
                ("field", field.name.as_str()),
                ("operator", operator),
                ("value", text(rule, "value")),
            ];
            rules.push(Value::Object(texts(&members)));
        } else {
            report.remark("condition", place, id);
        }
    }
    if rules.is_empty() {
        return None;
    }
    let is_hide = text(logic, "actionType") == "hide";
    let is_any = text(logic, "logicType") == "any";
    let mut conditions = texts(&[
        ("action", if is_hide { "hide" } else { "show" }),
        ("match", if is_any { "any" } else { "all" }),
    ]);
    put(&mut conditions, "rules", Value::Array(rules));
    Some(Value::Object(conditions))
}
