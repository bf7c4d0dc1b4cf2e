//! Recognises the controls that belong to a set of choices: those shown for one of its answers, and the
//! text for "Other: …".

use std::borrow::Cow;

use super::found_steps::words;
use super::items::{Item, ItemKind, Items, Link};
use crate::conditions;
use crate::html::entities::decode_attribute;
use model::FieldType;

/// The most that a set asks further.
pub(super) const MAX_FOLLOW_UPS: u8 = 8;

/// The words in the name of a control for an answer that is none of the choices.
const OTHER_WORDS: [&str; 16] = [
    "other",
    "others",
    "specify",
    "andere",
    "anderes",
    "sonstige",
    "sonstiges",
    "autre",
    "autres",
    "otro",
    "otra",
    "otros",
    "outro",
    "outra",
    "altro",
    "altra",
];

/// The words that may stand beside those.
const WORDS_OF_TEXTS: [&str; 5] = ["field", "input", "please", "text", "value"];

/// What a control says about the set that it may belong to.
#[derive(Clone)]
pub(super) enum FollowUp<'a> {
    /// It is shown for an answer to the field of that name.
    ShownFor(Cow<'a, str>),
    /// It is shown for one of the choices around it.
    Conditional,
    /// It has a text of that name.
    Named(Cow<'a, str>),
}

impl FollowUp<'_> {
    /// Whether it asks further what the choices of a name ask.
    pub(super) fn is_of(&self, set: &str) -> bool {
        let set = set.strip_suffix("[]").unwrap_or(set);
        match self {
            FollowUp::ShownFor(field) => field == set,
            FollowUp::Conditional => true,
            FollowUp::Named(name) => {
                let rest = name.strip_prefix(set).unwrap_or(name);
                let is_of = |word: &str, known: &[&str]| {
                    known.iter().any(|known| word.eq_ignore_ascii_case(known))
                };
                words(rest).any(|word| is_of(word, &OTHER_WORDS))
                    && words(rest)
                        .all(|word| is_of(word, &OTHER_WORDS) || is_of(word, &WORDS_OF_TEXTS))
            }
        }
    }
}

impl<'a> Items<'a> {
    /// Whether the choices of a name, as written, ask further for a control: the only one that says so by
    /// its name, or one of some that are shown for an answer.
    pub(super) fn asks_further(&self, item: &Item, around: Link, set: &str, count: u8) -> bool {
        let is_of_set = |asked: FollowUp<'_>| {
            let is_one = !matches!(asked, FollowUp::Named(_)) || count == 1;
            is_one && asked.is_of(&decode_attribute(set))
        };
        count <= MAX_FOLLOW_UPS && self.follow_up(item, around).is_some_and(is_of_set)
    }

    /// What an item may ask further, within an element around which the conditions hold. The tag that
    /// has the conditions is read for it.
    pub(super) fn follow_up(&self, item: &Item, around: Link) -> Option<FollowUp<'a>> {
        let ItemKind::Control(kind) = item.what else {
            return None;
        };
        if item.is_follow_up {
            return Some(FollowUp::Conditional);
        }
        if item.conditions == around {
            let is_text = matches!(kind, FieldType::Text | FieldType::Textarea);
            let name = is_text.then(|| self.attribute(item, "name")).flatten();
            return name.map(|name| FollowUp::Named(name.value()));
        }
        let element = self.conditions.get(item.conditions.get()? as usize)?;
        let rule = ["data-show-if", "data-hide-if"]
            .iter()
            .find_map(|name| self.tags.attribute(element.offset, name))?;
        let field = match rule.value() {
            Cow::Borrowed(rule) => Cow::Borrowed(conditions::subject(rule)),
            Cow::Owned(rule) => Cow::Owned(conditions::subject(&rule).to_owned()),
        };
        Some(FollowUp::ShownFor(field))
    }
}
