//! Indexing stored submissions again by their words, after an update of the engine that indexes more of them: a small
//! step at a time, while the site serves. The host asks for steps; of all processes one has its turn, and what is cut
//! off goes on where it was.

use std::cell::Cell;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::{answer_names, search, signer};
use crate::submissions::{IndexState, index_state, read_by_schemas};
use crate::task::Context;

/// The most steps of one turn: D1 runs 1,000 statements for a request, and a step is about ten.
const MAX_STEPS: u32 = 40;

/// How many steps the turn under way has made.
#[derive(Default)]
struct Steps(Cell<u32>);

/// Runs one step. The body is `{"begun"}`: false for the first step of a turn. The answer is `{"state"}`: `more`,
/// `paused` (the turn is over; the host begins another), `held` (another process has the turn), or `done`.
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
        if !search::begin_reindex(cx).await? {
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
    search::end_reindex(cx).await?;
    Ok("paused")
}

/// Indexes the next submissions again; false when there are none.
pub(super) async fn reindex_some(cx: &Context) -> Result<bool, Error> {
    let mut outdated = search::outdated(cx).await?;
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
    search::reindex(cx, &outdated).await?;
    Ok(true)
}
