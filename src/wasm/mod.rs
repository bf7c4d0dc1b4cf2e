//! The boundary to the host, the only part of the engine that uses `wasm_bindgen`. Requests and responses cross it as
//! frames of bytes; calls without a request, such as `routes`, use objects. Neither side keeps references to the other
//! side's objects, so that the host can replace the instance after a trap.

mod exports;
mod hooks;
mod routes;

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::engine::Engine;
use crate::frame;
use crate::http::{Request, Response};
use crate::rest::routes::route_of;
use crate::task::{Progress, TaskId};

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// Creates the engine of this instance from its configuration, which is JSON. Also makes panics log their message to
/// the console, since the resulting trap has none.
#[wasm_bindgen]
pub fn configure(configuration: &[u8]) -> Result<(), JsError> {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
    let configuration = crate::json::read(configuration)?;
    ENGINE.with_borrow_mut(|engine| *engine = Some(Engine::new(configuration)));
    Ok(())
}

/// Changes the site's public URL; empty for none.
#[wasm_bindgen(js_name = setPublicUrl)]
pub fn set_public_url(url: &str) -> Result<(), JsError> {
    with_engine(|engine| engine.set_public_url(url))
}

/// Runs a function on the engine; fails if the shim has not called `configure` first.
fn with_engine<T>(run: impl FnOnce(&mut Engine) -> T) -> Result<T, JsError> {
    ENGINE.with_borrow_mut(|engine| match engine {
        Some(engine) => Ok(run(engine)),
        None => Err(JsError::new("configure() must be called first")),
    })
}

/// Starts a task. This function is never inlined, since each export would then contain a copy.
#[inline(never)]
fn start(bytes: &[u8], run: Run) -> Result<Vec<u8>, JsError> {
    let request = frame::read_request(bytes)?;
    with_engine(|engine| frame::write_step(&run(engine, request)))
}

/// The function of the engine that an export runs.
type Run = fn(&mut Engine, Request) -> Progress<Response>;

/// Starts the task of a route with an operation id.
#[inline(never)]
fn start_route(operation: &str, bytes: &[u8]) -> Result<Vec<u8>, JsError> {
    let request = frame::read_request(bytes)?;
    with_engine(|engine| {
        let progress = match route_of(operation) {
            Some(route) => engine.call(route, request),
            None => engine.handle(request),
        };
        frame::write_step(&progress)
    })
}

/// Handles a REST request by method and path.
#[wasm_bindgen]
pub fn handle(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::handle)
}

/// Handles a visitor's request.
#[wasm_bindgen]
pub fn visit(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::visit)
}

/// Writes the counts of browser events.
#[wasm_bindgen(js_name = flushEvents)]
pub fn flush_events(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::flush_events)
}

/// Resumes the task with an id from a previous step, with the outcomes of its effects.
#[wasm_bindgen]
pub fn resume(task: f64, outcomes: &[u8]) -> Result<Vec<u8>, JsError> {
    let (now, outcomes) = frame::read_outcomes(outcomes)?;
    let task = TaskId::from_number(task as u64);
    with_engine(|engine| frame::write_step(&engine.resume(task, now, outcomes)))
}

/// Cancels a task.
#[wasm_bindgen]
pub fn cancel(task: f64) -> Result<(), JsError> {
    with_engine(|engine| engine.cancel(TaskId::from_number(task as u64)))
}
