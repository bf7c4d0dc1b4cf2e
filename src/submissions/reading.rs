//! Reading stored submissions by the schemas that their forms have today.

use std::rc::Rc;

use super::Submission;
use crate::forms::{FormSchema, schemas_of};
use crate::store::StoreError;
use crate::task::Context;

/// Puts the answers under the names that their fields have today, and adds the labels of the chosen options. Each form is
/// read once at most.
pub async fn read_by_schemas<'s>(
    cx: &Context,
    submissions: impl IntoIterator<Item = &'s mut Submission>,
) -> Result<(), StoreError> {
    let mut submissions: Vec<&mut Submission> = submissions.into_iter().collect();
    let mut ids: Vec<i64> = submissions.iter().map(|own| own.form_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let schemas: Vec<(i64, Rc<FormSchema>)> = schemas_of(cx, &ids).await?;
    for submission in &mut submissions {
        let of_form = schemas.iter().find(|(id, _)| *id == submission.form_id);
        if let Some((_, schema)) = of_form {
            submission.read_by(schema);
        }
    }
    Ok(())
}
