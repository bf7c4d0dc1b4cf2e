//! Hooks in the engine: each callback is an effect, and a failing callback does not break the request.

use std::cell::RefCell;
use std::rc::Rc;

use cf_forms::hooks::Kind;
use cf_forms::task::{Context, Effect, Executor, Outcome, PortError, Progress};
use serde_json::{Value, json};

use crate::hooks::add_to;
use crate::host::Host;

/// Runs a task whose callbacks `answer` performs; returns its value and the logged fields.
fn in_task<T: 'static, F: Future<Output = T> + 'static>(
    host: &Host,
    task: impl FnOnce(Context) -> F,
    mut answer: impl FnMut(u32, Vec<Value>) -> Result<Value, &'static str>,
) -> (T, Vec<Value>) {
    let context = Context::new(Rc::clone(host.engine.shared()), host.now);
    let logs = RefCell::new(Vec::new());
    let mut executor = Executor::default();
    let mut progress = executor.start(context.clone(), Box::pin(task(context)));
    loop {
        match progress {
            Progress::Done(value) => return (value, logs.into_inner()),
            Progress::Gone => panic!("the task is gone"),
            Progress::Waiting { task, effects } => {
                let outcomes = effects.into_iter().map(|(number, effect)| {
                    let outcome = match effect {
                        Effect::Callback {
                            callback,
                            arguments,
                            ..
                        } => answer(callback, arguments).map_or_else(thrown, Outcome::Value),
                        Effect::Log { fields, .. } => {
                            logs.borrow_mut().push(fields);
                            Outcome::Value(Value::Null)
                        }
                        other => panic!("unexpected effect {other:?}"),
                    };
                    (number, outcome)
                });
                let outcomes = outcomes.collect();
                progress = executor.resume(task, 0, outcomes);
            }
        }
    }
}

fn thrown(message: &str) -> Outcome {
    Outcome::Failed(PortError {
        port: "callback".to_owned(),
        code: "failed".to_owned(),
        message: message.to_owned(),
    })
}

fn add_filters(host: &Host, numbers: &[u32]) {
    let hooks = host.engine.hooks();
    let mut registry = hooks.borrow_mut();
    for number in numbers {
        add_to(
            &mut registry,
            Kind::Filter,
            "title",
            *number,
            "my/plugin",
            10.0,
        );
    }
}

#[test]
fn each_filter_in_a_task_gets_the_previous_filters_result() {
    let host = Host::new();
    add_filters(&host, &[1, 2]);
    let mut seen = Vec::new();
    let (value, _) = in_task(
        &host,
        |cx| async move {
            cx.apply_filters("title", json!("a"), &[json!("form")])
                .await
        },
        |number, arguments| {
            seen.push(arguments.clone());
            Ok(json!(format!(
                "{}{number}",
                arguments[0].as_str().unwrap_or_default()
            )))
        },
    );
    assert_eq!(value, json!("a12"));
    assert_eq!(
        seen,
        [
            vec![json!("a"), json!("form")],
            vec![json!("a1"), json!("form")]
        ]
    );
}

#[test]
fn a_callback_that_throws_in_a_task_is_logged_and_the_value_stays() {
    let host = Host::new();
    add_filters(&host, &[1, 2, 3]);
    let (value, logs) = in_task(
        &host,
        |cx| async move { cx.apply_filters("title", json!("a"), &[]).await },
        |number, arguments| match number {
            2 => Err("broken"),
            _ => Ok(json!(format!(
                "{}{number}",
                arguments[0].as_str().unwrap_or_default()
            ))),
        },
    );
    assert_eq!(value, json!("a13"));
    assert_eq!(logs.len(), 1);
    assert_eq!(logs[0]["namespace"], "my/plugin");
    assert_eq!(logs[0]["error"], "broken");
    assert!(!host.engine.hooks().borrow().doing(Kind::Filter, None));
}

#[test]
fn a_cancelled_task_ends_its_run_of_the_hook() {
    let host = Host::new();
    add_filters(&host, &[1]);
    let context = Context::new(Rc::clone(host.engine.shared()), host.now);
    let mut executor = Executor::default();
    let task_context = context.clone();
    let task = Box::pin(async move { task_context.apply_filters("title", json!("a"), &[]).await });
    let Progress::Waiting { task, .. } = executor.start(context, task) else {
        panic!("the filter must wait for an effect");
    };
    assert!(
        host.engine
            .hooks()
            .borrow()
            .doing(Kind::Filter, Some("title"))
    );
    executor.cancel(task);
    assert!(
        !host
            .engine
            .hooks()
            .borrow()
            .doing(Kind::Filter, Some("title"))
    );
}
