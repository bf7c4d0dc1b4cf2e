//! The action queue: claiming what is due, running it, writing down how it went.
//!
//! A claim is a lease. Who claims runs the entry and finishes it under the lease; when the worker
//! dies, the lease runs out and the entry is claimed again.

pub mod backoff;
mod entry;
mod run;

pub use entry::shown;
pub use run::{run_entry, run_inline};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::Error;
use crate::http::error_response;
use crate::http::{Request, Response};
use crate::store::queue::{self, Limits};
use crate::task::Context;

/// How long a worker holds an entry before another may claim it; much longer than any action may
/// take. Starts anew when the entry begins to run.
pub const LEASE_MS: i64 = 180_000;

/// How many entries of one action type run at once, all workers together.
const PER_TYPE: i64 = 16;

/// How many entries of one form's action run at once: an endpoint that hangs holds no more.
const PER_LANE: i64 = 4;

/// The most entries that one call claims.
const MAX_CLAIMED: i64 = 64;

/// What a worker holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The entry.
    pub id: i64,
    /// Proves that the entry is the worker's.
    pub lease: String,
}

#[derive(Deserialize)]
struct ClaimRequest {
    limit: i64,
}

#[derive(Deserialize)]
struct ReleaseRequest {
    claimed: Vec<Claim>,
}

/// Claims due entries for a worker. The body is `{"limit"}`: how many it can run now.
pub async fn claim(cx: Context, request: Request) -> Response {
    let limit = crate::json::read(&request.body).map_or(8, |asked: ClaimRequest| asked.limit);
    let limits = Limits {
        entries: limit.clamp(1, MAX_CLAIMED),
        per_type: PER_TYPE,
        per_lane: PER_LANE,
    };
    let claimed = async {
        let lease = crate::security::random::token(16)?;
        let ids = queue::claim(&cx, &lease, cx.now() + LEASE_MS, limits).await?;
        let claims = ids.into_iter().map(|id| Claim {
            id,
            lease: lease.clone(),
        });
        Ok::<Vec<Claim>, Error>(claims.collect())
    };
    match claimed.await {
        Ok(claimed) => Response::json(200, &json!({"claimed": claimed})),
        Err(error) => error_response(&error, &request.request_id),
    }
}

/// Gives back what a worker holds and has not begun. The body is `{"claimed":[{"id","lease"}]}`.
pub async fn release(cx: Context, request: Request) -> Response {
    let released = async {
        let ReleaseRequest { claimed } = crate::json::read(&request.body)?;
        let held: Vec<(i64, String)> = claimed
            .into_iter()
            .map(|claim| (claim.id, claim.lease))
            .collect();
        Ok::<_, Error>(queue::release(&cx, &held).await?)
    };
    match released.await {
        Ok(()) => Response::json(200, &json!({})),
        Err(error) => error_response(&error, &request.request_id),
    }
}
