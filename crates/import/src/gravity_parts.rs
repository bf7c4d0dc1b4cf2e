//! The parts of Gravity Forms' names and addresses. They are numbered, as in `1.3`; each can have a
//! label of its own and can be hidden.

use serde_json::{Value, json};

use super::gravity_text::one_line;
use super::{Report, is_on, text, values};

/// The types that have parts, the number of each, and what it is here; empty where there is no such part.
const PARTS: [(&str, &str, &str); 11] = [
    ("name", "2", ""),
    ("name", "3", "first"),
    ("name", "4", ""),
    ("name", "6", "last"),
    ("name", "8", ""),
    ("address", "1", "street"),
    ("address", "2", "street2"),
    ("address", "3", "city"),
    ("address", "4", "state"),
    ("address", "5", "postal_code"),
    ("address", "6", "country"),
];

/// What a part of a type is called here, by its number.
pub fn part(kind: &str, number: &str) -> Option<&'static str> {
    let mut known = PARTS.iter();
    let (_, _, part) = known.find(|(of, theirs, _)| *of == kind && *theirs == number)?;
    (!part.is_empty()).then_some(part)
}

/// What a form calls the parts of a name or an address, as a field's options.
pub fn labels(field: &Value, kind: &str, name: &str, report: &mut Report) -> Vec<Value> {
    let mut labels = Vec::new();
    for input in values(field.get("inputs")).into_iter().take(PARTS.len()) {
        let id = text(input, "id");
        let number = id.rsplit_once('.').map_or("", |(_, number)| number);
        let is_hidden = is_on(input, "isHidden");
        let labels_of_input = ["customLabel", "label"].map(|own| one_line(&text(input, own)));
        let label = labels_of_input.into_iter().find(|label| !label.is_empty());
        let label = label.unwrap_or_default();
        match part(kind, number) {
            Some(part) if !is_hidden && !label.is_empty() => {
                labels.push(json!({"value": part, "label": label}));
            }
            Some(_) if is_hidden => {
                let message = format!("Visitors see the part `{label}`, which was hidden.");
                report.note("part_hidden", name, &message);
            }
            None if !is_hidden => {
                let message = format!("The part `{label}` is left out.");
                report.note("part", name, &message);
            }
            _ => {}
        }
    }
    labels
}
