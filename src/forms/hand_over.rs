//! Handing schemas over to the host's own meta store, if it has one. Until that has succeeded the
//! engine reads what the database holds; what fails, or dies in between, is done by the next purge.

use crate::store::StoreError;
use crate::store::meta::{self, HandOver, Remaining};
use crate::task::{Context, Port};
use model::SCHEMA_META_KEY;

/// How many schemas a purge's step hands over.
const BATCH_SIZE: i64 = 100;

/// How many newer schemas are handed over one after another, so that it ends in time.
const AT_MOST: usize = 4;

/// Hands a form's schema over; returns whether one was waiting and is stored. A failure is logged.
pub(super) async fn hand_over(cx: &Context, form_id: i64) -> bool {
    if !cx.has(Port::Meta) {
        return false;
    }
    match try_to(cx, form_id).await {
        Ok(done) => done,
        Err(error) => {
            let fields = json!({"form_id": form_id, "error": error.to_string()});
            let message = "a schema waits to be handed over to the host's meta store";
            cx.log("warn", message, fields).await;
            false
        }
    }
}

/// Hands over the schemas that wait. Returns whether more of it may wait that can be handed over now.
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

async fn try_to(cx: &Context, form_id: i64) -> Result<bool, StoreError> {
    let Some((begun, schema)) = meta::begin_hand_over(cx, form_id).await? else {
        return Ok(false);
    };
    let outcome = set_newest(cx, form_id, &begun, schema).await;
    if let Err(StoreError::Port(error)) = &outcome
        && error.code != "timeout"
    {
        // What gave no answer may arrive yet: nobody else begins before this one's time is over.
        meta::release_hand_over(cx, &begun).await?;
    }
    outcome.map(|()| true)
}

async fn set_newest(
    cx: &Context,
    form_id: i64,
    begun: &HandOver,
    mut schema: String,
) -> Result<(), StoreError> {
    for _ in 0..AT_MOST {
        cx.set_meta(form_id, SCHEMA_META_KEY, schema.clone())
            .await?;
        match meta::finish_hand_over(cx, begun, &schema).await? {
            Remaining::Nothing => return Ok(()),
            Remaining::Newer(newer) => schema = newer,
            Remaining::Deleted => return meta::drop_schema(cx, form_id).await,
        }
    }
    Ok(())
}
