//! Recomputes the seats and unique values that stored submissions hold, after the fields that define them change.

use super::form::{effective_schema, load_any};
use crate::error::Error;
use crate::store::holds::{self, next_fill, of_answers};
use crate::store::submissions::{fill, to_fill};
use crate::store::{Form, Source};
use crate::task::Context;
use model::FormSchema;
use model::logic::holds::{SEATS, UNIQUE, signature};

/// Limit on the steps directly after a form's change; the purge runs the remaining ones.
const MAX_STEPS: usize = 25;

/// Whether an edit of a form changes the seats and unique values that its submissions hold.
pub(super) fn are_moved(before: &Form, form: &Form) -> bool {
    if (&before.stored_schema, &before.markup, before.source)
        == (&form.stored_schema, &form.markup, form.source)
    {
        return false;
    }
    // The cache is not used: the new revision is not stored yet.
    let of = |form: &Form| {
        let text = match (&form.stored_schema, form.source) {
            (Some(stored), Source::Schema) => stored,
            _ => &form.markup,
        };
        if ![UNIQUE, SEATS].iter().any(|name| text.contains(name)) {
            return None;
        }
        let schema = match form.source {
            Source::Schema => serde_json::from_str(text).ok(),
            _ => form.markup_schema().ok(),
        };
        schema
            .map(|schema: FormSchema| signature(&schema))
            .filter(|fields| fields != "[]")
    };
    of(before) != of(form)
}

/// Recomputes the holds of a changed form.
pub(super) async fn settle(cx: &Context, form_id: i64) -> Result<(), Error> {
    for _ in 0..MAX_STEPS {
        if !step(cx, Some(form_id)).await? {
            break;
        }
    }
    Ok(())
}

/// Recomputes the holds of one batch of submissions, of the given form or else of any form. Returns whether more may be
/// left.
pub async fn step(cx: &Context, form_id: Option<i64>) -> Result<bool, Error> {
    let Some((form_id, after)) = next_fill(cx, form_id).await? else {
        return Ok(false);
    };
    let schema = load_any(cx, form_id).await?;
    let schema = schema.map(|form| effective_schema(cx, &form)).transpose()?;
    let found = to_fill(cx, form_id, after).await?;
    let signer = crate::store::signer(cx).await?;
    let rows = found.into_iter().map(|mut stored| {
        let holds = schema.as_ref().map(|schema| {
            stored.submission.read_by(schema);
            of_answers(&signer, schema, form_id, &stored.submission.data)
        });
        (stored, holds::stored(&holds.unwrap_or_default()))
    });
    fill(cx, (form_id, after), &rows.collect::<Vec<_>>()).await?;
    Ok(true)
}
