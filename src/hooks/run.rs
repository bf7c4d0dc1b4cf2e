//! Running hooks inside a task. Each callback is an effect. A callback that throws or times out is logged with its
//! namespace and skipped.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use super::registry::{Callback, Kind, Registry, RunId};
use crate::task::{Context, PortError};

/// A callback that threw or timed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackFault {
    /// The namespace of the callback.
    pub namespace: String,
    /// The error of the callback.
    pub error: PortError,
}

/// An active run. Dropping it ends the run, even if the task is cancelled.
struct Running {
    hooks: Rc<RefCell<Registry>>,
    id: RunId,
}

impl Running {
    fn begin(cx: &Context, kind: Kind, name: &str) -> Running {
        let hooks = cx.state::<RefCell<Registry>>();
        let id = hooks.borrow_mut().begin(kind, name);
        Running { hooks, id }
    }

    fn next(&self) -> Option<Callback> {
        self.hooks.borrow_mut().next(self.id)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.hooks.borrow_mut().end(self.id);
    }
}

impl Context {
    /// Applies the filters of a name to a value. Each filter's result is the next filter's first argument. The host
    /// converts `undefined` to `null`.
    pub async fn apply_filters(&self, name: &str, value: Value, arguments: &[Value]) -> Value {
        let run = Running::begin(self, Kind::Filter, name);
        let mut value = value;
        while let Some(callback) = run.next() {
            let all = std::iter::once(&value).chain(arguments).cloned().collect();
            match self.called(name, &callback, all).await {
                Ok(changed) => value = changed,
                Err(fault) => self.log_fault(name, &fault).await,
            }
        }
        value
    }

    /// Applies the filters of a name to a text. A result that is not a text is ignored. The arguments are built only if
    /// there are callbacks.
    pub async fn filter_text(
        &self,
        name: &str,
        text: String,
        arguments: impl FnOnce() -> Vec<Value>,
    ) -> String {
        if !self.has_callbacks(Kind::Filter, name) {
            return text;
        }
        match self.apply_filters(name, json!(text), &arguments()).await {
            Value::String(changed) => changed,
            _ => text,
        }
    }

    /// Runs the actions of a name, one after another.
    pub async fn do_action(&self, name: &str, arguments: &[Value]) {
        for result in self.collect_action(name, arguments).await {
            if let Err(fault) = result {
                self.log_fault(name, &fault).await;
            }
        }
    }

    /// Runs the actions of a name. The arguments are built only if there are callbacks.
    pub async fn notify(&self, name: &str, arguments: impl FnOnce() -> Vec<Value>) {
        if self.has_callbacks(Kind::Action, name) {
            self.do_action(name, &arguments()).await;
        }
    }

    /// Runs the actions of a name, one after another, and returns their results.
    pub async fn collect_action(
        &self,
        name: &str,
        arguments: &[Value],
    ) -> Vec<Result<Value, CallbackFault>> {
        let run = Running::begin(self, Kind::Action, name);
        let mut results = Vec::new();
        while let Some(callback) = run.next() {
            results.push(self.called(name, &callback, arguments.to_vec()).await);
        }
        results
    }

    /// Whether a run of the hook would call any callback.
    pub fn has_callbacks(&self, kind: Kind, name: &str) -> bool {
        self.state::<RefCell<Registry>>().borrow().count(kind, name) > 0
    }

    /// Whether any hook has callbacks.
    pub fn has_any_callbacks(&self) -> bool {
        self.state::<RefCell<Registry>>().borrow().has_any()
    }

    /// Logs a callback's fault with the callback's namespace and the hook's name.
    pub async fn log_fault(&self, name: &str, fault: &CallbackFault) {
        let fields = json!({
            "hook": name,
            "namespace": fault.namespace,
            "code": fault.error.code,
            "error": fault.error.message,
        });
        let message = format!("a callback of {} failed on {name}", fault.namespace);
        self.log("error", message, fields).await;
    }

    async fn called(
        &self,
        name: &str,
        callback: &Callback,
        arguments: Vec<Value>,
    ) -> Result<Value, CallbackFault> {
        let result = self.call_back(callback.number, name, &callback.namespace, arguments);
        result.await.map_err(|error| CallbackFault {
            namespace: callback.namespace.clone(),
            error,
        })
    }
}
