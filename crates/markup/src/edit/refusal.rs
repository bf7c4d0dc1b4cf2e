//! Why an edit cannot be made in place.

use std::fmt;

use model::{Field, FormSchema};

/// The member that was to change, or none for the whole field, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) &'static str, pub(super) &'static str);

/// An edit that cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPatched(String);

impl NotPatched {
    /// `done` says what cannot be done with the field: it is edited, added or deleted.
    pub(super) fn of(done: &str, field: &Field, Reason(member, reason): Reason) -> NotPatched {
        NotPatched::because(done, field, member, reason)
    }

    fn because(done: &str, field: &Field, member: &str, reason: &str) -> NotPatched {
        let name = &field.name;
        NotPatched(match member {
            "" => format!("the field `{name}` cannot be {done} in place: {reason}"),
            _ => format!("`{member}` of the field `{name}` cannot be {done} in place: {reason}"),
        })
    }
}

impl fmt::Display for NotPatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// In what the edited markup differs from what is wanted.
pub(super) fn difference(
    done: &str,
    wanted: &FormSchema,
    found: &FormSchema,
    field: &Field,
) -> Option<NotPatched> {
    if wanted == found {
        return None;
    }
    let mut pairs = wanted.fields.iter().zip(&found.fields);
    let differing = pairs.find(|(wanted, found)| wanted != found);
    let (member, reason) = match differing {
        Some((one, other)) if one.name == field.name && other.name == field.name => {
            let reason = "the markup would be read otherwise".to_owned();
            (differing_member(one, other), reason)
        }
        Some((one, other)) if one.name == other.name => {
            let (name, member) = (&one.name, differing_member(one, other));
            let reason = format!("`{member}` of the field `{name}` would be read otherwise");
            (String::new(), reason)
        }
        _ => {
            let reason = "another field or step would come, go or change".to_owned();
            (String::new(), reason)
        }
    };
    Some(NotPatched::because(done, field, &member, &reason))
}

/// The first member in which two fields differ, as a schema calls it.
fn differing_member(one: &Field, other: &Field) -> String {
    let other = serde_json::to_value(other).unwrap_or_default();
    let one = serde_json::to_value(one).unwrap_or_default();
    let mut members = one.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| other.get(member) != Some(value));
    differing.map_or_else(String::new, |(member, _)| member.clone())
}
