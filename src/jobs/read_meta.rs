//! Calls of the shim's own, for other plugins of the platform. They carry no client's rights, so
//! nothing here is reachable over HTTP.

use serde::Deserialize;

use crate::error::Error;
use crate::http::{Request, Response, error_response};
use crate::store::meta;
use crate::task::Context;

#[derive(Deserialize)]
struct MetaKey {
    form_id: i64,
    key: String,
}

/// Reads a form's meta: the text as a JSON string, or `null`. Other plugins read a form's schema
/// so, under `_cf_form_schema`.
pub async fn read_meta(cx: Context, request: Request) -> Response {
    let read = async {
        let MetaKey { form_id, key } = crate::json::read(&request.body)?;
        Ok::<_, Error>(meta::get(&cx, form_id, &key).await?)
    };
    match read.await {
        Ok(value) => Response::json(200, &value),
        Err(error) => error_response(&error, &request.request_id),
    }
}
