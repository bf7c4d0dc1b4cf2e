//! The conditions in the markup about a field that gets another name or goes.

use super::holders::CONDITIONS;
use super::{Patch, tag};
use crate::conditions;
use crate::html::tokens::find;
use model::edit::refer_to;

impl Patch<'_> {
    /// Gives the conditions about a field its new name, on whatever element they stand, or takes them
    /// away where it has none. All else that they say stays as it is written.
    pub(super) fn refer(&mut self, from: &str, to: Option<&str>) {
        for element in 0..self.outline.elements.len() {
            let Some(start_tag) = self.outline.tag(element) else {
                continue;
            };
            // Of attributes of one name the first counts.
            for name in CONDITIONS {
                let Some(attribute) = find(&start_tag.attributes, name) else {
                    continue;
                };
                let written = attribute.value();
                let referring = match name {
                    "data-cf-conditions" => exact_about(&written, from, to),
                    _ => said_about(&written, from, to),
                };
                if let Some(value) = referring {
                    tag::set(
                        &mut self.edits,
                        self.html,
                        &start_tag,
                        name,
                        value.as_deref(),
                    );
                }
            }
        }
    }
}

/// What becomes of the text of `data-show-if` or `data-hide-if`, if it is about the field.
fn said_about(text: &str, from: &str, to: Option<&str>) -> Option<Option<String>> {
    let subject = text.split([':', '=']).next()?.trim();
    let name = subject.strip_suffix("[]").unwrap_or(subject);
    (name == from).then(|| to.map(|to| text.replacen(from, to, 1)))
}

/// What becomes of the JSON of `data-cf-conditions`, if rules in it are about the field.
fn exact_about(text: &str, from: &str, to: Option<&str>) -> Option<Option<String>> {
    let before = conditions::read_exact(text)?;
    let mut after = before.clone();
    refer_to(&mut after, from, to);
    if after == before {
        return None;
    }
    match after.is_empty() {
        true => Some(None),
        false => serde_json::to_string(&after).ok().map(Some),
    }
}
