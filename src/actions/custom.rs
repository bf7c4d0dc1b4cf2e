//! Action types of other plugins: their process step is a callback of the hook
//! `cf_process_form_action_{type}`, called with the settings, the submission and the form
//! (specification, "Custom action contract"). Described settings are checked and filled in before.

use serde_json::{Map, Value};

use super::contract::{Report, Work};
use super::not_set_up;
use crate::action_types::{ActionType, SettingInput, described_types};
use crate::hooks::Kind;
use crate::json::text_of;
use crate::logic::template::Context as Place;

fn hook(work: &Work) -> String {
    format!("cf_process_form_action_{}", work.action_type)
}

fn arguments(work: &Work, mut settings: Map<String, Value>) -> [Value; 3] {
    settings.insert("idempotency_key".to_owned(), json!(work.idempotency_key));
    work.hook_arguments(settings)
}

/// The settings for the callbacks. A described setting becomes a text: the default if it is empty, with the
/// submission's answers instead of template variables. An empty checkbox is off, so its default applies only if the
/// action lacks the setting.
fn filled(work: &Work, described: &ActionType) -> Map<String, Value> {
    let mut settings = work.settings.clone();
    for setting in &described.settings {
        let mut text = match settings.get(&setting.key) {
            Some(Value::Bool(is_on)) => if *is_on { "1" } else { "" }.to_owned(),
            value => value.map(text_of).unwrap_or_default(),
        };
        let is_off = setting.input == SettingInput::Checkbox
            && settings
                .get(&setting.key)
                .is_some_and(|value| !value.is_null());
        if text.is_empty() && !is_off {
            text.clone_from(&setting.default);
        }
        if setting.is_template() {
            text = work.render(&text, Place::Text);
        }
        settings.insert(setting.key.clone(), text.into());
    }
    settings
}

/// Runs the callbacks of the type, unless a required setting is empty. A callback that returns false skips the
/// action; a throw is a failure; anything else is a success.
pub(super) async fn process(work: &Work) -> Report {
    let mut described = described_types(&work.cx).await.into_iter();
    let described = described.find(|found| found.kind == work.action_type);
    let settings = match described {
        Some(described) => {
            if let Some(report) = not_set_up(&described, &work.settings) {
                return report;
            }
            filled(work, &described)
        }
        None => work.settings.clone(),
    };
    let arguments = arguments(work, settings);
    let results = work.cx.collect_action(&hook(work), &arguments).await;
    if results.is_empty() {
        let message = format!(
            "No plugin on this site handles “{}” actions.",
            work.action_type
        );
        return Report::failed(message);
    }
    let mut done = false;
    for result in results {
        match result {
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
        Report::skipped("The plugin skipped this action.")
    }
}

/// Notifies the callbacks that plugins added to a built-in type. Their errors are logged but do not fail the run, since
/// a retry would repeat the built-in work.
pub(super) async fn notify(work: &Work) {
    let hook = hook(work);
    if work.cx.has_callbacks(Kind::Action, &hook) {
        let arguments = arguments(work, work.settings.clone());
        work.cx.do_action(&hook, &arguments).await;
    }
}
