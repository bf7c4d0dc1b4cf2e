//! The fields of a Gravity Forms form as fields of a schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Report, is_on, text, values};
use crate::forms::check::MAX_FIELDS;

/// The types of fields, and of what they are here.
const TYPES: [(&str, &str); 21] = [
    ("text", "text"),
    ("textarea", "textarea"),
    ("select", "select"),
    ("multiselect", "select"),
    ("number", "number"),
    ("checkbox", "checkbox"),
    ("multi_choice", "checkbox"),
    ("radio", "radio"),
    ("hidden", "hidden"),
    ("html", "paragraph"),
    ("section", "heading"),
    ("name", "name"),
    ("date", "date"),
    ("time", "time"),
    ("phone", "tel"),
    ("address", "address"),
    ("website", "url"),
    ("email", "email"),
    ("fileupload", "file"),
    ("password", "password"),
    ("consent", "consent"),
];

/// What a field is called here, and what it is.
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static str,
}

/// The fields, by their ids.
pub type Names = BTreeMap<String, Named>;

impl Named {
    /// The variable that stands for the field, or for a part of it, by the part's number.
    pub fn variable(&self, part: &str) -> String {
        let part = match (self.kind, part) {
            ("name", "3") => ".first",
            ("name", "6") => ".last",
            ("address", "1") => ".street",
            ("address", "2") => ".street2",
            ("address", "3") => ".city",
            ("address", "4") => ".state",
            ("address", "5") => ".postal_code",
            ("address", "6") => ".country",
            _ => "",
        };
        ["[", &self.name, part, "]"].concat()
    }
}

/// A form's fields, which are in no schema yet.
pub struct Fields {
    /// The fields.
    pub fields: Vec<Value>,
    /// Their names.
    pub names: Names,
    /// The names on each page; one page, where there are no breaks.
    pub pages: Vec<Vec<String>>,
}

/// The fields of a form.
pub fn read(form: &Value, report: &mut Report) -> Fields {
    let mut read = Fields {
        fields: Vec::new(),
        names: Names::new(),
        pages: vec![Vec::new()],
    };
    let mut stored = values(form.get("fields"));
    // One is the button.
    report.keep_first(&mut stored, MAX_FIELDS - 1, "fields");
    let mut taken = BTreeSet::new();
    let mut kept = Vec::new();
    for field in stored {
        let kind = text(field, "type");
        if kind == "page" {
            read.pages.push(Vec::new());
            continue;
        }
        let own = kind_of(field);
        match own {
            Some(own) => {
                if text(field, "type") != text(field, "inputType")
                    && TYPES.iter().all(|(theirs, _)| *theirs != kind)
                {
                    let message = ["A field of the type ", &kind, " is only asked for."].concat();
                    report.note("field_type", &text(field, "label"), message);
                }
                let name = free_name(field, &taken);
                taken.insert(name.clone());
                if let Some(page) = read.pages.last_mut() {
                    page.push(name.clone());
                }
                let named = Named {
                    name: name.clone(),
                    kind: own,
                };
                read.names.insert(text(field, "id"), named);
                kept.push((field, own, name));
            }
            None => {
                let message = ["Fields of the type ", &kind, " have no counterpart."].concat();
                report.note("unknown_field", &text(field, "label"), message);
            }
        }
    }
    for (field, kind, name) in kept {
        let mut own = member(field, kind, &name, report);
        if let Some(conditions) =
            conditions(field.get("conditionalLogic"), &read.names, &name, report)
        {
            own.insert("conditions".to_owned(), conditions);
        }
        read.fields.push(Value::Object(own));
    }
    read
}

fn kind_of(field: &Value) -> Option<&'static str> {
    let find = |name: String| {
        let found = TYPES.iter().find(|(theirs, _)| *theirs == name);
        found.map(|(_, ours)| *ours)
    };
    let kind = text(field, "type");
    if kind == "name" && text(field, "nameFormat") == "simple" {
        return Some("text");
    }
    find(kind).or_else(|| find(text(field, "inputType")))
}

/// A name that no other field has: of the label, else of the id.
fn free_name(field: &Value, taken: &BTreeSet<String>) -> String {
    let label = match text(field, "adminLabel") {
        label if label.is_empty() => text(field, "label"),
        label => label,
    };
    let words = label
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(6)
        .collect::<Vec<_>>()
        .join("_");
    let name: String = words.chars().take(60).collect();
    let id = text(field, "id");
    if name.is_empty() || name == "cf" {
        return ["field_", &id].concat();
    }
    if taken.contains(&name) {
        return [&name, "_", &id].concat();
    }
    name
}

fn member(field: &Value, kind: &str, name: &str, report: &mut Report) -> Map<String, Value> {
    let mut own = Map::new();
    let mut put = |name: &str, value: Value| {
        own.insert(name.to_owned(), value);
    };
    put("name", json!(name));
    put("type", json!(kind));
    put("label", json!(one_line(&text(field, "label"))));
    put("required", json!(is_on(field, "isRequired")));
    put("placeholder", json!(one_line(&text(field, "placeholder"))));
    let description = match kind {
        "paragraph" => text(field, "content"),
        _ => text(field, "description"),
    };
    put("description", json!(without_tags(&description)));
    let choices: Vec<Value> = values(field.get("choices"))
        .into_iter()
        .map(|choice| {
            let label = without_tags(&text(choice, "text"));
            let value = one_line(&text(choice, "value"));
            json!({"value": if value.is_empty() { label.clone() } else { value }, "label": label})
        })
        .collect();
    let chosen: Vec<String> = values(field.get("choices"))
        .into_iter()
        .filter(|choice| is_on(choice, "isSelected"))
        .map(|choice| one_line(&text(choice, "value")))
        .collect();
    let takes_choices = matches!(kind, "select" | "radio" | "checkbox");
    let default = if takes_choices {
        chosen.join("\n")
    } else {
        text(field, "defaultValue")
    };
    if !default.contains('{') && !matches!(kind, "name" | "address" | "consent" | "file") {
        put("default_value", json!(default));
    } else if !default.is_empty() {
        report.note(
            "default_value",
            name,
            "The default value is left out: it holds a variable.",
        );
    }
    if takes_choices {
        put("options", Value::Array(choices));
    }
    let mut validation = Map::new();
    for (theirs, ours) in [
        ("rangeMin", "min"),
        ("rangeMax", "max"),
        ("maxLength", "max"),
    ] {
        let bound = text(field, theirs).parse::<f64>().ok();
        let applies =
            kind == "number" || (theirs == "maxLength" && matches!(kind, "text" | "textarea"));
        if let Some(bound) = bound.filter(|_| applies) {
            validation.insert(ours.to_owned(), json!(bound));
        }
    }
    put("validation", Value::Object(validation));
    let mut attributes = Map::new();
    if text(field, "type") == "multiselect" || is_on(field, "multipleFiles") {
        attributes.insert("multiple".to_owned(), json!(""));
    }
    let extensions = text(field, "allowedExtensions");
    if kind == "file" && !extensions.trim().is_empty() {
        let dotted = extensions
            .split(',')
            .map(|own| [".", own.trim().trim_start_matches('.')].concat());
        attributes.insert(
            "accept".to_owned(),
            json!(dotted.collect::<Vec<_>>().join(",")),
        );
    }
    put("attributes", Value::Object(attributes));
    if kind == "consent" {
        put(
            "label",
            json!(one_line(&without_tags(&text(field, "checkboxLabel")))),
        );
    }
    if is_on(field, "enableOtherChoice") {
        report.note(
            "other_choice",
            name,
            "Visitors can choose nothing but the choices.",
        );
    }
    if is_on(field, "enableCalculation") {
        report.note("calculation", name, "The field is not calculated.");
    }
    own
}

/// Conditions, of a field or an action; `None` where there are none that carry over.
pub fn conditions(
    logic: Option<&Value>,
    names: &Names,
    place: &str,
    report: &mut Report,
) -> Option<Value> {
    let logic = logic.filter(|logic| logic.is_object())?;
    let mut rules = Vec::new();
    for rule in values(logic.get("rules")) {
        let id = text(rule, "fieldId");
        let whole = id.split('.').next().unwrap_or_default();
        let operator = match text(rule, "operator").as_str() {
            "is" => "equals",
            "isnot" => "not_equals",
            ">" => "greater_than",
            "<" => "less_than",
            "contains" => "contains",
            "starts_with" => "starts_with",
            "ends_with" => "ends_with",
            _ => "",
        };
        match names.get(whole) {
            Some(field) if !operator.is_empty() => {
                rules.push(json!({"field": field.name, "operator": operator, "value": text(rule, "value")}));
            }
            _ => report.note(
                "condition",
                place,
                ["A condition on the field ", &id, " is left out."].concat(),
            ),
        }
    }
    if rules.is_empty() {
        return None;
    }
    let action = if text(logic, "actionType") == "hide" {
        "hide"
    } else {
        "show"
    };
    let matches = if text(logic, "logicType") == "any" {
        "any"
    } else {
        "all"
    };
    Some(json!({"action": action, "match": matches, "rules": rules}))
}

/// The text of HTML, its white space on one line.
pub fn without_tags(html: &str) -> String {
    let mut plain = String::with_capacity(html.len());
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => {
                inside = true;
                plain.push(' ');
            }
            '>' if inside => inside = false,
            _ if inside => {}
            _ => plain.push(c),
        }
    }
    one_line(&htmlize::unescape(plain))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
