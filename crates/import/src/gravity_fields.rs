//! The fields of a Gravity Forms form as fields of a schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::gravity_conditions::conditions;
use super::gravity_text::{note_formatting, one_line, without_tags};
use super::{Report, counterpart, gravity_parts, is_on, put, text, values};
use model::check::MAX_FIELDS;
use model::logic::number::parse_number;

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

/// What a field of theirs may do and none does here: the member that says so, the code and the words of
/// the report.
const LOSSES: [(&str, &str, &str); 7] = [
    (
        "enableOtherChoice",
        "other_choice",
        "Visitors can choose nothing but the choices.",
    ),
    (
        "enableCalculation",
        "calculation",
        "The field is not calculated.",
    ),
    ("inputMask", "input_mask", "What is typed is not masked."),
    (
        "noDuplicates",
        "no_duplicates",
        "An answer is taken that somebody gave before.",
    ),
    (
        "emailConfirmEnabled",
        "email_confirmation",
        "The address is asked for once.",
    ),
    (
        "allowsPrepopulate",
        "prefill",
        "The page's address fills nothing in.",
    ),
    (
        "errorMessage",
        "error_message",
        "The field's own words for a fault are left out.",
    ),
];

/// The types that can be there without being seen.
const HIDEABLE: [&str; 9] = [
    "text", "textarea", "number", "hidden", "date", "time", "tel", "url", "email",
];

/// The name of the button, and of the form's description.
pub const SUBMIT: &str = "gravity_submit";
const DESCRIPTION: &str = "gravity_description";

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
        match gravity_parts::part(self.kind, part) {
            Some(part) => ["[", &self.name, ".", part, "]"].concat(),
            None => ["[", &self.name, "]"].concat(),
        }
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
    let mut taken = BTreeSet::from([SUBMIT.to_owned(), DESCRIPTION.to_owned()]);
    let mut kept = Vec::new();
    let about = text(form, "description");
    if !without_tags(&about).is_empty() {
        read.pages = vec![vec![DESCRIPTION.to_owned()]];
        read.fields.push(paragraph(DESCRIPTION, &about, report));
    }
    for field in stored {
        let theirs = text(field, "type");
        if theirs == "page" {
            read.pages.push(Vec::new());
            let place = format!("page {}", read.pages.len());
            for button in ["nextButton", "previousButton"] {
                note_button(field.get(button), &place, report);
            }
            continue;
        }
        let own = match (kind_of(field), is_unseen(field)) {
            (Some(own), true) if !HIDEABLE.contains(&own) => {
                let message = "Visitors do not see the field; it is left out.";
                report.note("visibility", &text(field, "label"), message);
                continue;
            }
            (Some(_), true) => Some("hidden"),
            (own, _) => own,
        };
        let Some(kind) = own else {
            let message = ["Fields of the type ", &theirs, " have no counterpart."].concat();
            report.note("unknown_field", &text(field, "label"), &message);
            continue;
        };
        if theirs != text(field, "inputType") && counterpart(&TYPES, &theirs).is_none() {
            let message = ["A field of the type ", &theirs, " is only asked for."].concat();
            report.note("field_type", &text(field, "label"), &message);
        }
        let name = free_name(field, &taken);
        taken.insert(name.clone());
        if let Some(page) = read.pages.last_mut() {
            page.push(name.clone());
        }
        kept.push((field, kind, name.clone()));
        read.names.insert(text(field, "id"), Named { name, kind });
    }
    for (field, kind, name) in kept {
        let mut own = member(field, kind, &name, report);
        let below = match kind {
            "heading" => text(field, "description"),
            _ => String::new(),
        };
        let logic = field.get("conditionalLogic");
        let condition = conditions(logic, &read.names, &name, report);
        if let Some(condition) = &condition {
            put(&mut own, "conditions", condition.clone());
        }
        read.fields.push(Value::Object(own));
        if !without_tags(&below).is_empty() {
            // A heading has no text below it here.
            let below_name = free_of(&[&name, "_text"].concat(), &text(field, "id"), &taken);
            taken.insert(below_name.clone());
            let mut below = paragraph(&below_name, &below, report);
            if let (Some(members), Some(condition)) = (below.as_object_mut(), condition) {
                put(members, "conditions", condition);
            }
            read.fields.push(below);
            let page = read.pages.iter_mut().find(|page| page.contains(&name));
            if let Some(page) = page {
                page.push(below_name);
            }
        }
    }
    read
}

/// Notes the words of a button that leads from page to page: all forms have the same here.
pub fn note_button(button: Option<&Value>, place: &str, report: &mut Report) {
    let words = button.map(|button| text(button, "text"));
    let words = words.as_deref().unwrap_or_default().trim();
    if !matches!(words, "" | "Next" | "Previous") {
        let message = ["The button's own words are left out: ", words, "."].concat();
        report.note("page_button", place, &message);
    }
}

/// A paragraph of a text that was HTML.
#[inline(never)]
fn paragraph(name: &str, html: &str, report: &mut Report) -> Value {
    note_formatting(html, name, report);
    json!({"name": name, "type": "paragraph", "label": without_tags(html)})
}

/// Whether only the form's owner sees the field, or nobody.
fn is_unseen(field: &Value) -> bool {
    let visibility = text(field, "visibility");
    matches!(visibility.as_str(), "hidden" | "administrative")
}

fn kind_of(field: &Value) -> Option<&'static str> {
    let kind = text(field, "type");
    if kind == "name" && text(field, "nameFormat") == "simple" {
        return Some("text");
    }
    counterpart(&TYPES, &kind).or_else(|| counterpart(&TYPES, &text(field, "inputType")))
}

/// A name that no other field has: of the label, else of the id.
fn free_name(field: &Value, taken: &BTreeSet<String>) -> String {
    let label = match text(field, "adminLabel") {
        label if label.is_empty() => text(field, "label"),
        label => label,
    };
    let label = label.to_ascii_lowercase();
    let words = label.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).take(6);
    let words = words.collect::<Vec<_>>().join("_");
    let name: String = words.chars().take(60).collect();
    let id = text(field, "id");
    if name.is_empty() || name == "cf" {
        return ["field_", &id].concat();
    }
    free_of(&name, &id, taken)
}

#[inline(never)]
fn free_of(name: &str, id: &str, taken: &BTreeSet<String>) -> String {
    if taken.contains(name) {
        [name, "_", id].concat()
    } else {
        name.to_owned()
    }
}

fn member(field: &Value, kind: &str, name: &str, report: &mut Report) -> Map<String, Value> {
    let mut own = Map::new();
    let mut put = |name: &str, value: Value| {
        own.insert(name.to_owned(), value);
    };
    put("name", json!(name));
    put("type", json!(kind));
    let content = text(field, "content");
    let label = match kind {
        "paragraph" => without_tags(&content),
        "consent" => without_tags(&text(field, "checkboxLabel")),
        _ => one_line(&text(field, "label")),
    };
    put("label", json!(label));
    // Nobody can fill in what nobody sees.
    let is_required = is_on(field, "isRequired") && kind != "hidden";
    put("required", json!(is_required));
    put("css_class", json!(one_line(&text(field, "cssClass"))));
    put("placeholder", json!(one_line(&text(field, "placeholder"))));
    let description = match kind {
        "paragraph" | "heading" => String::new(),
        _ => text(field, "description"),
    };
    note_formatting(&[content, description.clone()].concat(), name, report);
    put("description", json!(without_tags(&description)));
    if is_unseen(field) {
        let message = "Visitors do not see the field; it is hidden.";
        report.note("visibility", name, message);
    }
    let (mut choices, mut chosen) = (Vec::new(), Vec::new());
    for choice in values(field.get("choices")) {
        let label = without_tags(&text(choice, "text"));
        let value = one_line(&text(choice, "value"));
        if is_on(choice, "isSelected") {
            chosen.push(value.clone());
        }
        let value = if value.is_empty() { &label } else { &value };
        choices.push(json!({"value": value, "label": label}));
    }
    let takes_choices = matches!(kind, "select" | "radio" | "checkbox");
    let default = if takes_choices {
        chosen.join("\n")
    } else {
        text(field, "defaultValue")
    };
    if !default.contains('{') && !matches!(kind, "name" | "address" | "consent" | "file") {
        put("default_value", json!(default));
    } else if !default.is_empty() {
        let message = "The default value is left out: it holds a variable.";
        report.note("default_value", name, message);
    }
    let options = match kind {
        "name" | "address" => gravity_parts::labels(field, kind, name, report),
        _ if takes_choices => choices,
        _ => Vec::new(),
    };
    put("options", Value::Array(options));
    let mut validation = Map::new();
    for (theirs, ours) in [
        ("rangeMin", "min"),
        ("rangeMax", "max"),
        ("maxLength", "max"),
    ] {
        let bound = parse_number(&text(field, theirs));
        let applies =
            kind == "number" || (theirs == "maxLength" && matches!(kind, "text" | "textarea"));
        if let Some(bound) = bound.filter(|_| applies) {
            super::put(&mut validation, ours, bound);
        }
    }
    let megabytes = parse_number(&text(field, "maxFileSize"));
    let megabytes = megabytes.filter(|size| kind == "file" && *size > 0.0 && *size < 1e6);
    if let Some(size) = megabytes {
        super::put(&mut validation, "max", (size * 1_048_576.0) as u64);
    }
    put("validation", Value::Object(validation));
    let mut attributes = Map::new();
    if text(field, "type") == "multiselect" || is_on(field, "multipleFiles") {
        super::put(&mut attributes, "multiple", "");
    }
    let extensions = text(field, "allowedExtensions");
    if kind == "file" && !extensions.trim().is_empty() {
        let extensions = extensions.split(',').map(str::trim);
        let dotted = extensions.map(|own| [".", own.trim_start_matches('.')].concat());
        super::put(
            &mut attributes,
            "accept",
            dotted.collect::<Vec<_>>().join(","),
        );
    }
    put("attributes", Value::Object(attributes));
    for (member, code, message) in LOSSES {
        if is_on(field, member) {
            report.note(code, name, message);
        }
    }
    if kind == "file" && is_on(field, "maxFiles") {
        let message = "The number of files has no bound.";
        report.note("maximum_of_files", name, message);
    }
    own
}
