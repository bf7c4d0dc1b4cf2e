//! The routes under `/cf/v1/imports`: imports of large files, which the host stores and runs in the background. It
//! passes the files in parts to [`super::imports::import`].

use std::future::Future;

use serde_json::Value;

use crate::error::{Error, Missing};
use crate::http::Response;
use crate::rest::Call;
use crate::task::Port;

type Answer = Result<Response, Error>;

/// Stores a file, and describes what its import would bring.
pub fn create(call: Call) -> impl Future<Output = Answer> {
    ask(call, "create")
}

/// Reads the progress.
pub fn get(call: Call) -> impl Future<Output = Answer> {
    ask(call, "get")
}

/// Starts an import.
pub fn start(call: Call) -> impl Future<Output = Answer> {
    ask(call, "start")
}

/// Cancels an import, and deletes everything that it has created.
pub fn cancel(call: Call) -> impl Future<Output = Answer> {
    ask(call, "cancel")
}

async fn ask(call: Call, operation: &'static str) -> Answer {
    let cx = &call.cx;
    if !cx.has(Port::Files) {
        let message = "This site stores no files.";
        return Err(Error::invalid("file", "rest_no_files", message));
    }
    let reply = cx.host_import(operation, call.arguments.all());
    let answer = reply.await.map_err(|fault| match fault.code.as_str() {
        "failed" | "timeout" => Error::Port(fault),
        _ => Error::of_body(&fault),
    })?;
    let status = answer.get("status").and_then(Value::as_u64);
    let Some(status) = status.and_then(|status| u16::try_from(status).ok()) else {
        return Err(Error::NotFound(Missing::Import));
    };
    let body = answer.get("body").unwrap_or(&Value::Null);
    let mut response = Response::json(status, body);
    response.run_queue = status == 202;
    let id = body.get("id").and_then(Value::as_i64);
    if let Some(id) = id.filter(|_| status == 201) {
        let address = call.address(&["/imports/", &id.to_string()].concat());
        response = response.with_header("location", address);
    }
    Ok(response)
}
