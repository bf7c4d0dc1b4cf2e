//! Merges several controls with the same name into one field, which accepts the answers of all of them.

use serde_json::Number;

use crate::check::{MAX_RULES, MAX_TEXT_CHARS};
use crate::unicode::case::lowercase;
use crate::{Condition, ConditionAction, ConditionGroup, Field, FieldType, Validation, collapse};

/// Words for "other". An option that begins with such a word lets visitors type their own answer.
const OTHER_WORDS: [&str; 28] = [
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

/// Attributes that constrain a value. The field keeps such an attribute only if all controls have the same value for
/// it.
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

/// Adds default values to those of a field; returns false, and adds nothing, if the text would become too long.
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

/// Merges the members that fields of every type have: conditions, and whether an answer is required.
pub fn unite_common(field: &mut Field, other: &Field) {
    if field.conditions == other.conditions {
        field.required |= other.required;
        return;
    }
    // The field is shown if at least one control would be shown. An answer is required only if all controls require
    // one.
    field.required &= other.required;
    let [before, more] = [&field.conditions, &other.conditions].map(Vec::as_slice);
    let is_plain = |list: &[Condition]| {
        !list.is_empty() && list.iter().all(|one| matches!(one, Condition::Rule(_)))
    };
    let fits = is_plain(before) && is_plain(more) && before.len() + more.len() < MAX_RULES;
    let all = |list: &[Condition]| Condition::Group {
        group: ConditionGroup::All(list.to_vec()),
        action: ConditionAction::Show,
    };
    let any = fits.then(|| Condition::Group {
        group: ConditionGroup::Any(vec![all(before), all(more)]),
        action: ConditionAction::Show,
    });
    field.conditions = any.into_iter().collect();
}

/// Merges the constraints of texts, files and hidden controls, so that any control's answer is accepted.
pub fn unite_bounds(field: &mut Field, added: &Field) {
    if field.kind != added.kind {
        let is_long = [field.kind, added.kind].contains(&FieldType::Textarea);
        field.kind = if is_long {
            FieldType::Textarea
        } else {
            FieldType::Text
        };
        field.options.clear();
        field.validation = Validation::default();
    }
    let [known, more] = [&field.validation, &added.validation];
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
            .filter(|pattern| Some(pattern) == more.pattern.as_ref()),
    };
    for name in BOUNDS {
        if field.attributes.get(name) != added.attributes.get(name) {
            field.attributes.remove(name);
        }
    }
}

/// The label of a choice's "Other" option, at which visitors type their own answer; `None` without such an option.
pub fn label_of_other(field: &Field) -> Option<String> {
    let begins = |text: &str| {
        let text = lowercase(text);
        let words = text.split(|c: char| !c.is_alphanumeric());
        let first = words.into_iter().find(|word| !word.is_empty());
        first.is_some_and(|word| OTHER_WORDS.contains(&word))
    };
    let mut options = field.options.iter();
    let leads = options.rfind(|option| begins(&option.label) || begins(&option.value))?;
    Some(collapse(&leads.label)).filter(|label| !label.is_empty())
}
