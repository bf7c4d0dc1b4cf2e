//! Runs the scenarios of `tests/cases/rest` and `tests/cases/front` against the engine. `tests/cases/rest/README.md`
//! describes their format; `tests/shim/rest-cases.test.ts` runs them through WebAssembly and HTTP.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cf_forms::http::{Principal, Response};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::host::Host;
use crate::matching::{fill_in, mismatch};

/// Body limit in bytes, the shim's default.
const BODY_LIMIT: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    scenarios: Vec<Scenario>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    /// Has no effect here, since this host runs the queue only on request.
    #[serde(rename = "queue_rests", default)]
    _queue_rests: bool,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    #[serde(rename = "as")]
    caller: Option<String>,
    request: StepRequest,
    expect: Expectation,
    /// Variables for later steps: each name with the JSON pointer of its value in the response body, or with `header:`
    /// and the name of a header.
    #[serde(default)]
    save: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRequest {
    method: String,
    /// Path below `/cf/v1`, or for a visitor below `/forms`.
    path: String,
    /// Whether the request is a visitor's.
    #[serde(default)]
    visitor: bool,
    /// A form-encoded body, by name; a list represents several values.
    form: Option<Map<String, Value>>,
    #[serde(default)]
    query: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    /// A body as text. Its content type is JSON unless `headers` sets another one.
    raw: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    status: u16,
    #[serde(default)]
    headers: Map<String, Value>,
    body: Option<Value>,
}

#[test]
fn every_rest_scenario_gets_the_expected_responses() {
    let mut failures = Vec::new();
    let mut steps = 0;
    for path in case_files() {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let cases: CaseFile =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        for scenario in cases.scenarios {
            steps += scenario.steps.len();
            if let Err(failure) = run(&scenario) {
                failures.push(format!("{file}: {}: {failure}", scenario.name));
            }
        }
    }
    assert!(steps > 0, "there are no scenarios");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn case_files() -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = ["rest", "front"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(cases.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}

/// Runs the steps in order on a fresh site. The first that fails ends the scenario.
fn run(scenario: &Scenario) -> Result<(), String> {
    let mut host = Host::new();
    let mut variables = Map::new();
    for (index, step) in scenario.steps.iter().enumerate() {
        let in_step = |problem: String| {
            let StepRequest { method, path, .. } = &step.request;
            format!("step {}, {method} {path}: {problem}", index + 1)
        };
        let response = send(&mut host, step, &variables);
        let body = read_body(&response);
        check(step, &response, &body, &variables).map_err(in_step)?;
        for (name, place) in &step.save {
            let value = match place.strip_prefix("header:") {
                Some(header) => response.header(header).map(Value::from),
                None => body.pointer(place).cloned(),
            };
            let value = value.ok_or_else(|| in_step(format!("there is no {place} to save")))?;
            variables.insert(name.clone(), value);
        }
    }
    Ok(())
}

fn send(host: &mut Host, step: &Step, variables: &Map<String, Value>) -> Response {
    let text = |text: &str| match fill_in(&json!(text), variables) {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let StepRequest {
        method,
        path,
        query,
        headers,
        body,
        raw,
        visitor,
        form,
    } = &step.request;
    let body = body.as_ref().map(|body| fill_in(body, variables));
    let base = if *visitor { "" } else { "/cf/v1" };
    let mut request = host.request(method, &format!("{base}{}", text(path)), body);
    if let Some(form) = form {
        request.body = form_encoded(&fill_in(&json!(form), variables)).into_bytes();
        let kind = "application/x-www-form-urlencoded".to_owned();
        request.headers.insert("content-type".to_owned(), kind);
    }
    request.query = text(query);
    if let Some(raw) = raw {
        let raw = fill_in(raw, variables);
        request.body = raw.as_str().unwrap().as_bytes().to_vec();
        let json = "application/json".to_owned();
        request.headers.insert("content-type".to_owned(), json);
    }
    for (name, value) in headers {
        request
            .headers
            .insert(name.to_ascii_lowercase(), text(value));
    }
    if *visitor {
        request.principal = step.caller.as_deref().and_then(principal);
        return host.visit(request);
    }
    request.principal = principal(step.caller.as_deref().unwrap_or("administrator"));
    // A host drops a body beyond its limit.
    if request.body.len() > BODY_LIMIT {
        request.too_large = true;
        request.body.clear();
    }
    host.handle(request)
}

fn form_encoded(form: &Value) -> String {
    let mut body = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form.as_object().unwrap() {
        let one = std::slice::from_ref(value);
        for value in value.as_array().map_or(one, Vec::as_slice) {
            body.append_pair(name, value.as_str().unwrap());
        }
    }
    body.finish()
}

fn principal(caller: &str) -> Option<Principal> {
    let (id, login, capabilities) = match caller {
        "administrator" => ("1", "admin", vec!["edit_forms", "unfiltered_html"]),
        "editor-without-html" => ("2", "editor", vec!["edit_forms"]),
        "reader" => ("4", "reader", vec!["edit_forms"]),
        "subscriber" => ("3", "subscriber", vec!["read"]),
        "anonymous" => return None,
        other => panic!("unknown caller {other}"),
    };
    let access = match caller {
        "reader" => "submissions_read",
        _ => "all",
    };
    Some(Principal {
        access: access.to_owned(),
        id: id.to_owned(),
        login: login.to_owned(),
        capabilities: capabilities.into_iter().map(str::to_owned).collect(),
    })
}

/// Reads the body as JSON, or as text if it is not JSON; null if it is empty.
fn read_body(response: &Response) -> Value {
    if response.body.is_empty() {
        return Value::Null;
    }
    let is_json = |kind: &str| kind.starts_with("application/json");
    if !response.header("content-type").is_some_and(is_json) {
        return json!(String::from_utf8_lossy(&response.body));
    }
    serde_json::from_slice(&response.body).unwrap_or_else(|error| json!(error.to_string()))
}

fn check(
    step: &Step,
    response: &Response,
    body: &Value,
    variables: &Map<String, Value>,
) -> Result<(), String> {
    if response.status != step.expect.status {
        let logged = response.log.as_deref().unwrap_or_default();
        return Err(format!("status {}: {body} {logged}", response.status));
    }
    for (name, expected) in &step.expect.headers {
        let values: Vec<&str> = response
            .headers
            .iter()
            .filter(|(header, _)| *header == name)
            .map(|(_, value)| value.as_str())
            .collect();
        let actual = (!values.is_empty()).then(|| json!(values.join(", ")));
        if let Some(problem) = mismatch(&fill_in(expected, variables), actual.as_ref(), name) {
            return Err(problem);
        }
    }
    // The shim, not the engine, builds these responses about the API, so their bodies are not checked here.
    let StepRequest { method, path, .. } = &step.request;
    let is_reference =
        response.status == 200 && (method == "OPTIONS" || matches!(path.as_str(), "" | "/"));
    match &step.expect.body {
        Some(expected) if !is_reference => {
            mismatch(&fill_in(expected, variables), Some(body), "body").map_or(Ok(()), Err)
        }
        _ => Ok(()),
    }
}
