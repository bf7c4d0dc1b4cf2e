//! Invariants of frames: the engine reads any bytes from the host as a request or outcomes, or returns an error. After
//! any outcomes a task ends or waits, and nothing traps.

use cf_forms::engine::Engine;
use cf_forms::frame::{read_outcomes, read_request, write_step};
use cf_forms::http::{Request, Response};
use cf_forms::task::{Outcome, Progress};
use serde_json::{Value, json};

use crate::front_fixture;
use crate::host::Host;

/// Number of inputs after which the site is created again, because impossible outcomes may leave caches in any state.
const INPUTS_OF_A_SITE: usize = 100;

/// Number of steps after which a task is cancelled.
const MAX_STEPS: usize = 40;

type Start = fn(&mut Engine, Request) -> Progress<Response>;

pub struct Frames {
    host: Host,
    inputs: usize,
}

impl Frames {
    pub fn new() -> Frames {
        let mut host = Host::new();
        let settings = json!({"actions": [{"type": "email", "to": "a@example.org", "subject": "S", "message": "[a]"}]});
        let markup = "<input name=a required><input type=file name=f>";
        front_fixture::make_form(&mut host, markup, settings);
        Frames { host, inputs: 0 }
    }

    /// Checks a frame; returns whether it could be read.
    pub fn check(&mut self, frame: &[u8]) -> bool {
        self.inputs += 1;
        if self.inputs.is_multiple_of(INPUTS_OF_A_SITE) {
            *self = Frames {
                inputs: self.inputs,
                ..Frames::new()
            };
        }
        let (request, outcomes) = (read_request(frame), read_outcomes(frame));
        let is_read = request.is_ok() || outcomes.is_ok();
        if let Ok(request) = request {
            self.handle(request);
        }
        if let Ok((_, outcomes)) = outcomes {
            for (start, request) in self.tasks() {
                self.resume(start, request, &outcomes);
            }
        }
        is_read
    }

    /// Handles a request as REST and as a visitor's, with the outcomes of a real database.
    fn handle(&mut self, request: Request) {
        for start in [Engine::handle as Start, Engine::visit] {
            // The clock is the host's.
            let now = self.host.now;
            let request = Request {
                now,
                ..request.clone()
            };
            let mut progress = start(&mut self.host.engine, request);
            for _ in 0..MAX_STEPS {
                assert_writable(&progress);
                let Progress::Waiting { task, effects } = progress else {
                    break;
                };
                let outcomes = (effects.into_iter())
                    .map(|(id, effect)| (id, self.host.perform(effect)))
                    .collect();
                progress = self.host.engine.resume(task, self.host.now, outcomes);
            }
            self.cancel(&progress);
        }
    }

    /// Returns one task for each part of the engine that reads outcomes.
    fn tasks(&self) -> Vec<(Start, Request)> {
        let host = &self.host;
        let rest = |method: &str, path: &str, body: Option<Value>| {
            host.request(method, &format!("/cf/v1{path}"), body)
        };
        let form = json!({"title": "T", "markup": "<input name=b>"});
        let import = json!({"content": "<form><input name=a></form>"});
        let mut uploaded = front_fixture::post(host, "contact", &[]);
        uploaded.headers.insert(
            "content-type".to_owned(),
            "multipart/form-data; boundary=x".to_owned(),
        );
        uploaded.body_waits = true;
        vec![
            (Engine::handle, rest("GET", "/forms", None)),
            (Engine::handle, rest("GET", "/forms/1/submissions", None)),
            (Engine::handle, rest("POST", "/forms", Some(form.clone()))),
            (Engine::handle, rest("PUT", "/forms/1", Some(form))),
            (Engine::handle, rest("POST", "/forms/import", Some(import))),
            (Engine::handle, rest("GET", "/forms/1/stats", None)),
            (
                Engine::visit,
                front_fixture::visitor(host, "GET", "/contact"),
            ),
            (
                Engine::visit,
                front_fixture::post(host, "contact", &[("a", "x")]),
            ),
            (Engine::visit, uploaded),
            (Engine::claim_queue, host.request("POST", "", None)),
        ]
    }

    /// Resumes a task repeatedly with only these outcomes, in order.
    fn resume(&mut self, start: Start, request: Request, outcomes: &[(u32, Outcome)]) {
        let engine = &mut self.host.engine;
        let mut next = outcomes.iter().cycle();
        let mut progress = start(engine, request);
        for _ in 0..MAX_STEPS {
            assert_writable(&progress);
            let Progress::Waiting { task, effects } = &progress else {
                break;
            };
            let delivered = (effects.iter())
                .filter_map(|(id, _)| Some((*id, next.next()?.1.clone())))
                .collect();
            progress = engine.resume(*task, self.host.now, delivered);
        }
        self.cancel(&progress);
    }

    fn cancel(&mut self, progress: &Progress<Response>) {
        if let Progress::Waiting { task, .. } = progress {
            self.host.engine.cancel(*task);
        }
    }
}

/// Checks that the host can read the head of the step.
fn assert_writable(progress: &Progress<Response>) {
    let step = write_step(progress);
    let (length, rest) = step.split_first_chunk::<4>().unwrap();
    let head = &rest[..u32::from_le_bytes(*length) as usize];
    serde_json::from_slice::<Value>(head).unwrap();
}

/// Builds a frame from a head and bytes.
fn frame(head: &Value, bytes: &[u8]) -> Vec<u8> {
    let head = head.to_string();
    let length = u32::try_from(head.len()).unwrap().to_le_bytes();
    [&length[..], head.as_bytes(), bytes].concat()
}

fn outcomes_of_every_kind(now: i64) -> Vec<u8> {
    let outcomes = json!({"now": now, "outcomes": [
        {"id": 1, "outcome": {"sql": [{"rows": [[1, "a", null, 1.5]], "changes": 1}]}},
        {"id": 2, "bytes": 5, "outcome": {"http": {"status": 200, "headers": {"a": "b"}}}},
        {"id": 3, "outcome": {"failed": {"port": "mail", "code": "failed", "message": "no"}}},
        {"id": 4, "outcome": {"value": {"fields": [["a", "b"]], "file": {"field": "f", "filename": "n", "content_type": "t"}}}},
        {"id": 5, "bytes": 0, "outcome": {"file": true}},
        {"id": 6, "bytes": 0, "outcome": {"received": {"size": 3, "sha256": "x", "stored": true, "error": null, "full": false}}},
    ]});
    frame(&outcomes, b"hello")
}

fn rows_of_a_form(now: i64) -> Vec<u8> {
    let results: Vec<Value> = (0..6)
        .map(|_| json!({"rows": [[1, 1, "contact", "{}", "published", null, 1, 1, "", "[]", 0, 0]], "changes": 1}))
        .collect();
    let rows = json!({"now": now, "outcomes": [{"id": 1, "outcome": {"sql": results}}]});
    frame(&rows, b"")
}

const JSON: &str = "application/json; charset=utf-8";

pub fn seeds() -> Vec<Vec<u8>> {
    let now = 1_767_323_045_000_i64;
    let request = |method: &str, path: &str, query: &str, kind: &str, body: &str| {
        let head = json!({
            "method": method, "path": path, "query": query, "headers": {"content-type": kind},
            "principal": {"id": "1", "login": "ada", "capabilities": ["edit_forms"], "access": "all"},
            "failure": null, "address": "192.0.2.7", "too_large": false, "body_waits": false, "now": now,
            "request_id": "r", "base_url": null,
        });
        frame(&head, body.as_bytes())
    };
    let encoded = "application/x-www-form-urlencoded";
    vec![
        request(
            "POST",
            "/contact",
            "a=1&b=%ff",
            encoded,
            "a=1&b=%ff&_submission_key=x",
        ),
        request("GET", "/contact", "step=2", "", ""),
        request(
            "GET",
            "/cf/v1/forms",
            "page=1&search=a&orderby=title",
            "",
            "",
        ),
        request(
            "POST",
            "/cf/v1/forms",
            "",
            JSON,
            "{\"title\":\"T\",\"markup\":\"<input name=a>\"}",
        ),
        request(
            "PATCH",
            "/cf/v1/forms/1/fields/a",
            "",
            JSON,
            "{\"label\":\"L\"}",
        ),
        request(
            "GET",
            "/cf/v1/forms/1/submissions/export",
            "format=csv&after=2026-01-01",
            "",
            "",
        ),
        request(
            "POST",
            "/cf/v1/forms/1/submissions",
            "",
            JSON,
            "{\"data\":{\"a\":[\"1\"]}}",
        ),
        outcomes_of_every_kind(now),
        rows_of_a_form(now),
    ]
}
