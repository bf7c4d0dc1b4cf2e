//! The boundary: the only place of the engine that names `wasm_bindgen`. Requests and answers go in
//! and out as frames of bytes; the calls that need no request (`crates/browser`, `routes`) take and
//! give objects. Nothing of JavaScript is kept in Rust, and nothing of Rust in JavaScript, so that an
//! instance can be thrown away after a trap.

mod exports;
mod hooks;
mod routes;

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::engine::Engine;
use crate::frame;
use crate::http::{Request, Response};
use crate::rest::routes::Route;
use crate::task::{Progress, TaskId};

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// Makes the engine of this instance, from its configuration as JSON. A panic is a trap without
/// words, so its words go to the console first.
#[wasm_bindgen]
pub fn configure(configuration: &[u8]) -> Result<(), JsError> {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
    let configuration = crate::json::read(configuration)?;
    ENGINE.with_borrow_mut(|engine| *engine = Some(Engine::new(configuration)));
    Ok(())
}

/// Runs something on the engine. A throw here is a fault of the shim.
fn with_engine<T>(run: impl FnOnce(&mut Engine) -> T) -> Result<T, JsError> {
    ENGINE.with_borrow_mut(|engine| match engine {
        Some(engine) => Ok(run(engine)),
        None => Err(JsError::new("configure() must be called first")),
    })
}

/// Starts a task. One function for all exports: inlined into each of them it would make up a
/// good part of the module.
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
        let progress = match Route::of(operation) {
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

/// Writes what browsers' events count.
#[wasm_bindgen(js_name = flushEvents)]
pub fn flush_events(request: &[u8]) -> Result<Vec<u8>, JsError> {
    start(request, Engine::flush_events)
}

/// Resumes a task with outcomes. The id is one that a step gave.
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

/// Traps, when the module was built to be able to: for the test that the host survives it.
#[cfg(feature = "trap")]
#[wasm_bindgen]
pub fn trap() {
    core::arch::wasm32::unreachable()
}
