//! Captcha and spam services, described as data in `verifiers.json`. A new service also needs its settings in
//! `crates/model/src/spam_settings.rs`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Verdict;
use super::answer_texts::for_each_text;
use crate::actions::USER_AGENT;
use crate::logic::input::Input;
use crate::logic::number::parse_number;
use crate::logic::validate::is_email_address;
use crate::ordered::Gather;
use crate::submissions::{Submission, ascii_address};
use crate::task::{Context, IncomingResponse, OutgoingRequest, PortError};

/// Timeout of a request to a service; the visitor waits for it.
const TIMEOUT_MS: u32 = 5_000;

const MAX_RESPONSE_BYTES: u32 = 16 * 1024;

/// Limit on the answers' text that is sent to a service, in characters.
const MAX_CONTENT_CHARS: usize = 20_000;

/// A service that detects spam or bots.
#[derive(Deserialize)]
pub(super) struct Verifier {
    #[serde(rename = "type")]
    kind: String,
    url: String,
    /// The name of the input with the token from the browser. A submission without the token is spam.
    token: Option<String>,
    /// The form fields of the request, each with a constant or a placeholder such as `{ip}`.
    form: BTreeMap<String, String>,
    /// The member and value of the response that mean a person.
    ham: Expected,
    /// The error codes in the response that mean a wrong configuration of the site.
    faults: Option<Faults>,
    /// The minimum score that means a person.
    score: Option<Score>,
    /// The response header and value that mean certain spam.
    certain_spam: Option<ExpectedHeader>,
    /// The widget in the visitor's page. The build inserts the URL and the global name of its script into
    /// `visitor/script/captcha.ts`.
    widget: Option<Shown>,
}

#[derive(Deserialize)]
struct Shown {
    /// The sources that the page's content security policy must allow, by directive.
    policy: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Expected {
    pointer: String,
    equals: Value,
}

#[derive(Deserialize)]
struct Faults {
    /// The JSON Pointer to the list of codes.
    pointer: String,
    /// The codes that are not the visitor's fault.
    codes: Vec<String>,
}

#[derive(Deserialize)]
struct Score {
    pointer: String,
    minimum: f64,
}

#[derive(Deserialize)]
struct ExpectedHeader {
    header: String,
    equals: String,
}

static VERIFIERS: LazyLock<Vec<Verifier>> =
    LazyLock::new(|| serde_json::from_str(include_str!("verifiers.json")).unwrap_or_default());

/// Whether an input carries the browser's token for a service.
pub fn is_token(name: &str) -> bool {
    let mut verifiers = VERIFIERS.iter();
    verifiers.any(|verifier| verifier.token.as_deref() == Some(name))
}

/// The verifier of a check's type.
pub(super) fn of(kind: &str) -> Option<&'static Verifier> {
    VERIFIERS.iter().find(|verifier| verifier.kind == kind)
}

impl Verifier {
    /// The sources that the page's policy must allow in a directive for the widget; `None` without a widget.
    pub(super) fn allowed(&self, directive: &str) -> Option<&str> {
        let widget = self.widget.as_ref()?;
        Some(widget.policy.get(directive).map_or("", String::as_str))
    }

    /// Asks the service about a submission.
    pub(super) async fn run(
        &self,
        cx: &Context,
        check: &Map<String, Value>,
        submission: &Submission,
        input: &Input,
        verdict: &mut Verdict,
    ) {
        let token = self.token.as_ref().map(|name| input.value(name));
        if token == Some(None) {
            return verdict.add(&format!("{}_missing", self.kind), 80);
        }
        let texts = texts(cx, check, submission, token.flatten());
        let fault = match self.ask(cx, &texts).await {
            Ok(response) => self.judge(check, &response, verdict).err(),
            Err(error) => Some(error.message),
        };
        if let Some(fault) = fault {
            log_fault(cx, &self.kind, &fault).await;
        }
    }

    async fn ask(
        &self,
        cx: &Context,
        texts: &[(&'static str, String)],
    ) -> Result<IncomingResponse, PortError> {
        let mut body = form_urlencoded::Serializer::new(String::new());
        for (name, template) in &self.form {
            let key = template
                .strip_prefix('{')
                .and_then(|key| key.strip_suffix('}'));
            let value = match key {
                Some(key) => {
                    let text = texts.iter().find(|(name, _)| *name == key);
                    text.map_or("", |(_, text)| text)
                }
                None => template,
            };
            body.append_pair(name, value);
        }
        let kind = "application/x-www-form-urlencoded";
        let headers = [("content-type", kind), ("user-agent", USER_AGENT)];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        cx.http(OutgoingRequest {
            method: "POST".to_owned(),
            url: self.url.clone(),
            headers: headers.into_iter().gather(),
            body: Some(body.finish().into_bytes()),
            timeout_ms: TIMEOUT_MS,
            max_bytes: MAX_RESPONSE_BYTES,
        })
        .await
    }

    /// Derives the verdict on the visitor from the service's response. Returns `Err` for a response without a verdict,
    /// for example when the service is busy or the site's secret is wrong.
    fn judge(
        &self,
        check: &Map<String, Value>,
        response: &IncomingResponse,
        verdict: &mut Verdict,
    ) -> Result<(), String> {
        let unusable = || {
            let text = String::from_utf8_lossy(&response.body);
            let beginning: String = text.chars().take(200).collect();
            format!("it responded with {}: {beginning}", response.status)
        };
        let body: Value = crate::json::read(&response.body).unwrap_or(Value::Null);
        let ham = body.pointer(&self.ham.pointer);
        let ham = ham.filter(|ham| ham.is_boolean()).ok_or_else(unusable)?;
        if let Some(faults) = &self.faults {
            let codes = body.pointer(&faults.pointer).and_then(Value::as_array);
            let mut codes = codes.into_iter().flatten().filter_map(Value::as_str);
            if codes.any(|code| faults.codes.iter().any(|accepted| accepted == code)) {
                return Err(unusable());
            }
        }
        if *ham != self.ham.equals {
            let is_certain = self.certain_spam.as_ref().is_some_and(|expected| {
                response.headers.get(&expected.header) == Some(&expected.equals)
            });
            verdict.add(&self.kind, if is_certain { 100 } else { 90 });
            return Ok(());
        }
        if let Some(score) = &self.score
            && let Some(reached) = body.pointer(&score.pointer).and_then(Value::as_f64)
        {
            let least_score = check
                .get("min_score")
                .and_then(|minimum| minimum.as_f64().or_else(|| parse_number(minimum.as_str()?)));
            if reached < least_score.unwrap_or(score.minimum) {
                verdict.add(&format!("{}_score:{reached}", self.kind), 80);
            }
        }
        Ok(())
    }
}

/// The values for the placeholders in a request's form fields.
fn texts(
    cx: &Context,
    check: &Map<String, Value>,
    submission: &Submission,
    token: Option<&str>,
) -> [(&'static str, String); 10] {
    let setting = |name: &str| check.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut email = String::new();
    let mut content = String::new();
    for_each_text(submission, |text| {
        if email.is_empty() && is_email_address(text) {
            email = ascii_address(text).into_owned();
        }
        content.push_str(text);
        content.push('\n');
    });
    [
        ("secret", setting("secret").to_owned()),
        ("api_key", setting("api_key").to_owned()),
        ("token", token.unwrap_or_default().to_owned()),
        ("site", cx.base_url().to_owned()),
        ("ip", submission.ip_address.clone()),
        ("user_agent", submission.user_agent.clone()),
        ("referrer", submission.referer_url.clone()),
        ("page", submission.page_url.clone()),
        ("email", email),
        ("content", content.chars().take(MAX_CONTENT_CHARS).collect()),
    ]
}

/// Logs a failed check.
pub(super) async fn log_fault(cx: &Context, kind: &str, error: &str) {
    let message = format!("the spam check {kind} could not be made");
    cx.log("warn", message, json!({"error": error})).await;
}
