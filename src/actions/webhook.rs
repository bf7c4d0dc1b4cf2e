//! The webhook action. Requests follow Standard Webhooks 1.0 (standardwebhooks.com): receivers recognize repeats by
//! `webhook-id` and verify `webhook-signature`.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use hmac::{Hmac, Mac};
use serde_json::{Map, Value};
use sha2::Sha256;

use super::contract::{Report, Work, comma_list};
use super::http::{Request, USER_AGENT, exchange, form_body, further_headers};
use crate::dates::format_moment;
use crate::hooks::Kind;
use crate::json;
use crate::logic::template::Context as Place;

/// The filter that may change a request before it is signed and sent.
const REQUEST_FILTER: &str = "cf_webhook_request";

/// Calls the webhook.
pub(super) async fn process(work: &Work) -> Report {
    let (request, left_out) = compose(work);
    let request = signed(work, filtered(work, request).await);
    let mut report = match exchange(work, request).await {
        Ok(received) if (200..300).contains(&received.response.status) => received.accepted(),
        Ok(received) => received.refused(work.cx.now(), None),
        Err(report) => report,
    };
    for line in left_out {
        report.message.push(' ');
        report.message.push_str(&line);
    }
    report
}

fn compose(work: &Work) -> (Request, Vec<String>) {
    let (mut headers, left_out) = further_headers(work, work.setting("headers", ""));
    let fields = chosen_fields(work);
    let (content_type, body) = match work.setting("format", "json") {
        "form" => (
            "application/x-www-form-urlencoded",
            form_body(&fields.into()),
        ),
        _ => (
            "application/json",
            payload(work, fields).to_string().into_bytes(),
        ),
    };
    headers.insert("content-type".to_owned(), content_type.to_owned());
    headers
        .entry("user-agent".to_owned())
        .or_insert_with(|| USER_AGENT.to_owned());
    let method = match work.setting("method", "POST") {
        method @ ("PUT" | "PATCH") => method,
        _ => "POST",
    };
    let request = Request {
        method: method.to_owned(),
        url: work.render(work.setting("url", ""), Place::Url),
        headers,
        body,
    };
    (request, left_out)
}

/// The answers to send: those of the fields that the setting `fields` names, or all.
fn chosen_fields(work: &Work) -> Map<String, Value> {
    let names = comma_list(work.setting("fields", ""));
    let mut fields = work.data.clone();
    fields.retain(|name, _| names.is_empty() || names.contains(name));
    fields
}

/// The event in the shape of Standard Webhooks: `type`, `timestamp` and `data`.
pub(super) fn payload(work: &Work, fields: Map<String, Value>) -> Value {
    let submission = &work.submission;
    let mut labels = submission.labels.clone();
    labels.0.retain(|(name, _)| fields.contains_key(name));
    let labels = json::value(&labels);
    json!({
        "type": "submission.created",
        "timestamp": format_moment(submission.submitted_at),
        "data": {
            "form": {"id": work.form.id, "title": work.form.title, "slug": work.form.slug},
            "submission": {
                "id": submission.id,
                "submitted_at": format_moment(submission.submitted_at),
                "ip_address": submission.ip_address,
                "user_agent": submission.user_agent,
                "referer_url": submission.referer_url,
                "page_url": submission.page_url,
            },
            "fields": fields,
            "labels": labels,
        },
    })
}

/// Runs the filter `cf_webhook_request(request, settings, submission, form)`, with the request as
/// `{method, url, headers, body}`. Members of a wrong type are ignored.
async fn filtered(work: &Work, request: Request) -> Request {
    if !work.cx.has_callbacks(Kind::Filter, REQUEST_FILTER) {
        return request;
    }
    let arguments = work.hook_arguments(work.settings.clone());
    let changed = work
        .cx
        .apply_filters(REQUEST_FILTER, request.shown(), &arguments)
        .await;
    let text = |name: &str| changed.get(name).and_then(Value::as_str).map(str::to_owned);
    Request {
        method: text("method").unwrap_or(request.method),
        url: text("url").unwrap_or(request.url),
        headers: changed
            .get("headers")
            .and_then(|headers| json::of(headers).ok())
            .unwrap_or(request.headers),
        body: text("body").map_or(request.body, String::into_bytes),
    }
}

/// Adds the id, the time and, for each secret, a signature to a request.
fn signed(work: &Work, mut request: Request) -> Request {
    let id = format!("msg_{}", work.idempotency_key);
    let timestamp = work.cx.now() / 1000;
    let signatures: Vec<String> = work
        .setting("secret", "")
        .split_whitespace()
        .filter_map(|secret| sign(secret, &id, timestamp, &request.body))
        .collect();
    request.headers.insert("webhook-id".to_owned(), id);
    let mut add = |name: &str, value| drop(request.headers.insert(name.to_owned(), value));
    add("webhook-timestamp", timestamp.to_string());
    if !signatures.is_empty() {
        add("webhook-signature", signatures.join(" "));
    }
    request
}

/// The signature: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. A secret with the prefix `whsec_` is
/// decoded first; `None` if that fails.
fn sign(secret: &str, id: &str, timestamp: i64, body: &[u8]) -> Option<String> {
    let key = match secret.strip_prefix("whsec_") {
        Some(encoded) => BASE64_STANDARD
            .decode(encoded)
            .or_else(|_| BASE64_STANDARD_NO_PAD.decode(encoded))
            .ok()?,
        None => secret.as_bytes().to_vec(),
    };
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    let signature = BASE64_STANDARD.encode(mac.finalize().into_bytes());
    Some(format!("v1,{signature}"))
}
