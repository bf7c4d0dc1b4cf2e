//! Events from browsers (contract, sections 6 and 8): `POST {front}/-/events`.
//!
//! The body is JSON with any content type, since `sendBeacon` sends text without a preflight:
//! `{"form_id", "events": [{"event_type", "field_name"?, "event_id"?}]}`. The response is always 204: a browser could
//! not act on an error, and an attacker learns nothing.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Deserialize;

use crate::analytics::gathered::Event;
use crate::analytics::{Gathered, Guard, Starts, address_hash, is_bot, is_mobile, visitor_hash};
use crate::dates;
use crate::forms;
use crate::http::{Request, Response};
use crate::store::{self, StoreError};
use crate::task::Context;
use model::{CAPABILITY, MAX_SAFE_INTEGER};

/// Limit on a body whose events are counted, in bytes.
const MAX_BODY_BYTES: usize = 16_384;

/// Limit on the events of one body, which is also a visitor's limit per minute.
const MAX_EVENTS: usize = 30;

/// Limit on the id of an event, in characters.
const MAX_ID_CHARS: usize = 64;

/// Lifetime of a form's cached fields, in milliseconds.
const FIELDS_CACHE_MS: i64 = 10_000;

/// Limit on the forms whose fields an instance caches.
const MAX_FORMS: usize = 256;

#[derive(Deserialize)]
struct Sent {
    form_id: i64,
    events: Vec<SentEvent>,
}

#[derive(Deserialize)]
struct SentEvent {
    event_type: String,
    #[serde(default)]
    field_name: Option<String>,
    #[serde(default)]
    event_id: String,
}

/// A cached form: its id, the time it was read, and its fields; `None` for an unknown form.
type EventForm = (i64, i64, Option<Rc<Vec<String>>>);

/// Counts the events of a browser.
pub async fn receive(cx: &Context, request: &mut Request) -> Response {
    let response = Response::empty(204);
    // Oversized and incomplete bodies are ignored.
    if request.read_body(cx).await.is_err() {
        return response;
    }
    match counted(cx, request).await {
        Ok(waits) => Response {
            flush_events: waits,
            ..response
        },
        Err(error) => Response {
            log: Some(format!("events were not counted: {error}")),
            ..response
        },
    }
}

/// Counts the events. Returns whether the host should call `flush_events`.
async fn counted(cx: &Context, request: &Request) -> Result<bool, StoreError> {
    let user_agent = request.header("user-agent").unwrap_or_default();
    let principal = request.principal.as_ref();
    let is_editor = principal.is_some_and(|principal| principal.can(CAPABILITY));
    if request.too_large || request.body.len() > MAX_BODY_BYTES || is_editor || is_bot(user_agent) {
        return Ok(false);
    }
    let Ok(sent) = crate::json::read::<Sent>(&request.body) else {
        return Ok(false);
    };
    let Some(fields) = fields_of(cx, sent.form_id).await? else {
        return Ok(false);
    };
    let now = cx.now();
    let day = dates::day_of(now);
    let key = store::visitor_key(cx, &day).await?;
    let address = request.address.as_deref().unwrap_or_default();
    let sender = address_hash(&key, address, user_agent);
    let visitor = visitor_hash(&key, address, user_agent);

    let guard = cx.state::<RefCell<Guard>>();
    let gathered = cx.state::<RefCell<Gathered>>();
    let starts = cx.state::<RefCell<Starts>>();
    let mut starts = starts.borrow_mut();
    let (mut guard, mut gathered) = (guard.borrow_mut(), gathered.borrow_mut());
    for sent_event in sent.events.iter().take(MAX_EVENTS) {
        let id = &sent_event.event_id;
        let known = event(sent_event, &fields, user_agent);
        let Some(event) = known.filter(|_| id.chars().count() <= MAX_ID_CHARS) else {
            continue;
        };
        if guard.admit(sent.form_id, sender, id, now) {
            if matches!(event, Event::Start { .. }) {
                starts.add(sent.form_id, visitor, &day);
            }
            gathered.add(sent.form_id, &day, event, visitor);
        }
    }
    Ok(!gathered.is_empty())
}

/// Parses an event. A field interaction must name one of the form's fields, and an abandonment may name one.
fn event<'e>(sent: &'e SentEvent, fields: &[String], user_agent: &str) -> Option<Event<'e>> {
    let name = sent.field_name.as_deref();
    let field = name.and_then(|name| field_of(name, fields));
    match sent.event_type.as_str() {
        "view" => Some(Event::View),
        "start" => Some(Event::Start {
            mobile: is_mobile(user_agent),
        }),
        "field_interaction" => field.map(Event::FieldInteraction),
        "abandon" => Some(Event::Abandon(field)),
        _ => None,
    }
}

/// The field of a control, by the control's name or the part before its last bracket, as in `topics[]` and
/// `name[first]`.
fn field_of<'e>(control: &'e str, fields: &[String]) -> Option<&'e str> {
    let whole = control.rfind('[').and_then(|at| control.get(..at));
    let mut names = [Some(control), whole].into_iter().flatten();
    names.find(|name| fields.iter().any(|field| field == name))
}

/// The cached names of a form's answer fields.
async fn fields_of(cx: &Context, form_id: i64) -> Result<Option<Rc<Vec<String>>>, StoreError> {
    let cache = cx.state::<RefCell<Vec<EventForm>>>();
    let is_fresh = |(id, read, _): &&EventForm| *id == form_id && cx.now() - read < FIELDS_CACHE_MS;
    if let Some((.., fields)) = cache.borrow().iter().find(is_fresh) {
        return Ok(fields.clone());
    }
    let form = forms::load(cx, form_id.clamp(0, MAX_SAFE_INTEGER)).await?;
    let schema = form.map(|form| forms::effective_schema(cx, &form));
    let fields = schema.transpose()?.map(|schema| {
        let names = schema.answer_fields().map(|field| field.name.clone());
        Rc::new(names.collect())
    });
    let mut forms = cache.borrow_mut();
    forms.retain(|(id, ..)| *id != form_id);
    if forms.len() >= MAX_FORMS {
        forms.clear();
    }
    forms.push((form_id, cx.now(), fields.clone()));
    Ok(fields)
}
