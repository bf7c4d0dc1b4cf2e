//! The action queue: claiming due entries, running them, and storing the results.
//!
//! A claim gives a worker a lease, under which the worker runs and finishes the entry. If the worker dies, the lease
//! expires and the entry is claimed again.

use std::cell::RefCell;

pub mod backoff;
mod run;

pub use run::{run_entry, run_inline};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::action_types::secrets::mask;
use crate::dates::format_moment;
use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::queue::{self, EntryRow};
use crate::submissions::renew_uploads;
use crate::task::Context;

/// The lease of an entry. The lease restarts when the entry begins to run, and the host renews it during the run, for
/// at most three minutes.
pub const LEASE_MS: i64 = 30_000;

/// Minimum time between two renewals of a lease.
const MIN_RENEWAL_MS: i64 = 5_000;

/// Limit on the entries of one claim.
const MAX_CLAIMED: i64 = 64;

/// A queue entry that a worker has claimed.
#[derive(Clone, Debug, Deserialize)]
pub struct Claim {
    /// The entry.
    pub id: i64,
    /// The worker's lease.
    pub lease: String,
    /// Whether the host wants notifications about actions that keep failing.
    #[serde(default)]
    pub reports_failures: bool,
}

/// The running entries of this instance, each with the moment when its lease was renewed.
#[derive(Default)]
struct Leases(RefCell<Vec<(Claim, i64)>>);

#[derive(Deserialize)]
struct ClaimRequest {
    limit: i64,
    #[serde(default)]
    running: i64,
}

#[derive(Deserialize)]
struct ReleaseRequest {
    claimed: Vec<Claim>,
}

/// Claims due entries for a worker. The body is `{"limit","running"}`: the numbers of entries that the worker can
/// start, and that it runs. An idle worker may claim an entry that must run alone, if no other is due.
pub async fn claim(cx: &Context, request: &Request) -> Result<Response, Error> {
    let wanted = crate::json::read(&request.body).unwrap_or(ClaimRequest {
        limit: 8,
        running: 0,
    });
    let entries = wanted.limit.clamp(1, MAX_CLAIMED);
    let lease = new_lease(cx)?;
    let until = cx.now() + LEASE_MS;
    let mut ids = queue::claim(cx, &lease, until, entries).await?;
    let alone = ids.is_empty() && wanted.running == 0;
    if alone {
        ids = queue::claim_alone(cx, &lease, until).await?;
    }
    let claim = |id| json!({"id": id, "lease": lease, "alone": alone});
    let claimed: Vec<Value> = ids.into_iter().map(claim).collect();
    Ok(Response::json(200, &json!({"claimed": claimed})))
}

/// Creates a lease of this instance.
fn new_lease(cx: &Context) -> Result<String, Error> {
    Ok(instance_prefix(cx) + &crate::security::random::token(16)?)
}

fn instance_prefix(cx: &Context) -> String {
    let instance = &cx.shared().configuration().instance;
    if instance.is_empty() {
        String::new()
    } else {
        format!("{instance}:")
    }
}

/// Releases the entries of the previous process with this instance's name. Only one process at a time has the name.
pub async fn release_instance(cx: &Context) -> Result<(), Error> {
    let prefix = instance_prefix(cx);
    if !prefix.is_empty() {
        queue::release_instance(cx, &prefix).await?;
    }
    Ok(())
}

/// Renews the leases of this instance's running entries and uploads. The body and the response are empty.
pub async fn renew(cx: &Context, _: &Request) -> Result<Response, Error> {
    let uploads = renew_uploads(cx).await;
    let now = cx.now();
    let mut claims = Vec::new();
    for (claim, renewed) in cx.state::<Leases>().0.borrow_mut().iter_mut() {
        if now - *renewed >= MIN_RENEWAL_MS {
            *renewed = now;
            claims.push((claim.id, claim.lease.clone()));
        }
    }
    if !claims.is_empty() {
        queue::renew(cx, &claims, now + LEASE_MS).await?;
    }
    uploads?;
    Ok(Response::json(200, &json!({})))
}

/// Releases claimed entries that have not begun. The body is `{"claimed":[{"id","lease"}]}`.
pub async fn release(cx: &Context, request: &Request) -> Result<Response, Error> {
    let ReleaseRequest { claimed } = crate::json::read(&request.body)?;
    let claims = claimed.into_iter().map(|claim| (claim.id, claim.lease));
    queue::release(cx, &Vec::from_iter(claims)).await?;
    Ok(Response::json(200, &json!({})))
}

/// An entry for clients (contract, section 7), with masked secrets.
pub fn shown(entry: &EntryRow) -> Value {
    let settings = serde_json::from_str(&entry.settings);
    let mut settings: Map<String, Value> = settings.unwrap_or_default();
    mask(&mut settings);
    json!({
        "id": entry.id,
        "form_id": entry.form_id,
        "submission_id": entry.submission_id,
        "action_type": entry.action_type,
        "action_id": entry.action_id,
        "action_name": settings.get("action_name").and_then(Value::as_str).unwrap_or_default(),
        "action_index": entry.action_index,
        "settings": settings,
        "status": entry.status,
        "priority": entry.priority,
        "attempts": entry.attempts,
        "max_retries": entry.max_retries,
        "last_error": entry.last_error,
        "scheduled_at": format_moment(entry.scheduled_at),
        "started_at": entry.started_at.map(format_moment),
        "completed_at": entry.completed_at.map(format_moment),
        "created_at": format_moment(entry.created_at),
        "dismissed_at": entry.dismissed_at.map(format_moment),
    })
}
