//! Records the store of uploads that the database's hosts write to.

use serde::Deserialize;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store;
use crate::task::Context;

#[derive(Deserialize)]
struct FileStoreId {
    id: Option<String>,
}

/// Returns the recorded id of the store as a JSON string, or `null`. An id of the caller is recorded if there is none.
pub async fn file_store(cx: &Context, request: &Request) -> Result<Response, Error> {
    let FileStoreId { id } = crate::json::read(&request.body)?;
    Ok(Response::json(200, &store::file_store(cx, id).await?))
}
