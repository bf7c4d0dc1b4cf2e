//! The action queue.

use serde_json::json;

use crate::http::{Request, Response};
use crate::task::Context;

/// Claims due entries for this worker.
pub async fn claim(_cx: Context, _request: Request) -> Response {
    Response::json(200, &json!({"claimed": []}))
}

/// Runs one claimed entry.
pub async fn run_entry(_cx: Context, _request: Request) -> Response {
    Response::json(200, &json!({}))
}
