//! The job that records which file store the hosts of this database share.

use serde::Deserialize;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store;
use crate::task::Context;

#[derive(Deserialize)]
struct FileStoreId {
    id: Option<String>,
}

/// Returns the recorded id of the file store as a JSON string, or `null`. If no id is recorded, records the caller's
/// id, if it sends one.
pub async fn file_store(cx: &Context, request: &Request) -> Result<Response, Error> {
    let FileStoreId { id } = crate::json::read(&request.body)?;
    Ok(Response::json(200, &store::file_store(cx, id).await?))
}
