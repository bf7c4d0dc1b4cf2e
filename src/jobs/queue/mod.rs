//! The action queue: claiming due entries, running them, and storing the results.
//!
//! A claim gives a worker a lease, under which the worker runs and finishes the entry. If the worker dies, the lease
//! expires and the entry is claimed again.

use std::cell::RefCell;

pub mod backoff;
mod claimed;
mod run;

pub use run::{run_entry, run_inline};

pub(super) use claimed::{ActionForm, load_form};

use claimed::ReadEntry;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::action_types::secrets::mask;
use crate::dates::format_moment;
use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::queue::{self, Ended, EntryRow, Wanted};
use crate::submissions::renew_uploads;
use crate::task::Context;

/// Duration of a lease. The host renews the lease during the run, for at most three minutes. An entry that is read
/// again when it begins restarts its lease.
pub const LEASE_MS: i64 = 30_000;

/// Minimum time between two renewals of a lease.
const MIN_RENEWAL_MS: i64 = 5_000;

/// Limit on the entries that one claim returns.
const MAX_CLAIMED: i64 = 64;

/// Default limit on the entries of a lane that run concurrently, over all workers. A lane is one action of one form.
const LANE_LIMIT: i64 = 4;

/// A queue entry that a worker has claimed.
#[derive(Clone, Debug, Deserialize)]
pub struct Claim {
    /// The id of the entry.
    pub id: i64,
    /// The worker's lease.
    pub lease: String,
    /// Whether the host wants notifications about actions that keep failing.
    #[serde(default)]
    pub reports_failures: bool,
    /// Whether the host claims again after the run, so that the next claim can store the outcome of a success.
    #[serde(default)]
    pub claims_after: bool,
}

/// The entries that this instance has claimed.
#[derive(Default)]
struct Entries {
    /// Entries that have not begun, as their claims read them.
    read: RefCell<Vec<ReadEntry>>,
    /// Running entries, each with the moment when its lease was last renewed.
    running: RefCell<Vec<(Claim, i64)>>,
    /// Successful runs whose outcomes the next claim stores.
    ended: RefCell<Vec<Ended>>,
}

#[derive(Deserialize)]
struct ReleaseRequest {
    claimed: Vec<Claim>,
}

/// Stores the outcomes of ended runs, and claims due entries for a worker, in one batch. If an idle worker gets no
/// other entries, it gets an entry that must run alone. The body has four members. `limit` is the number of entries
/// that the worker can start, and `running` the number that it runs. `lane_limit` is the limit on the running entries
/// of a lane, and `lane_limits` lists exceptions as `[lane, limit]`.
pub async fn claim(cx: &Context, request: &Request) -> Result<Response, Error> {
    let wanted: Value = crate::json::read(&request.body).unwrap_or_default();
    let number = |name: &str, default| wanted.get(name).and_then(Value::as_i64).unwrap_or(default);
    let limits = wanted.get("lane_limits").filter(|limits| limits.is_array());
    let lease = new_lease(cx)?;
    let lease_until = cx.now() + LEASE_MS;
    let entries = number("limit", 8).clamp(0, MAX_CLAIMED);
    let first = Wanted {
        lease: &lease,
        lease_until,
        entries,
        lane_limit: number("lane_limit", LANE_LIMIT),
        lane_limits: limits.map_or_else(|| "[]".to_owned(), Value::to_string),
    };
    let unstored = &cx.state::<Entries>().ended;
    let ended = unstored.take();
    let claimed = queue::claim(cx, &ended, first).await;
    if claimed.is_err() {
        // Store each outcome separately. The first outcome that fails is dropped, so that a faulty one cannot stop the
        // queue; its entry runs again when its lease ends. The next claim stores the remaining outcomes.
        let mut left = ended.into_iter();
        for ended in left.by_ref() {
            if queue::finish(cx, &ended).await.is_err() {
                break;
            }
        }
        unstored.borrow_mut().extend(left);
    }
    let mut claimed = claimed?;
    let alone = claimed.is_empty() && number("running", 0) == 0 && entries > 0;
    if alone {
        claimed = queue::claim_alone(cx, &lease, lease_until).await?;
    }
    let claimed = claimed::read(cx, claimed, &lease, alone).await;
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

/// Releases the entries that the previous process with this instance's name had claimed. Only one process at a time has
/// the name.
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
    for (claim, renewed) in cx.state::<Entries>().running.borrow_mut().iter_mut() {
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
    for claim in &claimed {
        claimed::take(cx, claim);
    }
    let claims = claimed.into_iter().map(|claim| (claim.id, claim.lease));
    queue::release(cx, &Vec::from_iter(claims)).await?;
    Ok(Response::json(200, &json!({})))
}

/// An entry as clients see it (contract, section 7), with masked secrets.
pub fn shown(entry: &EntryRow) -> Value {
    let settings = serde_json::from_str(&entry.settings);
    let mut settings: Map<String, Value> = settings.unwrap_or_default();
    mask(&mut settings);
    json!({
        "id": entry.id,
        "form_id": entry.form_id,
        "submission_id": Some(entry.submission_id).filter(|id| *id > 0),
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
