//! What visitors reach: pages and submits, below the front prefix.

use crate::http::{Request, Response};
use crate::task::Context;

/// Answers a visitor's request.
pub async fn visit(_cx: Context, _request: Request) -> Response {
    Response::of(404, "text/plain; charset=UTF-8", "Not found\n")
}
