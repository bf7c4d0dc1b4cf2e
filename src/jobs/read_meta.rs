//! Reading meta for other plugins of the platform. Such calls check no rights, so they are not reachable over HTTP.

use serde::Deserialize;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::meta;
use crate::task::Context;

#[derive(Deserialize)]
struct MetaKey {
    form_id: i64,
    key: String,
}

/// Reads a form's meta: the text as a JSON string, or `null`. Plugins read a form's schema under `_cf_form_schema`.
pub async fn read_meta(cx: &Context, request: &Request) -> Result<Response, Error> {
    let MetaKey { form_id, key } = crate::json::read(&request.body)?;
    Ok(Response::json(200, &meta::get(cx, form_id, &key).await?))
}
