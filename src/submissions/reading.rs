//! Converts stored submissions to the current schemas of their forms.

use std::rc::Rc;

use super::Submission;
use crate::forms::{FormSchema, schemas_of};
use crate::ordered;
use crate::store::StoreError;
use crate::task::Context;

/// Renames answers to the current names of their fields, and adds the labels of the chosen options. Reads each form at
/// most once.
pub async fn read_by_schemas<'s>(
    cx: &Context,
    submissions: impl IntoIterator<Item = &'s mut Submission>,
) -> Result<(), StoreError> {
    let mut submissions: Vec<&mut Submission> = submissions.into_iter().collect();
    let revisions = submissions.iter();
    let revisions = revisions.filter_map(|row| Some((row.form_id, row.form_revision?)));
    let mut revisions: Vec<(i64, i64)> = revisions.collect();
    ordered::sort_by(&mut revisions, <(i64, i64)>::cmp);
    revisions.dedup_by_key(|(id, _)| *id);
    let schemas: Vec<(i64, Rc<FormSchema>)> = schemas_of(cx, &revisions).await?;
    for submission in &mut submissions {
        let of_form = schemas.iter().find(|(id, _)| *id == submission.form_id);
        if let Some((_, schema)) = of_form {
            submission.read_by(schema);
        }
    }
    Ok(())
}
