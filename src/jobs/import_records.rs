//! The job that reads and changes the records of imports, which the host runs in parts.

use serde::Deserialize;

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::imports;
use crate::task::{Context, SqlValue};

#[derive(Deserialize)]
struct Named {
    statement: String,
    parameters: Vec<SqlValue>,
}

/// Runs a statement of [`imports`] by its name. The response is the list of its rows.
pub async fn import_records(cx: &Context, request: &Request) -> Result<Response, Error> {
    let Named {
        statement,
        parameters,
    } = crate::json::read(&request.body)?;
    let rows = imports::run(cx, &statement, parameters).await?;
    Ok(Response::json(200, &json!(rows)))
}
