//! The API's reference: the OpenAPI document, the namespace index, and the responses to OPTIONS.
//!
//! `cargo run --example openapi` generates the document from the route table as `docs/openapi.json`. The document would
//! add 26 KB gzip to the module, so the host loads it on first use and builds the responses
//! (`host-shim/src/reference.ts`).

use super::Call;
use crate::error::Error;
use crate::http::Response;
use crate::task::Context;

/// `GET /cf/v1/openapi.json`.
pub async fn openapi(call: Call) -> Result<Response, Error> {
    part(&call.cx, "openapi").await
}

/// `GET /cf/v1`: the routes of the namespace with their arguments.
pub async fn index(call: Call) -> Result<Response, Error> {
    part(&call.cx, "index").await
}

/// Responds with a part of the reference: `openapi`, `index`, or a route's description by its path.
pub(super) async fn part(cx: &Context, part: &'static str) -> Result<Response, Error> {
    let rest_root = &cx.shared().configuration().rest_root;
    let root = format!("{}{rest_root}", cx.base_url());
    let json = cx.reference(part, root).await?;
    Ok(Response::of(200, "application/json; charset=UTF-8", json))
}
