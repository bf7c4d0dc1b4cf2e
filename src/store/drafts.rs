//! Work in progress: what somebody is about to make of a form, one for each form, as JSON text
//! beside its meta. No revision, no list and no visitor knows of it.

use super::{Batch, Result, execute, select_one};
use crate::task::Context;

/// The name under which it is kept.
const NAME: &str = "_cf_form_draft";

/// The work in progress on a form, if there is any.
pub async fn find(cx: &Context, form_id: i64) -> Result<Option<String>> {
    let sql = "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2";
    select_one(cx, sql, params![form_id, NAME]).await
}

/// Stores it in place of what was there; false where the form does not exist.
pub async fn put(cx: &Context, form_id: i64, draft: &str) -> Result<bool> {
    let sql = "INSERT INTO cf_form_meta (form_id, name, value) SELECT f.id, ?2, ?3 FROM cf_forms f WHERE f.id = ?1 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value";
    Ok(execute(cx, sql, params![form_id, NAME, draft]).await? > 0)
}

/// Removes it, unless it was replaced meanwhile; returns whether it was there.
pub async fn remove(cx: &Context, form_id: i64, draft: &str) -> Result<bool> {
    let sql = "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3";
    Ok(execute(cx, sql, params![form_id, NAME, draft]).await? > 0)
}

/// Adds its removal from the form that an earlier statement of the batch changed under `token`.
pub(super) fn add_removal(batch: &mut Batch, token: &str, draft: &str) {
    batch.add(
        "DELETE FROM cf_form_meta WHERE name = ?2 AND value = ?3 \
         AND form_id IN (SELECT f.id FROM cf_forms f WHERE f.change_token = ?1)",
        params![token, NAME, draft],
    );
}
