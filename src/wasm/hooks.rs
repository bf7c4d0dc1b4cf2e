//! The hook registry for plain JavaScript. The shim stores and runs the callbacks; the registry determines their order.
//! An invalid name throws an ordinary `Error`.

use wasm_bindgen::prelude::*;

use super::with_engine;
use crate::hooks::{Callback, Kind, Registry, RunId};

fn kind(filter: bool) -> Kind {
    if filter { Kind::Filter } else { Kind::Action }
}

fn with_hooks<T>(use_hooks: impl FnOnce(&mut Registry) -> T) -> Result<T, JsError> {
    with_engine(|engine| use_hooks(&mut engine.hooks().borrow_mut()))
}

/// Adds a callback to a hook.
#[wasm_bindgen(js_name = hookAdd)]
pub fn hook_add(
    filter: bool,
    name: &str,
    namespace: String,
    priority: f64,
    number: u32,
) -> Result<(), JsError> {
    let callback = Callback {
        number,
        namespace,
        priority,
    };
    with_hooks(|hooks| hooks.add(kind(filter), name, callback))?.map_err(JsError::from)
}

/// Removes a namespace's callbacks; returns their numbers, or `undefined` for an unknown hook.
#[wasm_bindgen(js_name = hookRemove)]
pub fn hook_remove(filter: bool, name: &str, namespace: &str) -> Result<Option<Vec<u32>>, JsError> {
    with_hooks(|hooks| hooks.remove(kind(filter), name, namespace))?.map_err(JsError::from)
}

/// Removes all callbacks; returns their numbers, or `undefined` for an unknown hook.
#[wasm_bindgen(js_name = hookRemoveAll)]
pub fn hook_remove_all(filter: bool, name: &str) -> Result<Option<Vec<u32>>, JsError> {
    with_hooks(|hooks| hooks.remove_all(kind(filter), name))?.map_err(JsError::from)
}

/// Whether a hook has ever had a callback or been run. With a namespace, whether the hook has a callback of that
/// namespace.
#[wasm_bindgen(js_name = hookHas)]
pub fn hook_has(filter: bool, name: &str, namespace: Option<String>) -> Result<bool, JsError> {
    with_hooks(|hooks| hooks.has(kind(filter), name, namespace.as_deref()))
}

/// The number of a hook's runs, including those without callbacks.
#[wasm_bindgen(js_name = hookDid)]
pub fn hook_did(filter: bool, name: &str) -> Result<f64, JsError> {
    let runs = with_hooks(|hooks| hooks.did(kind(filter), name))??;
    Ok(runs as f64)
}

/// Whether a run of the hook is active; without a name, a run of any hook.
#[wasm_bindgen(js_name = hookDoing)]
pub fn hook_doing(filter: bool, name: Option<String>) -> Result<bool, JsError> {
    with_hooks(|hooks| hooks.doing(kind(filter), name.as_deref()))
}

/// The hook of the active run that was started last.
#[wasm_bindgen(js_name = hookCurrent)]
pub fn hook_current(filter: bool) -> Result<Option<String>, JsError> {
    with_hooks(|hooks| hooks.current(kind(filter)).map(str::to_owned))
}

/// Starts a run; returns its number.
#[wasm_bindgen(js_name = hookBegin)]
pub fn hook_begin(filter: bool, name: &str) -> Result<u32, JsError> {
    with_hooks(|hooks| hooks.begin(kind(filter), name).0)
}

/// The number of the next callback of a run, or `undefined` at its end.
#[wasm_bindgen(js_name = hookNext)]
pub fn hook_next(run: u32) -> Result<Option<u32>, JsError> {
    with_hooks(|hooks| hooks.next(RunId(run)).map(|callback| callback.number))
}

/// Ends a run.
#[wasm_bindgen(js_name = hookEnd)]
pub fn hook_end(run: u32) -> Result<(), JsError> {
    with_hooks(|hooks| hooks.end(RunId(run)))
}

/// The numbers of runs of all hooks, for [`hook_restore`]; `undefined` if they are unchanged since the last report.
#[wasm_bindgen(js_name = hookRuns)]
pub fn hook_runs() -> Result<Option<String>, JsError> {
    Ok(with_hooks(Registry::report_runs)?.transpose()?)
}

/// Adds the numbers of runs of a replaced instance.
#[wasm_bindgen(js_name = hookRestore)]
pub fn hook_restore(runs: &str) -> Result<(), JsError> {
    Ok(with_hooks(|hooks| hooks.restore_runs(runs))??)
}
