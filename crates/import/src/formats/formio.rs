//! Form.io: `components`, nested in panels, columns, tables and tabs.

use serde_json::Value;

use crate::Draft;
use crate::clock::Clock;
use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::rules::conditions;
use crate::report::Report;
use crate::values::{either, is_on, is_set, member, number, text, text_or_number, values};

/// Maximum depth of nested components.
const MAX_DEPTH: usize = 24;

/// The number of grid columns in a row.
const COLUMNS: f64 = 12.0;

/// Converts a form to a draft.
pub fn draft(theirs: &Value, _clock: &Clock<'_>, report: &mut Report) -> Draft {
    let title = either(theirs, "title", "name");
    let mut form = Builder::new("formio", title, report);
    form.slug = text(theirs, "path").to_owned();
    form.origin.id = text(theirs, "_id").to_owned();
    let mut walk = Walk {
        is_wizard: text(theirs, "display") == "wizard",
        prefix: String::new(),
        conditional: Vec::new(),
    };
    walk.components(&mut form, member(theirs, "components"), 0);
    for (id, component) in std::mem::take(&mut walk.conditional) {
        let place = form
            .find(&id)
            .map(|item| item.name.clone())
            .unwrap_or_default();
        let made = logic(&mut form, member(component, "conditional"), &place);
        form.show_if(&id, made);
    }
    form.finish()
}

/// The state while reading the components.
struct Walk<'f> {
    is_wizard: bool,
    /// The prefix of the names of fields within a container. Form.io nests their answers in the container's answer.
    prefix: String,
    conditional: Vec<(String, &'f Value)>,
}

impl<'f> Walk<'f> {
    fn components(&mut self, form: &mut Builder<'_>, list: &'f Value, depth: usize) {
        for component in values(list) {
            self.component(form, component, depth);
        }
    }

    fn component(&mut self, form: &mut Builder<'_>, component: &'f Value, depth: usize) {
        let (key, theirs) = (text(component, "key"), text(component, "type"));
        let label = text(component, "label");
        let place = if label.is_empty() { key } else { label };
        if depth > MAX_DEPTH {
            form.note("too_deep", place, "");
            return;
        }
        let Some(kind) = form.kind(theirs, place) else {
            return;
        };
        let inner = member(component, "components");
        match kind {
            "step" if self.is_wizard && depth == 0 => {
                form.page(either(component, "title", "label"));
                self.components(form, inner, depth + 1);
            }
            "step" | "fieldset" | "fieldset repeat" => self.group(form, component, kind, depth),
            "layout" => self.layout(form, component, depth),
            "submit" => {
                if matches!(text(component, "action"), "" | "submit") {
                    form.button = label.to_owned();
                }
            }
            "paragraph" => {
                let html = either(component, "content", "html");
                form.paragraph(key, key, html);
            }
            "matrix" => {
                let list = |name: &str| values(member(component, name)).into_iter();
                let pair = |option: &Value| {
                    (
                        text(option, "value").to_owned(),
                        text(option, "label").to_owned(),
                    )
                };
                let is_required = is_on(member(component, "validate"), "required");
                let rows: Vec<_> = list("questions")
                    .map(pair)
                    .map(|(value, label)| (value, label, is_required))
                    .collect();
                let columns: Vec<_> = list("values").map(pair).collect();
                let frame = form.item(key, key, label, "fieldset");
                self.conditional.push((key.to_owned(), component));
                form.matrix(frame, "radio", &rows, &columns);
            }
            _ => {
                let full_key = [&self.prefix, key].concat();
                let label = if kind == "hidden" { "" } else { label };
                let item = form.item(&full_key, &full_key, label, kind);
                let item = described(form, item, component);
                self.conditional.push((full_key, component));
                if theirs == "datetime" {
                    moment(form, item, component);
                } else {
                    form.add(item);
                }
            }
        }
    }

    /// Adds a group. Fields of a container or a repeating grid get the group's key as a prefix of their names, because
    /// Form.io nests their answers in the group's answer.
    fn group(
        &mut self,
        form: &mut Builder<'_>,
        component: &'f Value,
        kind: &'static str,
        depth: usize,
    ) {
        let (key, theirs) = (text(component, "key"), text(component, "type"));
        let kind = if kind == "step" { "fieldset" } else { kind };
        let label = match text(component, "legend") {
            "" => either(component, "title", "label"),
            legend => legend,
        };
        let full_key = [&self.prefix, key].concat();
        let frame = form.item(&full_key, &full_key, label, kind);
        let group = frame.name.clone();
        form.add(frame);
        self.conditional.push((full_key.clone(), component));
        let is_part = matches!(theirs, "container" | "datagrid" | "editgrid");
        let prefix = if is_part {
            [&full_key, "_"].concat()
        } else {
            self.prefix.clone()
        };
        let outer = (
            std::mem::replace(&mut form.group, group),
            std::mem::replace(&mut self.prefix, prefix),
        );
        self.components(form, member(component, "components"), depth + 1);
        (form.group, self.prefix) = outer;
    }

    fn layout(&mut self, form: &mut Builder<'_>, component: &'f Value, depth: usize) {
        let columns = values(member(component, "columns"));
        let rows = values(member(component, "rows"))
            .into_iter()
            .flat_map(values);
        let tabs = values(member(component, "components"));
        for column in columns.into_iter().chain(rows).chain(tabs) {
            let before = form.items.len();
            self.components(form, member(column, "components"), depth + 1);
            if let Some(width) = number(column, "width") {
                for item in form.items.iter_mut().skip(before) {
                    item.width(width / COLUMNS * 100.0);
                }
            }
        }
    }
}

/// Adds a date, a time, or both.
fn moment(form: &mut Builder<'_>, mut item: Item, component: &Value) {
    let is_off = |name: &str| component.get(name).is_some() && !is_on(component, name);
    item.kind = if is_off("enableDate") { "time" } else { "date" };
    if !is_off("enableDate") && !is_off("enableTime") {
        form.date_and_time(item, is_on(member(component, "validate"), "required"));
        return;
    }
    if item.kind == "date" {
        let picker = member(component, "datePicker");
        for (attribute, name) in [("min", "minDate"), ("max", "maxDate")] {
            let day = text(picker, name)
                .get(..10)
                .filter(|day| model::dates::parse_day(day).is_some());
            item.attribute(attribute, day.unwrap_or_default());
        }
    }
    form.add(item);
}

fn described(form: &mut Builder<'_>, mut item: Item, component: &Value) -> Item {
    let validate = member(component, "validate");
    form.describe(&mut item, either(component, "description", "tooltip"));
    item.require(is_on(validate, "required"));
    item.set("placeholder", text(component, "placeholder"));
    item.class(text(component, "customClass"));
    by_kind(form, &mut item, component);
    if matches!(item.kind, "text" | "tel") && !text(component, "inputMask").is_empty() {
        form.note("input_mask", &item.name, "");
    }
    let default = match member(component, "defaultValue") {
        Value::Object(_) | Value::Array(_) | Value::Bool(_) | Value::Null => String::new(),
        _ => text_or_number(component, "defaultValue"),
    };
    // Form.io writes the default of a `day` component without a date as zeros.
    let is_no_day = text(component, "type") == "day" && default.starts_with("00/00");
    if !matches!(item.kind, "file" | "consent") && !is_no_day {
        item.set("default_value", &default);
    }
    let words = text(validate, "customMessage");
    if !words.is_empty() {
        form.note("error_message/words", &item.name, words);
    }
    for code in ["customConditional", "logic"] {
        if is_set(member(component, code)) {
            form.note("expression", &item.name, code);
        }
    }
    if !text(validate, "custom").is_empty() {
        form.note("expression", &item.name, "validate.custom");
    }
    if !text(component, "calculateValue").is_empty() {
        form.note("calculation", &item.name, "");
    }
    if is_on(component, "unique") {
        form.note("no_duplicates", &item.name, "");
    }
    item
}

/// Sets the properties that depend on the kind of field.
fn by_kind(form: &mut Builder<'_>, item: &mut Item, component: &Value) {
    let validate = member(component, "validate");
    let number = |name: &str| text_or_number(validate, name);
    match item.kind {
        "radio" | "checkbox" | "select" => choices(form, item, component, validate),
        "number" => {
            item.bound("min", &number("min"));
            item.bound("max", &number("max"));
            item.attribute("step", &number("step"));
        }
        "file" => {
            item.bound_number("max", USUAL_FILE_BYTES);
            let size = text(component, "fileMaxSize");
            let digits = size.trim_end_matches(|c: char| !c.is_ascii_digit());
            let unit = match size
                .get(digits.len()..)
                .unwrap_or_default()
                .trim()
                .to_ascii_uppercase()
                .as_str()
            {
                "GB" => 1_073_741_824.0,
                "MB" => 1_048_576.0,
                "KB" => 1024.0,
                _ => 1.0,
            };
            item.most_bytes(digits, unit);
            if text(component, "filePattern") != "*" {
                item.accept(text(component, "filePattern").split([',', ';']));
            }
            item.flag("multiple", is_on(component, "multiple"));
        }
        "text" | "textarea" | "password" | "tel" | "url" | "email" => {
            item.bound("min", &number("minLength"));
            item.longest(&number("maxLength"));
            item.pattern(text(validate, "pattern"));
            if item.kind == "textarea" {
                item.attribute("rows", &text_or_number(component, "rows"));
            }
        }
        _ => {}
    }
}

fn choices(form: &mut Builder<'_>, item: &mut Item, component: &Value, validate: &Value) {
    let is_select = item.kind == "select";
    let listed = if is_select {
        member(member(component, "data"), "values")
    } else {
        member(component, "values")
    };
    for option in values(listed) {
        item.choice("", &text_or_number(option, "value"), text(option, "label"));
    }
    if is_select && !matches!(text(component, "dataSrc"), "" | "values") {
        form.note("choices_elsewhere", &item.name, "");
    }
    item.flag("multiple", is_select && is_on(component, "multiple"));
    item.bound("min", &text_or_number(validate, "minSelectedCount"));
    item.bound("max", &text_or_number(validate, "maxSelectedCount"));
}

/// The id of the component that a rule names by its path.
fn id_of<'p>(form: &Builder<'_>, path: &'p str) -> &'p str {
    match path.rsplit_once('.') {
        Some((_, last)) if form.find(path).is_none() => last,
        _ => path,
    }
}

/// The id of a rule's component, with the operator and the value. The path of a box ends in the box's value.
fn tested<'r>(
    form: &Builder<'_>,
    path: &'r str,
    operator: &'r str,
    value: &'r str,
) -> (&'r str, &'r str, &'r str) {
    let of_box = path.rsplit_once('.').filter(|(list, choice)| {
        let item = form.find(list).filter(|item| item.is_list());
        item.is_some_and(|item| item.choices.iter().any(|known| known.value == *choice))
    });
    match of_box {
        Some((list, choice)) if operator == "isEqual" && value == "true" => {
            (list, operator, choice)
        }
        Some((list, choice))
            if matches!(
                (operator, value),
                ("isEqual", "false") | ("isNotEqual", "true")
            ) =>
        {
            (list, "isNotEqual", choice)
        }
        _ => (id_of(form, path), operator, value),
    }
}

/// A value of a rule, as text.
fn word(record: &Value, name: &str) -> String {
    match member(record, name) {
        Value::Bool(on) => on.to_string(),
        _ => text_or_number(record, name),
    }
}

fn logic(form: &mut Builder<'_>, conditional: &Value, place: &str) -> Option<Value> {
    let is_hide = matches!(member(conditional, "show"), Value::Bool(false))
        || text(conditional, "show") == "false";
    let action = if is_hide { "hide" } else { "show" };
    let when = text(conditional, "when");
    if !when.is_empty() {
        let value = word(conditional, "eq");
        let (id, operator, value) = tested(form, when, "isEqual", &value);
        let rule = form.rule(id, operator, value, place);
        return conditions(action, "all", rule.into_iter().collect());
    }
    let mut rules = Vec::new();
    for rule in values(member(conditional, "conditions")) {
        let component = text(rule, "component");
        if !component.is_empty() {
            let value = word(rule, "value");
            let (id, operator, value) = tested(form, component, text(rule, "operator"), &value);
            rules.extend(form.rule(id, operator, value, place));
        }
    }
    let mode = if text(conditional, "conjunction") == "any" {
        "any"
    } else {
        "all"
    };
    conditions(action, mode, rules)
}
