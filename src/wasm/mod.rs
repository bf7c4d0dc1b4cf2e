//! The boundary, the only part of the engine that uses `wasm_bindgen`. Requests and responses cross as frames of
//! bytes; the calls without a request (`crates/browser`, `routes`) use objects. Neither side keeps references to the
//! other's objects, so that an instance can be replaced after a trap.

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

/// Creates the engine of this instance, from its configuration as JSON. A panic becomes a trap without a message, so
/// the message is logged to the console first.
#[wasm_bindgen]
pub fn configure(configuration: &[u8]) -> Result<(), JsError> {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
    let configuration = crate::json::read(configuration)?;
    ENGINE.with_borrow_mut(|engine| *engine = Some(Engine::new(configuration)));
    Ok(())
}

/// Changes the site's public address; empty for none.
#[wasm_bindgen(js_name = setPublicUrl)]
pub fn set_public_url(url: &str) -> Result<(), JsError> {
    with_engine(|engine| engine.set_public_url(url))
}

/// Runs a function on the engine. An error here is the shim's fault.
fn with_engine<T>(run: impl FnOnce(&mut Engine) -> T) -> Result<T, JsError> {
    ENGINE.with_borrow_mut(|engine| match engine {
        Some(engine) => Ok(run(engine)),
        None => Err(JsError::new("configure() must be called first")),
    })
}

/// Starts a task. All exports share this function, since inlining it would enlarge the module.
#[inline(never)]
fn start(bytes: &[u8], run: Run) -> Result<Vec<u8>, JsError> {
    let request = frame::read_request(bytes)?;
    with_engine(|engine| frame::write_step(&run(engine, request)))
}

/// The function of the engine that an export runs.
type Run = fn(&mut Engine, Request) -> Progress<Response>;

/// Starts the task of a route, by its operation id.
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

/// Answers a REST request by method and path.
#[wasm_bindgen]
pub fn handle(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::handle)
}

/// Answers a visitor's request.
#[wasm_bindgen]
pub fn visit(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::visit)
}

/// Writes the counts of browser events.
#[wasm_bindgen(js_name = flushEvents)]
pub fn flush_events(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::flush_events)
}

/// Resumes a task with outcomes, by the id from a step.
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

/// Traps, in modules that were built for the test that the host survives a trap.
#[cfg(feature = "trap")]
#[wasm_bindgen]
pub fn trap() {
    core::arch::wasm32::unreachable()
}
