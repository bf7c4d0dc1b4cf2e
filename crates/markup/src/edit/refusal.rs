//! Why an edit cannot be made in place.

use std::fmt;

use model::{Field, FormSchema};

/// The member that was to change, or none for the whole field, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) &'static str, pub(super) &'static str);

/// The edit would change more than the field.
pub(super) const OTHERS_CHANGE: Reason =
    Reason("", "another field or step would come, go or change");

/// An edit that cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPatched(String);

impl NotPatched {
    /// `done` says what cannot be done with the field: it is edited, added or deleted.
    pub(super) fn of(done: &str, field: &Field, member: &str, reason: &str) -> NotPatched {
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

/// That the edited markup is read as the schema that is wanted, or in what it differs.
pub(super) fn expect(
    done: &str,
    wanted: &FormSchema,
    found: &FormSchema,
    field: &Field,
) -> Result<(), NotPatched> {
    if wanted == found {
        return Ok(());
    }
    let mut pairs = wanted.fields.iter().zip(&found.fields);
    let differing = pairs.find(|(wanted, found)| wanted != found);
    Err(
        match differing.filter(|(one, other)| one.name == other.name) {
            Some((one, other)) => {
                let member = differing_member(one, other);
                if one.name == field.name {
                    NotPatched::of(done, field, &member, "the markup would be read otherwise")
                } else {
                    let other = &one.name;
                    let reason =
                        format!("`{member}` of the field `{other}` would be read otherwise");
                    NotPatched::of(done, field, "", &reason)
                }
            }
            None => NotPatched::of(done, field, OTHERS_CHANGE.0, OTHERS_CHANGE.1),
        },
    )
}

/// The first member in which two fields differ, as a schema calls it.
fn differing_member(one: &Field, other: &Field) -> String {
    let other = serde_json::to_value(other).unwrap_or_default();
    let one = serde_json::to_value(one).unwrap_or_default();
    let mut members = one.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| other.get(member) != Some(value));
    differing.map_or_else(String::new, |(member, _)| member.clone())
}
