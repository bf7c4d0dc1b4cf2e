//! Actions: mails, requests and callbacks that run after a submission.
//!
//! The settings of the action types are data (`src/action_types`). Rust code runs the built-in types; callbacks of
//! plugins run the others, by the hook `cf_process_form_action_{type}`.

mod autoresponder;
mod contract;
mod custom;
mod default_mail;
mod email;
mod hide;
mod html_text;
mod http;
mod mailbox;
mod resume_link;
mod services;
mod webhook;

pub(crate) use contract::{Prepared, Report, Retry, Verdict, Work};
pub(crate) use http::USER_AGENT;
pub use resume_link::{MAIL as RESUME_MAIL, RESUME_LINK};

use serde_json::{Map, Value};

use crate::action_types::{ActionType, built_in};
use crate::forms::check::parse_conditions;
use crate::json;
use crate::logic::conditions::hold_for_data;

/// Runs an action. Never fails: errors are in the report, which contains no secrets.
pub async fn perform(work: &Work) -> Report {
    hide::hide(&work.action_type, &work.settings, run(work).await)
}

/// Composes an action's mail without sending it and without checking the action's conditions. The report shows the
/// mail, or its message says why there is none. `None` for a type that sends no mails.
pub async fn compose(work: &Work) -> Option<Report> {
    let mail = match work.action_type.as_str() {
        "email" => match email::compose(work) {
            Ok((mut mail, _)) => {
                default_mail::frame(work, &mut mail).await;
                Ok(mail)
            }
            Err(report) => Err(report),
        },
        "autoresponder" => autoresponder::compose(work).map(|(_, mail, _)| mail),
        _ => return None,
    };
    let report = mail.map(|mail| Report::done("").showing(json::value(&mail)));
    Some(report.unwrap_or_else(|report| report))
}

async fn run(work: &Work) -> Report {
    if work.action_type == RESUME_LINK {
        return resume_link::process(work).await;
    }
    match conditions_hold(work) {
        Ok(true) => {}
        Ok(false) => return Report::skipped("The conditions were not met."),
        Err(reason) => {
            return Report::permanent_failure(format!("The conditions are invalid: {reason}"));
        }
    }
    let Some(built_in) = built_in(&work.action_type) else {
        return custom::process(work).await;
    };
    let report = match not_set_up(built_in, &work.settings) {
        Some(report) => report,
        None => match built_in.kind.as_str() {
            "email" => email::process(work).await,
            "autoresponder" => autoresponder::process(work).await,
            "webhook" => webhook::process(work).await,
            _ => services::process(built_in, work).await,
        },
    };
    custom::notify(work).await;
    report
}

/// Reports the required settings that are empty; `None` if there are none.
fn not_set_up(action_type: &ActionType, settings: &Map<String, Value>) -> Option<Report> {
    let missing = action_type.missing_settings(settings).into_iter();
    let labels: Vec<&str> = missing.map(|setting| setting.label.as_str()).collect();
    let labels = Some(labels.join(", ")).filter(|labels| !labels.is_empty())?;
    let message = format!("Not set up yet: {labels} is empty.");
    Some(Report::skipped(message))
}

/// Whether the action's conditions hold for the submission's data; `Err` with the faults of invalid conditions.
fn conditions_hold(work: &Work) -> Result<bool, String> {
    let conditions = work.settings.get("conditions");
    let Some(conditions) = conditions.filter(|conditions| !conditions.is_null()) else {
        return Ok(true);
    };
    let conditions = parse_conditions(conditions).map_err(|faults| {
        let texts = faults.iter();
        let texts = texts.map(|fault| format!("{}: {}", fault.path, fault.message));
        texts.collect::<Vec<_>>().join(" ")
    })?;
    Ok(hold_for_data(&conditions, &work.schema, &work.data))
}
