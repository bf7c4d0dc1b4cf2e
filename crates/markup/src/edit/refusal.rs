//! Why an edit cannot be made in place.

use model::{Field, FormSchema, values};
use thiserror::Error;

/// The member that was to change, or none for the whole field, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) &'static str, pub(super) &'static str);

/// The edit would change more than the field.
pub(super) const OTHERS_CHANGE: Reason =
    Reason("", "another field or step would come, go or change");

/// An edit that cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotPatched(String);

impl NotPatched {
    /// `done` says what cannot be done with the field: it is edited, added or deleted.
    pub(super) fn of(done: &str, field: &Field, member: &str, reason: &str) -> NotPatched {
        let member = match member {
            "" => "the field".to_owned(),
            _ => format!("`{member}` of the field"),
        };
        let name = &field.name;
        NotPatched(format!(
            "{member} `{name}` cannot be {done} in place: {reason}"
        ))
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
    let Some((one, other)) = differing.filter(|(one, other)| one.name == other.name) else {
        return Err(NotPatched::of(
            done,
            field,
            OTHERS_CHANGE.0,
            OTHERS_CHANGE.1,
        ));
    };
    let member = differing_member(one, other);
    if one.name == field.name {
        let reason = "the markup would be read otherwise";
        return Err(NotPatched::of(done, field, &member, reason));
    }
    let other = &one.name;
    let reason = format!("`{member}` of the field `{other}` would be read otherwise");
    Err(NotPatched::of(done, field, "", &reason))
}

/// The first member in which two fields differ, as a schema calls it.
fn differing_member(one: &Field, other: &Field) -> String {
    let (one, other) = (values::value(one), values::value(other));
    let mut members = one.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| other.get(member) != Some(value));
    differing.map_or_else(String::new, |(member, _)| member.clone())
}
