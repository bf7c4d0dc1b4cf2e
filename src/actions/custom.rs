//! Action types of other plugins: their process step is a callback of the hook
//! `cf_process_form_action_{type}`, called with the settings, the submission and the form
//! (specification, "Custom action contract").

use serde_json::Value;

use super::contract::{Report, Work};
use crate::hooks::Kind;

fn hook(work: &Work) -> String {
    format!("cf_process_form_action_{}", work.action_type)
}

fn arguments(work: &Work) -> [Value; 3] {
    let mut settings = work.settings.clone();
    settings.insert("idempotency_key".to_owned(), json!(work.idempotency_key));
    work.hook_arguments(settings)
}

/// Runs the callbacks of the type. A callback that returns false means that the action is not configured; a throw is a
/// failure; anything else is a success.
pub(super) async fn process(work: &Work) -> Report {
    let answers = work.cx.collect_action(&hook(work), &arguments(work)).await;
    if answers.is_empty() {
        let message = format!(
            "No plugin on this site handles “{}” actions.",
            work.action_type
        );
        return Report::failed(message);
    }
    let mut done = false;
    for answer in answers {
        match answer {
            Ok(Value::Bool(false)) => {}
            Ok(_) => done = true,
            Err(fault) => {
                work.cx.log_fault(&hook(work), &fault).await;
                return Report::of_fault(fault.error);
            }
        }
    }
    if done {
        Report::done("Done.")
    } else {
        Report::skipped("Not set up yet.")
    }
}

/// Notifies the callbacks that plugins added to a built-in type. Their results and errors are ignored, since a retry
/// would repeat the built-in work.
pub(super) async fn notify(work: &Work) {
    let hook = hook(work);
    if work.cx.has_callbacks(Kind::Action, &hook) {
        work.cx.do_action(&hook, &arguments(work)).await;
    }
}
