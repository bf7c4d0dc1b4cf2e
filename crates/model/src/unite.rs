//! Making one field of several controls that bear one name, so that it accepts what any of them sends.

use serde_json::Number;

use crate::check::{MAX_RULES, MAX_TEXT_CHARS};
use crate::unicode::case::lowercase;
use crate::{Condition, ConditionAction, ConditionGroup, Field, FieldType, Validation, collapse};

/// Words for "other", with which the option begins that only leads to a free answer.
const OTHER: [&str; 28] = [
    "other",
    "others",
    "autre",
    "autres",
    "otro",
    "otra",
    "otros",
    "otras",
    "outro",
    "outra",
    "outros",
    "altro",
    "altra",
    "altri",
    "andere",
    "anderer",
    "anderes",
    "sonstige",
    "sonstiges",
    "anders",
    "annat",
    "andet",
    "inne",
    "inny",
    "jiné",
    "diğer",
    "другое",
    "その他",
];

/// Attributes that bound a value: they hold for a field only where all of its controls have them.
const BOUNDS: [&str; 9] = [
    "accept",
    "max",
    "maxlength",
    "min",
    "minlength",
    "pattern",
    "step",
    "title",
    "type",
];

/// Adds default values to those that are known; false where there is no room for them.
pub fn join_default(field: &mut Field, more: &str) -> bool {
    let joined = &mut field.default_value;
    if more.is_empty() {
        return true;
    }
    if joined.len() + more.len() >= MAX_TEXT_CHARS {
        return false;
    }
    if !joined.is_empty() {
        joined.push('\n');
    }
    joined.push_str(more);
    true
}

/// Unites what fields of all kinds have: when they are shown, and whether they need an answer.
pub fn unite_common(field: &mut Field, own: &Field) {
    if field.conditions == own.conditions {
        field.required |= own.required;
        return;
    }
    // It is shown where one of its controls is; an answer is needed where all of them need one.
    field.required &= own.required;
    let [before, more] = [&field.conditions, &own.conditions].map(Vec::as_slice);
    let is_plain = |own: &[Condition]| {
        !own.is_empty() && own.iter().all(|own| matches!(own, Condition::Rule(_)))
    };
    let fits = is_plain(before) && is_plain(more) && before.len() + more.len() < MAX_RULES;
    let all = |own: &[Condition]| Condition::Group {
        group: ConditionGroup::All(own.to_vec()),
        action: ConditionAction::Show,
    };
    let any = fits.then(|| Condition::Group {
        group: ConditionGroup::Any(vec![all(before), all(more)]),
        action: ConditionAction::Show,
    });
    field.conditions = any.into_iter().collect();
}

/// Unites what texts, files and hidden controls ask for: what any of them accepts.
pub fn unite_bounds(field: &mut Field, own: &Field) {
    if field.kind != own.kind {
        let is_long = [field.kind, own.kind].contains(&FieldType::Textarea);
        field.kind = if is_long {
            FieldType::Textarea
        } else {
            FieldType::Text
        };
        field.options.clear();
        field.validation = Validation::default();
    }
    let [known, more] = [&field.validation, &own.validation];
    let outer = |one: &Option<Number>, other: &Option<Number>, least: bool| {
        let (one, other) = (one.clone()?, other.clone()?);
        let is_wider = (one.as_f64() < other.as_f64()) == least;
        Some(if is_wider { one } else { other })
    };
    field.validation = Validation {
        min: outer(&known.min, &more.min, true),
        max: outer(&known.max, &more.max, false),
        pattern: known
            .pattern
            .clone()
            .filter(|own| Some(own) == more.pattern.as_ref()),
    };
    for name in BOUNDS {
        if field.attributes.get(name) != own.attributes.get(name) {
            field.attributes.remove(name);
        }
    }
}

/// The label of the option of a choice that only leads to a free answer, if there is one.
pub fn label_of_other(field: &Field) -> Option<String> {
    let begins = |text: &str| {
        let text = lowercase(text);
        let words = text.split(|c: char| !c.is_alphanumeric());
        let first = words.into_iter().find(|word| !word.is_empty());
        first.is_some_and(|word| OTHER.contains(&word))
    };
    let mut options = field.options.iter();
    let leads = options.rfind(|option| begins(&option.label) || begins(&option.value))?;
    Some(collapse(&leads.label)).filter(|label| !label.is_empty())
}
