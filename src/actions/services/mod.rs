//! Services: action types whose HTTP requests a JSON definition describes. Each definition is one file of
//! `src/action_types/services`; a new service needs no code (`docs/actions.md`).

mod fill;

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::contract::{Report, Retry, Verdict, Work, comma_list};
use super::http::{Exchange, Request, USER_AGENT, exchange, form_body};
use crate::action_types::{ActionType, Step, Success};
use crate::json::text_of;
use crate::ordered::Gather;
use fill::{Place, Values};

/// Limit on the retry delay that a response's body may request: a day.
const MAX_WAIT_MS: i32 = 86_400_000;

/// Calls the service.
pub(super) async fn process(service: &ActionType, work: &Work) -> Report {
    let mut values = Values::read(work, &service.settings, service.escape);
    let mut last = Report::skipped("There is nothing to send.");
    for step in &service.steps {
        if !step.is_wanted(&values) {
            continue;
        }
        if let Some(missing) = step.needs.iter().find(|key| values.get(key).is_empty()) {
            return Report::skipped(format!("{missing} is empty."));
        }
        let items = match &step.each {
            Some(key) => comma_list(values.get(key)),
            None => vec![String::new()],
        };
        for item in items {
            values.set("item", item);
            last = run(step, work, &mut values).await;
            if last.verdict != Verdict::Done {
                return last;
            }
        }
    }
    last
}

async fn run(step: &Step, work: &Work, values: &mut Values<'_>) -> Report {
    let received = match exchange(work, step.request(values)).await {
        Ok(received) => received,
        Err(report) => return report,
    };
    let body = received.json();
    if !step.success.holds(&received, &body) {
        return step.refused(work, &received, &body);
    }
    for (name, pointer) in &step.save {
        match body.pointer(pointer) {
            Some(value) => values.set(name, text_of(value)),
            None => {
                let message = format!("The receiver's response has no {name}.");
                return Report::permanent_failure(message).showing(received.shown);
            }
        }
    }
    received.accepted()
}

impl Step {
    fn is_wanted(&self, values: &Values<'_>) -> bool {
        let is_empty = |key: &String| values.get(key).is_empty();
        !self.when.as_ref().is_some_and(is_empty) && self.unless.as_ref().is_none_or(is_empty)
    }

    fn request(&self, values: &Values<'_>) -> Request {
        let mut headers: BTreeMap<String, String> = self
            .headers
            .iter()
            .map(|(name, template)| (name.clone(), values.fill(template, Place::Header)))
            .gather();
        if let Some((user, password)) = &self.basic {
            let login = [user, password].map(|template| values.fill(template, Place::Text));
            let login = BASE64_STANDARD.encode(login.join(":"));
            headers.insert("authorization".to_owned(), format!("Basic {login}"));
        }
        headers.insert("user-agent".to_owned(), USER_AGENT.to_owned());
        headers
            .entry("accept".to_owned())
            .or_insert_with(|| "application/json".to_owned());
        let mut body = Vec::new();
        let mut content_type = |kind: &str| {
            headers.insert("content-type".to_owned(), kind.to_owned());
        };
        if let Some(json) = &self.json {
            content_type("application/json");
            body = values.fill_json(json).to_string().into_bytes();
        } else if let Some(form) = &self.form {
            content_type("application/x-www-form-urlencoded");
            body = form_body(&values.fill_json(form));
        }
        Request {
            method: self.method.clone(),
            url: values.fill(&self.url, Place::Url),
            headers,
            body,
        }
    }

    fn refused(&self, work: &Work, received: &Exchange, body: &Value) -> Report {
        let value_at = |pointer: &Option<String>| body.pointer(pointer.as_ref()?);
        let reason = value_at(&self.reason).map(text_of);
        let reason = reason.filter(|reason| !reason.is_empty());
        let mut report = received.refused(work.cx.now(), reason);
        if let Some(seconds) = value_at(&self.retry_after).and_then(Value::as_f64) {
            let milliseconds = (seconds * 1000.0).clamp(0.0, f64::from(MAX_WAIT_MS));
            report.verdict = Verdict::Failed(Retry::After(milliseconds as i64));
        }
        report
    }
}

impl Success {
    fn holds(&self, received: &Exchange, body: &Value) -> bool {
        let status = received.response.status;
        let expected = match self.status.as_slice() {
            [] => (200..300).contains(&status),
            statuses => statuses.contains(&status),
        };
        let equals = |(pointer, value): (&String, &Value)| body.pointer(pointer) == Some(value);
        expected && self.equals.iter().all(equals)
    }
}
