//! Why an edit cannot be made in place.

use std::borrow::Cow;
use std::fmt;

use model::{Field, FormSchema};

/// The member that the markup cannot say, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Why(pub(super) &'static str, pub(super) &'static str);

/// The markup is longer, or has more fields, than is read.
pub(super) const NOT_READ: Why = Why("", "there is too much markup");

/// Only controls are edited.
pub(super) const NO_CONTROL: Why = Why("", "the markup has no control for it");

/// Another type of field is another element.
pub(super) const OTHER_ELEMENT: Why = Why("type", "its element would have to become another");

/// What would be chosen is no option.
pub(super) const NO_OPTION: Why = Why("default_value", "none of its options has that value");

/// What no member may be.
const OTHERWISE: &str = "the markup would be read otherwise";

/// An edit that the author's HTML could not say in the field's own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPatched {
    /// What cannot be done with the field: it is edited, added or deleted.
    done: &'static str,
    field: String,
    /// The member that was to change; empty for the whole field.
    member: String,
    reason: Cow<'static, str>,
}

impl NotPatched {
    pub(super) fn of(field: &Field, Why(member, reason): Why) -> NotPatched {
        NotPatched {
            done: "edited",
            field: field.name.clone(),
            member: member.to_owned(),
            reason: reason.into(),
        }
    }

    /// The same, of a field that is to come or go.
    pub(super) fn when(self, done: &'static str) -> NotPatched {
        NotPatched { done, ..self }
    }
}

impl fmt::Display for NotPatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotPatched { done, field, .. } = self;
        match self.member.as_str() {
            "" => write!(f, "the field `{field}` cannot be {done} in place"),
            member => write!(
                f,
                "`{member}` of the field `{field}` cannot be {done} in place"
            ),
        }?;
        write!(f, ": {}", self.reason)
    }
}

/// In what the patched markup differs from what is wanted: told of the member that was to change, where
/// one was (`to`).
pub(super) fn difference(
    wanted: &FormSchema,
    found: &FormSchema,
    edited: &Field,
    to: Option<&Field>,
) -> Option<NotPatched> {
    if wanted == found {
        return None;
    }
    let asked = to.map_or_else(Vec::new, |to| differing_members(edited, to));
    let name = to.map_or(&edited.name, |to| &to.name);
    let mut pairs = wanted.fields.iter().zip(&found.fields);
    let differing = pairs.find(|(wanted, found)| wanted != found);
    let (member, reason) = match differing {
        Some((wanted, found)) if wanted.name == found.name => {
            let member = differing_members(wanted, found).into_iter().next();
            let member = member.unwrap_or_default();
            let is_own = wanted.name == *name;
            // With another type other members change that nobody asked for.
            let kind = asked.iter().find(|member| *member == "type").cloned();
            let is_asked = asked.is_empty() || kind.is_none() && asked.contains(&member);
            if is_own && (is_asked || member == "type") {
                (Some(member), OTHERWISE.into())
            } else if is_own {
                let reason = format!("its `{member}` would be read otherwise");
                (kind, reason.into())
            } else {
                let other = &wanted.name;
                let reason = format!("`{member}` of the field `{other}` would be read otherwise");
                (None, reason.into())
            }
        }
        None if wanted.fields.len() == found.fields.len() => {
            (None, "the steps of the form would be read otherwise".into())
        }
        _ if wanted.field(name).is_some() && found.field(name).is_none() => {
            (None, "the markup would have no such field any more".into())
        }
        _ => (
            None,
            Cow::Borrowed("another field would come, go or change"),
        ),
    };
    let member = member.or(asked.into_iter().next());
    Some(NotPatched {
        member: member.unwrap_or_default(),
        reason,
        ..NotPatched::of(edited, Why("", ""))
    })
}

/// The members in which two fields differ, as a schema calls them.
fn differing_members(one: &Field, other: &Field) -> Vec<String> {
    let other = serde_json::to_value(other).unwrap_or_default();
    let one = serde_json::to_value(one).unwrap_or_default();
    let members = one.as_object().into_iter().flatten();
    let differing = members.filter(|(member, value)| other.get(member) != Some(value));
    differing.map(|(member, _)| member.clone()).collect()
}
