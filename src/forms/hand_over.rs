//! Hand-over of schemas to the host's meta store, if the host has one. Until the hand-over succeeds, the engine reads
//! the schema from the database. After a failure or crash, the next purge retries the hand-over.

use crate::store::StoreError;
use crate::store::meta::{self, HandOver, Remaining};
use crate::task::{Context, Port};
use model::SCHEMA_META_KEY;

/// Limit on the schemas that one step of a purge hands over.
const BATCH_SIZE: i64 = 100;

/// Limit on the schemas that one call hands over for a form. Without a limit, concurrent changes could keep the call
/// busy.
const MAX_NEWER: usize = 4;

/// Hands a form's waiting schema over. Returns whether the host stored one; logs failures.
pub(super) async fn hand_over(cx: &Context, form_id: i64) -> bool {
    if !cx.has(Port::Meta) {
        return false;
    }
    match try_hand_over(cx, form_id).await {
        Ok(done) => done,
        Err(error) => {
            let fields = json!({"form_id": form_id, "error": error.to_string()});
            let message = "a schema waits to be handed over to the host's meta store";
            cx.log("warn", message, fields).await;
            false
        }
    }
}

/// Hands over one batch of waiting schemas. Returns whether another batch may succeed now.
pub async fn hand_over_waiting(cx: &Context) -> Result<bool, StoreError> {
    if !cx.has(Port::Meta) {
        return Ok(false);
    }
    let waiting = meta::waiting(cx, BATCH_SIZE).await?;
    let mut arrived = false;
    for form_id in &waiting {
        arrived |= hand_over(cx, *form_id).await;
    }
    Ok(arrived && i64::try_from(waiting.len()).is_ok_and(|len| len >= BATCH_SIZE))
}

async fn try_hand_over(cx: &Context, form_id: i64) -> Result<bool, StoreError> {
    let Some((lock, schema)) = meta::begin_hand_over(cx, form_id).await? else {
        return Ok(false);
    };
    let outcome = set_newest(cx, form_id, &lock, schema).await;
    if let Err(StoreError::Port(error)) = &outcome
        && error.code != "timeout"
    {
        // A write that timed out may still arrive, so then the lock is kept until it expires.
        meta::release_hand_over(cx, &lock).await?;
    }
    outcome.map(|()| true)
}

async fn set_newest(
    cx: &Context,
    form_id: i64,
    lock: &HandOver,
    mut schema: String,
) -> Result<(), StoreError> {
    for _ in 0..MAX_NEWER {
        cx.set_meta(form_id, SCHEMA_META_KEY, schema.clone())
            .await?;
        match meta::finish_hand_over(cx, lock, &schema).await? {
            Remaining::Nothing => return Ok(()),
            Remaining::Newer(newer) => schema = newer,
            Remaining::Deleted => return meta::drop_schema(cx, form_id).await,
        }
    }
    Ok(())
}
