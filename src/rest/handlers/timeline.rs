//! The timeline of a submission, and notes on the submission (contract, section 9).

use serde_json::Value;

use super::submissions::read;
use crate::action_types;
use crate::dates::format_moment;
use crate::error::{Error, Missing};
use crate::forms;
use crate::http::Response;
use crate::json;
use crate::ordered;
use crate::rest::Call;
use crate::store::timeline::{self, Event};

/// `GET /cf/v1/submissions/{id}/timeline`: the stored events and action logs, the oldest first.
pub async fn get(call: Call) -> Result<Response, Error> {
    let stored = read(&call.cx, call.arguments.id("id")).await?;
    let submission = stored.submission;
    let (events, logs) = timeline::read(&call.cx, submission.id).await?;
    let received = json!({"kind": "received", "user": null});
    let mut line = vec![(submission.submitted_at, received)];
    line.extend(events.iter().map(|event| (event.at, shown(event))));
    // Include the actions' names and labels, since a caller who may only read submissions cannot read forms or action
    // types.
    let form = forms::load(&call.cx, submission.form_id).await?;
    let named = form.map_or_else(Vec::new, |form| form.settings().actions.clone());
    let nameless = json!("");
    let types = action_types::all_types(&call.cx).await;
    line.extend(logs.iter().map(|log| {
        let action = named.iter().find(|action| !action.id.is_empty() && action.id == log.action_id);
        let label = types.iter().find(|(kind, _)| *kind == log.action_type);
        let action = json!({
            "kind": "action", "user": null, "action_type": log.action_type, "action_id": log.action_id, "queue_id": log.queue_id,
            "action_name": action.and_then(|action| action.settings.get("action_name")).unwrap_or(&nameless), "action_label": label.map_or(&log.action_type, |(_, label)| label),
            "status": log.status, "message": log.message, "detail": log.detail, "attempt": log.attempt,
        });
        (log.created_at, action)
    }));
    // The sort is stable: entries of the same moment keep their order.
    ordered::sort_by(&mut line, |(one, _), (other, _)| one.cmp(other));
    let line = line.into_iter().map(|(at, entry)| dated(at, entry));
    Ok(Response::json(200, &line.collect::<Vec<_>>()))
}

/// `POST /cf/v1/submissions/{id}/notes`: adds a note, and responds with its timeline entry.
pub async fn add_note(call: Call) -> Result<Response, Error> {
    let text = call.arguments.text("text").unwrap_or_default().trim();
    let note = Event {
        kind: "note".to_owned(),
        user: call.principal.login.clone(),
        detail: json!({"text": text}),
        at: call.cx.now(),
    };
    let id = call.arguments.id("id");
    if !timeline::add_to(&call.cx, id, &note).await? {
        return Err(Error::NotFound(Missing::Submission));
    }
    let location = call.address(&format!("/submissions/{id}/timeline"));
    Ok(Response::json(201, &shown_event(&note)).with_header("location", location))
}

/// An event as a timeline entry.
pub(super) fn shown_event(event: &Event) -> Value {
    dated(event.at, shown(event))
}

fn shown(event: &Event) -> Value {
    let shown = json!({"kind": event.kind, "user": event.user});
    json::with(shown, event.detail.clone())
}

fn dated(at: i64, entry: Value) -> Value {
    json::with(entry, json!({"at": format_moment(at)}))
}
