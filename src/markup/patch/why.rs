//! Why an edit cannot be made in place.

use std::fmt;

use serde_json::Value;

use crate::forms::{Field, FormSchema};

/// The member that the markup cannot say, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Why(pub(super) &'static str, pub(super) &'static str);

/// The markup is longer, or has more fields, than is read.
pub(super) const NOT_READ: Why = Why("", "there is too much markup");

/// Only controls are edited.
pub(super) const NO_CONTROL: Why = Why("", "the markup has no control for it");

/// What no member but the edited ones may do.
const OTHERWISE: &str = "the markup would be read otherwise";

/// An edit that the author's HTML could not say in the field's own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPatched {
    field: String,
    member: String,
    reason: &'static str,
}

impl NotPatched {
    pub(super) fn of(field: &Field, Why(member, reason): Why) -> NotPatched {
        NotPatched {
            field: field.name.clone(),
            member: member.to_owned(),
            reason,
        }
    }
}

impl fmt::Display for NotPatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.member.as_str() {
            "" => write!(f, "the field `{}` cannot be edited in place", self.field),
            member => write!(
                f,
                "`{member}` of the field `{}` cannot be edited in place",
                self.field
            ),
        }?;
        write!(f, ": {}", self.reason)
    }
}

/// In what the patched markup differs from what is wanted.
pub(super) fn difference(
    wanted: &FormSchema,
    found: &FormSchema,
    edited: &Field,
) -> Option<NotPatched> {
    if wanted == found {
        return None;
    }
    let refused = |field: &str, member: &str, reason| NotPatched {
        field: field.to_owned(),
        member: member.to_owned(),
        reason,
    };
    let differing = wanted
        .fields
        .iter()
        .zip(&found.fields)
        .find(|(w, f)| w != f);
    Some(match differing {
        Some((wanted, found)) if wanted.name == found.name => {
            let found = serde_json::to_value(found).unwrap_or_default();
            let wanted_members = serde_json::to_value(wanted).unwrap_or_default();
            let members = wanted_members.as_object().into_iter().flatten();
            let differs = |(member, value): &(&String, &Value)| found.get(member) != Some(value);
            let member = members.into_iter().find(differs);
            let member = member.map_or("", |(member, _)| member.as_str());
            refused(&wanted.name, member, OTHERWISE)
        }
        _ => refused(&edited.name, "", "another field would come, go or change"),
    })
}
