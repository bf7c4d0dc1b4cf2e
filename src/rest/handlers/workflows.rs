//! The routes of workflows (specification, "Workflows"; contract, section 7).

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::action_types;
use crate::action_types::secrets::{OpenedSettings, SecretCipher, mask};
use crate::actions::{self, Prepared, Report, Verdict, Work};
use crate::error::{Error, Missing};
use crate::forms::settings::Action;
use crate::forms::{self, Form, FormSchema, entry_of};
use crate::http::Response;
use crate::json;
use crate::ordered::Gather;
use crate::rest::paging::{self, ListPart};
use crate::rest::{Arguments, Call};
use crate::store::logs::{self, Count, LogRow};
use crate::store::pages::{OrderBy, RunFilter};
use crate::store::queue::{self, ListedEntry, NewEntry, Transition};
use crate::submissions::{Data, Labels, Submission};

/// The value of `settings` with which a retry uses the current settings of the form's action.
pub const CURRENT: &str = "current";

/// Limit on the failures in the response.
const MAX_FAILURES: i64 = 20;

/// The states of a queue entry.
pub const STATES: [&str; 6] = [
    "pending",
    "processing",
    "completed",
    "retrying",
    "failed",
    "cancelled",
];

/// Reads the filter that the lists of logs and of queue entries share.
fn filter(arguments: &Arguments) -> RunFilter {
    let dismissed = arguments.value("dismissed").and_then(Value::as_bool);
    let status = arguments.text("status");
    RunFilter {
        form_id: arguments.integer("form_id"),
        submission_id: arguments.integer("submission_id"),
        // Only failed entries can be dismissed.
        status: status.or(dismissed.map(|_| "failed")).map(str::to_owned),
        range: paging::range(arguments),
        hides_trash: true,
        dismissed,
    }
}

/// `GET /cf/v1/action-logs`.
pub async fn list_logs(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let part = ListPart::read(&call, "/action-logs", OrderBy::Time)?;
    let filter = filter(arguments);
    let found = logs::list(&call.cx, &filter, &part.wanted).await?;
    let place = |log: &LogRow| (log.created_at, log.id);
    part.respond(&call, &found, place, &found.rows)
}

/// `GET /cf/v1/action-logs/stats`.
pub async fn log_stats(call: Call) -> Result<Response, Error> {
    let (all, recent) = logs::counts(&call.cx, call.arguments.integer("form_id")).await?;
    // Sort here, since databases differ in the order of texts.
    let types: BTreeSet<&str> = all.iter().map(|count| count.action_type.as_str()).gather();
    let by_action = types.iter().map(|action_type| {
        let counts = all.iter().filter(|count| count.action_type == *action_type);
        json::with(
            sums(&counts.collect::<Vec<_>>()),
            json!({"action_type": action_type}),
        )
    });
    let by_action: Vec<Value> = by_action.collect();
    let recent = sums(&Vec::from_iter(&recent));
    let parts = json!({"by_action": by_action, "last_24h": recent});
    let stats = json::with(sums(&Vec::from_iter(&all)), parts);
    Ok(Response::json(200, &stats))
}

/// Sums counts as `{total, success, failed, skipped, success_rate}`. The rate is in percent of the runs that were not
/// skipped.
fn sums(counts: &[&Count]) -> Value {
    let of = |status: &str| -> i64 {
        let matching = counts.iter().filter(|count| count.status == status);
        matching.map(|count| count.count).sum()
    };
    let (success, failed, skipped) = (of("success"), of("failed"), of("skipped"));
    let tried = success + failed;
    let rate = if tried > 0 {
        (success as f64 * 1000.0 / tried as f64).round() / 10.0
    } else {
        0.0
    };
    json!({
        "total": tried + skipped,
        "success": success,
        "failed": failed,
        "skipped": skipped,
        "success_rate": rate,
    })
}

/// `GET /cf/v1/action-logs/failures`.
pub async fn list_failures(call: Call) -> Result<Response, Error> {
    let failures = logs::failures(&call.cx, MAX_FAILURES).await?;
    let shown = failures.iter().map(|failure| {
        let due_at = failure.queue_due_at.map(crate::dates::format_moment);
        let more = json!({
            "form_title": failure.form_title, "queue_status": failure.queue_status, "queue_due_at": due_at,
        });
        json::with(json!(failure.log), more)
    });
    Ok(Response::json(200, &shown.collect::<Vec<_>>()))
}

/// `GET /cf/v1/action-queue`.
pub async fn list_queue(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let part = ListPart::read(&call, "/action-queue", OrderBy::Time)?;
    let filter = filter(arguments);
    let found = queue::list(&call.cx, &filter, &part.wanted).await?;
    let rows: Vec<Value> = found.rows.iter().map(shown_listed).collect();
    let place = |listed: &ListedEntry| (listed.entry.created_at, listed.entry.id);
    part.respond(&call, &found, place, &rows)
}

fn shown_listed(listed: &ListedEntry) -> Value {
    let mut parts = listed.last_run.iter().flat_map(|run| run.splitn(3, ' '));
    let run = parts.next().map(|status| {
        let (detail, message) = (parts.next(), parts.next());
        json!({"status": status, "detail": detail.unwrap_or_default(), "message": message.unwrap_or_default()})
    });
    json::with(
        crate::jobs::queue::shown(&listed.entry),
        json!({"last_run": run}),
    )
}

/// `GET /cf/v1/action-queue/stats`.
pub async fn queue_stats(call: Call) -> Result<Response, Error> {
    let counts = queue::counts(&call.cx).await?;
    let mut stats = Map::new();
    for state in STATES {
        let count = counts.by_status.get(state).copied().unwrap_or(0);
        stats.insert(state.to_owned(), json!(count));
    }
    let due = counts.oldest_pending.unwrap_or(call.cx.now());
    let oldest = (call.cx.now() - due).max(0) / 1000;
    stats.insert("oldest_pending_seconds".to_owned(), json!(oldest));
    stats.insert("needs_attention".to_owned(), json!(counts.needs_attention));
    Ok(Response::json(200, &stats))
}

/// `POST /cf/v1/action-queue/{id}/retry`: retries with the queued settings or, with `settings=current`, with the
/// current settings of the form's action.
pub async fn retry_entry(call: Call) -> Result<Response, Error> {
    let id = call.arguments.id("id");
    let action = match call.arguments.text("settings") {
        Some(CURRENT) => Some(current_action(&call, id).await?),
        _ => None,
    };
    let moved = queue::retry(&call.cx, id, action.as_ref()).await?;
    let mut response = moved_entry(moved, Error::RetryFailed)?;
    response.run_queue = true;
    Ok(response)
}

/// Builds a queue entry for the action of a failed entry, from the form's current settings.
async fn current_action(call: &Call, id: i64) -> Result<NewEntry, Error> {
    let entry = queue::find(&call.cx, id).await?;
    let entry = entry.ok_or(Error::NotFound(Missing::QueueEntry))?;
    if entry.status != "failed" {
        return Err(Error::RetryFailed);
    }
    let form = forms::load(&call.cx, entry.form_id).await?;
    let settings = form.ok_or(Error::ActionGone)?.settings();
    let is_same_action = |(index, action): &(i64, &Action)| match entry.action_id.as_str() {
        "" => *index == entry.action_index && action.kind == entry.action_type,
        id => action.id == id,
    };
    let action = (0i64..).zip(&settings.actions).find(is_same_action);
    let (index, action) = action.ok_or(Error::ActionGone)?;
    Ok(entry_of(action, index)?)
}

/// `POST /cf/v1/action-queue/{id}/cancel`.
pub async fn cancel_entry(call: Call) -> Result<Response, Error> {
    let moved = queue::cancel(&call.cx, call.arguments.id("id")).await?;
    moved_entry(moved, Error::CancelFailed)
}

/// `POST /cf/v1/action-queue/{id}/dismiss`: marks a failed entry as seen, so that it needs no attention.
pub async fn dismiss_entry(call: Call) -> Result<Response, Error> {
    let moved = queue::dismiss(&call.cx, call.arguments.id("id")).await?;
    moved_entry(moved, Error::DismissFailed)
}

fn moved_entry(moved: Transition, error: Error) -> Result<Response, Error> {
    match moved {
        Transition::Done(entry) => Ok(Response::json(200, &crate::jobs::queue::shown(&entry))),
        Transition::NotAllowed => Err(error),
        Transition::Missing => Err(Error::NotFound(Missing::QueueEntry)),
    }
}

/// `GET /cf/v1/actions`.
pub async fn list_actions(call: Call) -> Result<Response, Error> {
    let types = action_types::all_types(&call.cx).await;
    let described = action_types::described_types(&call.cx).await;
    let shown = types.into_iter().map(|(kind, label)| {
        let of_plugin = || described.iter().find(|found| found.kind == kind);
        let action_type = action_types::built_in(&kind).or_else(of_plugin);
        let settings = action_type.map_or(&[][..], |action_type| &action_type.settings);
        json!({"type": kind, "label": label, "settings": settings})
    });
    Ok(Response::json(200, &shown.collect::<Vec<_>>()))
}

/// `GET /cf/v1/editor`: the field types and panels that plugins add to the form editor. Filter results that are not
/// lists are ignored.
pub async fn editor_parts(call: Call) -> Result<Response, Error> {
    let list = async |hook: &str| match call.cx.apply_filters(hook, json!([]), &[]).await {
        Value::Array(parts) => parts,
        _ => Vec::new(),
    };
    let field_types = list("cf_editor_field_types").await;
    let panels = list("cf_editor_panels").await;
    let parts = json!({"field_types": field_types, "panels": panels});
    Ok(Response::json(200, &parts))
}

/// `GET /cf/v1/actions/{type}/settings`.
pub async fn action_settings(call: Call) -> Result<Response, Error> {
    let kind = call.arguments.text("type").unwrap_or_default();
    known_type(&call, kind).await?;
    let index = call.arguments.integer("index").unwrap_or(0);
    let current = match call.arguments.integer("form_id") {
        Some(form_id) => configured(&forms::load_existing(&call.cx, form_id).await?, kind, index),
        None => Map::new(),
    };
    let html = action_types::settings_html(&call.cx, kind, &current, index).await;
    let body = json!({"type": kind, "index": index, "settings": current, "html": html});
    Ok(Response::json(200, &body))
}

/// The masked settings of a form's action at an index; empty if the action has another type.
fn configured(form: &Form, kind: &str, index: i64) -> Map<String, Value> {
    let actions = form.settings().actions;
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let action = actions.into_iter().nth(index);
    let action = action.filter(|action| action.kind == kind);
    let mut settings = action.map(|action| action.settings).unwrap_or_default();
    mask(&mut settings);
    settings
}

/// `POST /cf/v1/actions/test`: runs the action with its real effects, and stores nothing.
pub async fn test_action(call: Call) -> Result<Response, Error> {
    let (report, duration_ms) = match sample_work(&call).await? {
        Prepared::Ready(work) => {
            let started = call.cx.now();
            (actions::perform(&work).await, call.cx.now() - started)
        }
        Prepared::Impossible(report) => (report, 0),
    };
    Ok(Response::json(200, &shown_report(&report, duration_ms)))
}

/// `POST /cf/v1/actions/compose`: composes an action's mail without sending it. This is a separate route, since an
/// older engine would ignore a new parameter of the test route and send the mail.
pub async fn compose_mail(call: Call) -> Result<Response, Error> {
    let report = match sample_work(&call).await? {
        Prepared::Ready(work) => {
            let report = actions::compose(&work).await;
            report.ok_or(Error::UnknownActionType)?
        }
        Prepared::Impossible(report) => report,
    };
    Ok(Response::json(200, &shown_report(&report, 0)))
}

/// Prepares the run of an action with the call's settings and test data. `Prepared::Impossible` if a secret cannot be
/// decrypted.
async fn sample_work(call: &Call) -> Result<Prepared, Error> {
    let arguments = &call.arguments;
    let kind = arguments.text("action_type").unwrap_or_default();
    known_type(call, kind).await?;
    let mut form = match arguments.integer("form_id") {
        Some(form_id) => forms::load_existing(&call.cx, form_id).await?,
        None => Form {
            title: "Test form".to_owned(),
            slug: "test-form".to_owned(),
            ..Form::default()
        },
    };
    let sent = arguments.object("settings").cloned().unwrap_or_default();
    let cipher = SecretCipher::of(&call.cx).await?;
    let settings = match cipher.open_test(kind, sent, &form.settings)? {
        OpenedSettings::Clear(settings) => settings,
        OpenedSettings::Unreadable(key) => {
            return Ok(Prepared::Impossible(Report::unreadable(&key)));
        }
    };
    let schema = match arguments.value("schema") {
        Some(schema) => crate::json::of(schema)?,
        None => forms::effective_schema(&call.cx, &form)?,
    };
    let data = arguments.object("test_data").cloned().unwrap_or_default();
    forms::language::fill_in_form_language(&call.cx, &mut form);
    Ok(Prepared::Ready(Box::new(Work {
        cx: call.cx.clone(),
        action_type: kind.to_owned(),
        settings,
        submission: sample_submission(call, &form, &schema),
        schema: forms::schema_with_answers(&form, &schema, &data),
        data,
        form: Rc::new(form),
        idempotency_key: crate::security::random::uuid()?,
        file_links: OnceCell::new(),
    })))
}

fn shown_report(report: &Report, duration_ms: i64) -> Value {
    let status = match report.verdict {
        Verdict::Done => "success",
        Verdict::Skipped => "skipped",
        Verdict::Failed(_) => "failed",
    };
    json!({
        "success": report.verdict == Verdict::Done,
        "status": status,
        "message": report.message,
        "detail": report.detail(),
        "duration_ms": duration_ms,
        "output": report.output,
    })
}

/// A submission with the test data as its answers.
fn sample_submission(call: &Call, form: &Form, schema: &FormSchema) -> Submission {
    let data = call.arguments.object("test_data").into_iter().flatten();
    let data = data.map(|(name, value)| (name.clone(), value.clone()));
    let data = Data(data.collect());
    Submission {
        form_id: form.id,
        status: crate::submissions::NEW.to_owned(),
        labels: Labels::of(schema, &data),
        data,
        submitted_at: call.cx.now(),
        modified_at: call.cx.now(),
        schema_revision: form.revision,
        ..Submission::default()
    }
}

async fn known_type(call: &Call, kind: &str) -> Result<(), Error> {
    let known = action_types::all_types(&call.cx).await;
    if known.iter().any(|(name, _)| name == kind) {
        Ok(())
    } else {
        Err(Error::UnknownActionType)
    }
}
