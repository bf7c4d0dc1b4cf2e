//! The routes under `/cf/v1/imports`: imports of large files. The host stores a file and imports it in the background,
//! in parts that it passes to [`super::imports::import`].

use std::future::Future;

use serde_json::Value;

use crate::error::{Error, Missing};
use crate::http::Response;
use crate::rest::Call;
use crate::task::Port;

type Handled = Result<Response, Error>;

/// Stores a file, and describes the forms and submissions that importing it would create.
pub fn create(call: Call) -> impl Future<Output = Handled> {
    ask(call, "create")
}

/// Reads an import's progress.
pub fn get(call: Call) -> impl Future<Output = Handled> {
    ask(call, "get")
}

/// Starts an import.
pub fn start(call: Call) -> impl Future<Output = Handled> {
    ask(call, "start")
}

/// Cancels an import, and deletes everything that it has created.
pub fn cancel(call: Call) -> impl Future<Output = Handled> {
    ask(call, "cancel")
}

async fn ask(call: Call, operation: &'static str) -> Handled {
    let cx = &call.cx;
    if !cx.has(Port::Files) {
        let message = "This site stores no files.";
        return Err(Error::invalid("file", "rest_no_files", message));
    }
    let reply = cx.host_import(operation, call.arguments.all());
    let response = reply.await.map_err(|fault| match fault.code.as_str() {
        "failed" | "timeout" => Error::Port(fault),
        _ => Error::of_body(&fault),
    })?;
    let status = response.get("status").and_then(Value::as_u64);
    let Some(status) = status.and_then(|status| u16::try_from(status).ok()) else {
        return Err(Error::NotFound(Missing::Import));
    };
    let body = response.get("body").unwrap_or(&Value::Null);
    let mut response = Response::json(status, body);
    response.run_queue = status == 202;
    let id = body.get("id").and_then(Value::as_i64);
    if let Some(id) = id.filter(|_| status == 201) {
        let address = call.address(&["/imports/", &id.to_string()].concat());
        response = response.with_header("location", address);
    }
    Ok(response)
}
