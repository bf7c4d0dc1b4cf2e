//! Why an edit cannot be made in place.

use std::borrow::Cow;
use std::fmt;

use crate::forms::{Field, FormSchema};

/// An edit that cannot be said in the author's HTML: the member that was to change, or none for the whole
/// field, and what stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(pub(super) &'static str, pub(super) &'static str);

/// An edit that cannot be made in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPatched {
    /// What cannot be done with the field: it is edited, added or deleted.
    done: &'static str,
    field: String,
    member: String,
    reason: Cow<'static, str>,
}

impl NotPatched {
    pub(super) fn of(done: &'static str, field: &Field, Reason(member, reason): Reason) -> Self {
        NotPatched {
            done,
            field: field.name.clone(),
            member: member.to_owned(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for NotPatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotPatched { done, field, .. } = self;
        if self.member.is_empty() {
            write!(f, "the field `{field}` cannot be {done} in place")?;
        } else {
            let member = &self.member;
            write!(f, "`{member}` of the field `{field}` cannot be {done} in place")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// In what the edited markup differs from what is wanted.
pub(super) fn difference(
    done: &'static str,
    wanted: &FormSchema,
    found: &FormSchema,
    field: &Field,
) -> Option<NotPatched> {
    if wanted == found {
        return None;
    }
    let mut pairs = wanted.fields.iter().zip(&found.fields);
    let differing = pairs.find(|(wanted, found)| wanted != found);
    let (member, reason): (_, Cow<'static, str>) = match differing {
        Some((wanted, found)) if wanted.name == found.name => {
            let member = differing_member(wanted, found);
            if wanted.name == field.name {
                (member, "the markup would be read otherwise".into())
            } else {
                let other = &wanted.name;
                let reason = format!("`{member}` of the field `{other}` would be read otherwise");
                (String::new(), reason.into())
            }
        }
        None if wanted.fields.len() == found.fields.len() => {
            let reason = "the steps of the form would be read otherwise";
            (String::new(), reason.into())
        }
        _ => (String::new(), "another field would come, go or change".into()),
    };
    Some(NotPatched {
        member,
        reason,
        ..NotPatched::of(done, field, Reason("", ""))
    })
}

/// The first member in which two fields differ, as a schema calls it.
fn differing_member(one: &Field, other: &Field) -> String {
    let other = serde_json::to_value(other).unwrap_or_default();
    let one = serde_json::to_value(one).unwrap_or_default();
    let mut members = one.as_object().into_iter().flatten();
    let differing = members.find(|(member, value)| other.get(member) != Some(value));
    differing.map(|(member, _)| member.clone()).unwrap_or_default()
}
