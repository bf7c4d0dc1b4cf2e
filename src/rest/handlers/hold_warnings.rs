//! Warnings about exceeded seats and repeated unique values. Editors may exceed limits that bind visitors.

use super::form_warnings::MAX_NAMED_TYPES;
use crate::error::Error;
use crate::forms::{Loaded, effective_schema};
use crate::http::Response;
use crate::rest::Call;
use crate::store::holds::{of_answers, taken};
use crate::store::submissions::Change;
use model::logic::holds::{Hold, has_holds};

/// Adds `X-CF-Warning` with the limits that the changed submissions exceed.
pub(super) async fn with_taken(
    call: &Call,
    response: Response,
    changes: &[Change],
) -> Result<Response, Error> {
    let cx = &call.cx;
    let (mut forms, mut all) = (Loaded::default(), Vec::<(i64, Vec<Hold>)>::new());
    for change in changes.iter().filter(|change| change.gets_holds()) {
        let before = &change.stored.submission;
        let form_id = before.form_id;
        let Some(form) = forms.get(cx, form_id).await? else {
            continue;
        };
        let schema = effective_schema(cx, form)?;
        if !has_holds(&schema) {
            continue;
        }
        let data = change.data.as_ref().map_or(&before.data, |new| &new.data);
        let signer = crate::store::signer(cx).await?;
        let holds = of_answers(&signer, &schema, form_id, data);
        match all.iter_mut().find(|(id, _)| *id == form_id) {
            Some((_, known)) => known.extend(holds),
            None => all.push((form_id, holds)),
        }
    }
    let mut warnings = Vec::new();
    for (form_id, holds) in &all {
        let counts = taken(cx, *form_id, holds).await?;
        for (hold, taken) in holds.iter().zip(counts) {
            let field = hold.field.escape_default();
            let warning = match hold.limit {
                Some(limit) if taken > limit && hold.is_seat => {
                    let option = hold.key.escape_default();
                    format!(
                        "sold_out: {taken} of {limit} seats of \"{option}\" in \"{field}\" are taken"
                    )
                }
                Some(limit) if taken > limit => {
                    format!("not_unique: {taken} submissions have the same \"{field}\"")
                }
                _ => continue,
            };
            if warnings.len() < MAX_NAMED_TYPES && !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    if warnings.is_empty() {
        return Ok(response);
    }
    Ok(response.with_header("x-cf-warning", warnings.join(", ")))
}
