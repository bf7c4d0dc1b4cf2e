//! Reindexes stored submissions after an update of the engine changed the search index. The host requests small steps
//! while the site serves. One process at a time has the lease. An interrupted run continues where it stopped.

use std::cell::Cell;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::{answer_names, reindex, signer};
use crate::submissions::{IndexState, index_state, read_by_schemas};
use crate::task::Context;

/// Limit on the steps of one turn: D1 runs at most 1,000 statements per request, and a step has about ten.
const MAX_STEPS: u32 = 40;

/// The number of steps of the current turn.
#[derive(Default)]
struct Steps(Cell<u32>);

/// Runs one step. The body is `{"begun"}`: false for the first step of a turn. The response is `{"state"}`: `more`,
/// `paused` (the turn has ended; the host begins another), `held` (another process has the lease), or `done`.
pub async fn reindex(cx: &Context, request: &Request) -> Result<Response, Error> {
    let body: serde_json::Value = crate::json::read(&request.body)?;
    let begun = body.get("begun").and_then(serde_json::Value::as_bool);
    let state = step(cx, begun == Some(true)).await?;
    Ok(Response::json(200, &json!({"state": state})))
}

async fn step(cx: &Context, begun: bool) -> Result<&'static str, Error> {
    if index_state(cx).await? == IndexState::Current {
        return Ok("done");
    }
    let steps = &cx.state::<Steps>().0;
    if !begun {
        if !reindex::begin(cx).await? {
            return Ok("held");
        }
        steps.set(0);
    }
    if !reindex_some(cx).await? {
        return Ok("done");
    }
    steps.set(steps.get() + 1);
    if steps.get() < MAX_STEPS {
        return Ok("more");
    }
    reindex::end(cx).await?;
    Ok("paused")
}

/// Reindexes the next batch of submissions; returns false when none are left.
pub(super) async fn reindex_some(cx: &Context) -> Result<bool, Error> {
    let mut outdated = reindex::outdated(cx).await?;
    if outdated.is_empty() {
        return Ok(false);
    }
    answer_names::record(cx, &outdated).await?;
    let submissions = outdated.iter_mut().map(|stored| &mut stored.submission);
    read_by_schemas(cx, submissions).await?;
    let signer = signer(cx).await?;
    let outdated: Vec<_> = outdated
        .into_iter()
        .map(|stored| {
            let mut hashes = signer.address_hashes(&stored.submission);
            hashes.extend(stored.former_addresses.iter().cloned());
            (stored, hashes)
        })
        .collect();
    reindex::write(cx, &outdated).await?;
    Ok(true)
}
