//! Why an edit cannot be made in place.

use std::borrow::Cow;

use model::{Field, FormSchema, values};
use thiserror::Error;

/// The member that was to change, or none for the whole field, and what stands in the way.
#[derive(Debug)]
pub(super) struct Reason(Cow<'static, str>, Cow<'static, str>);

/// The edit would change more than the field.
pub(super) const OTHERS_CHANGE: Reason =
    Reason::of("", "another field or step would come, go or change");

/// An edit that cannot be made in place, in words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotPatched(String);

impl Reason {
    pub(super) const fn of(member: &'static str, reason: &'static str) -> Reason {
        Reason(Cow::Borrowed(member), Cow::Borrowed(reason))
    }

    /// `done` says what cannot be done with the field: it is edited, added or deleted.
    pub(super) fn told(self, done: &str, field: &Field) -> NotPatched {
        let (Reason(member, reason), name) = (self, &field.name);
        let member = match &*member {
            "" => "the field".to_owned(),
            member => format!("`{member}` of the field"),
        };
        NotPatched(format!(
            "{member} `{name}` cannot be {done} in place: {reason}"
        ))
    }
}

/// That the edited markup is read as the schema that is wanted, or in what it differs.
pub(super) fn expect(wanted: &FormSchema, found: &FormSchema, field: &str) -> Result<(), Reason> {
    if wanted == found {
        return Ok(());
    }
    let mut pairs = wanted.fields.iter().zip(&found.fields);
    let differing = pairs.find(|(wanted, found)| wanted != found);
    let Some((one, other)) = differing.filter(|(one, other)| one.name == other.name) else {
        return Err(OTHERS_CHANGE);
    };
    let member = differing_member(one, other);
    Err(if one.name == field {
        Reason(member.into(), "the markup would be read otherwise".into())
    } else {
        let reason = format!(
            "`{member}` of the field `{}` would be read otherwise",
            one.name
        );
        Reason("".into(), reason.into())
    })
}

/// The first member in which two fields differ, as a schema calls it.
fn differing_member(one: &Field, other: &Field) -> String {
    let (one, other) = (values::value(one), values::value(other));
    let mut members = one.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| other.get(member) != Some(value));
    differing.map_or_else(String::new, |(member, _)| member.clone())
}
