//! The purge, in small steps: deletes expired rows, merges the search index, and hands waiting schemas over to the
//! host's meta store. The host requests steps until nothing is left. Only one process per hour begins a purge.

use std::cell::Cell;

use super::retention::{AgedForms, delete_aged, delete_trashed};
use crate::error::Error;
use crate::files::remove_abandoned;
use crate::forms::{hand_over_waiting, holds};
use crate::http::{Request, Response};
use crate::store::{purge, saved, search};
use crate::submissions::forget_unsaved;
use crate::task::Context;

/// The number of steps after which a purge requests no further step only to merge the search index. D1 runs at most
/// 1,000 statements per request, and a step without other work has 13. The next purge continues.
const MAX_MERGES: u32 = 60;

/// The number of steps of the current purge.
#[derive(Default)]
struct Merges(Cell<u32>);

/// Runs one step of the purge. The body is `{"begun"}`: false for the first step. The response is `{"more"}`: whether
/// another step should follow.
pub async fn purge(cx: &Context, request: &Request) -> Result<Response, Error> {
    let more = step(cx, request).await?;
    Ok(Response::json(200, &json!({"more": more})))
}

async fn step(cx: &Context, request: &Request) -> Result<bool, Error> {
    let body: serde_json::Value = crate::json::read(&request.body)?;
    let begun = body.get("begun").and_then(serde_json::Value::as_bool);
    if begun != Some(true) {
        if !purge::begin(cx).await? {
            return Ok(false);
        }
        cx.state::<AgedForms>().0.set(0);
        cx.state::<Merges>().0.set(0);
    }
    let old = purge::find_expired(cx, &cx.shared().configuration().keep_days).await?;
    let expired = purge::delete(cx, &old).await?;
    for id in &old.unsaved {
        forget_unsaved(cx, *id).await?;
    }
    let files = remove_abandoned(cx).await?;
    let aged = delete_aged(cx).await?;
    let trashed = old.has_trash && delete_trashed(cx).await?;
    let waiting =
        hand_over_waiting(cx).await? | holds::step(cx, None).await? | saved::purge(cx).await?;
    let merges = &cx.state::<Merges>().0;
    merges.set(merges.get() + 1);
    let parts = search::merge(cx).await? && merges.get() < MAX_MERGES;
    Ok(expired || old.is_full() || files || aged || trashed || waiting || parts)
}
