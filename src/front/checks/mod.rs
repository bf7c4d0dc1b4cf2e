//! The spam checks that a form's owner turns on, by the form's setting `spam_checks`: a list of
//! `{type, …}`; one with `"enabled": false` is passed over.
//!
//! | type | its settings | takes for spam |
//! |---|---|---|
//! | `links` | `max` (2) | more addresses of the web than that; any, if it was sent too fast |
//! | `deny_list` | `words`, an entry in each line (`deny_list.rs`) | any of them in an answer, the address or the browser |
//! | `turnstile`, `hcaptcha`, `recaptcha` | `site_key`, `secret`, `min_score`, `version` | what the service does not vouch for |
//! | `akismet` | `api_key` | what Akismet takes for spam |
//!
//! A service that does not answer takes nothing for spam: its fault is logged.

mod deny_list;
mod verifier;
mod widget;

pub(super) use verifier::is_token;
pub use widget::{Widget, widgets};

use serde_json::{Map, Value};

use self::deny_list::Texts;
use super::input::Sent;
use super::spam::Verdict;
use crate::actions::secrets::SecretCipher;
use crate::error::Error;
use crate::forms::Form;
use crate::forms::spam_settings::{MAX_SPAM_CHECKS, is_enabled};
use crate::submissions::Submission;
use crate::task::Context;

/// How many links are no spam, unless the form says otherwise.
const LINKS: u64 = 2;

/// Runs the form's checks on a submission, one after another until one takes it for spam.
pub async fn run(
    cx: &Context,
    form: &Form,
    submission: &Submission,
    sent: &Sent,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    for check in checks_of(form) {
        let kind = check.get("type").and_then(Value::as_str);
        let kind = kind.unwrap_or_default();
        match kind {
            "links" => {
                let most = check.get("max").and_then(whole_number).unwrap_or(LINKS);
                // Of what is suspicious already, one is too many.
                let most = if verdict.score > 0 { 0 } else { most };
                let links = links_of(submission);
                if links > most {
                    verdict.add(&format!("links:{links}"), 70);
                }
            }
            "deny_list" if denied(check, submission) => verdict.add("deny_list", 90),
            _ => {
                let Some(verifier) = verifier::of(kind) else {
                    continue;
                };
                match SecretCipher::of(cx).await?.open(check.clone()) {
                    Ok(check) => verifier.run(cx, &check, submission, sent, verdict).await,
                    Err(key) => {
                        let fault = format!("its {key} cannot be read");
                        verifier::log_fault(cx, kind, &fault).await;
                    }
                }
            }
        }
        if verdict.is_spam {
            break;
        }
    }
    Ok(())
}

/// Whether there is a check of that type.
pub fn is_known(kind: &str) -> bool {
    matches!(kind, "links" | "deny_list") || verifier::of(kind).is_some()
}

fn checks_of(form: &Form) -> impl Iterator<Item = &Map<String, Value>> {
    let checks = form.settings.get("spam_checks").and_then(Value::as_array);
    let checks = checks.into_iter().flatten().filter_map(Value::as_object);
    let enabled = checks.filter(|check| is_enabled(check));
    enabled.take(MAX_SPAM_CHECKS)
}

fn whole_number(value: &Value) -> Option<u64> {
    let number = value.as_u64();
    number.or_else(|| value.as_str()?.trim().parse().ok())
}

/// How many addresses of the web the answers hold.
fn links_of(submission: &Submission) -> u64 {
    let mut links = 0;
    for_each_text(submission, |text| {
        let text = text.to_ascii_lowercase();
        links += text.matches("http://").count() + text.matches("https://").count();
    });
    u64::try_from(links).unwrap_or(u64::MAX)
}

/// Whether an entry of the list is in an answer, in the visitor's address or in the browser's name.
fn denied(check: &Map<String, Value>, submission: &Submission) -> bool {
    let list = check.get("words").and_then(Value::as_str);
    let mut texts = vec![submission.user_agent.as_str()];
    for_each_text(submission, |text| texts.push(text));
    Texts::of(&texts, &submission.ip_address).has_any(list.unwrap_or_default())
}

/// Visits every text of the answers.
fn for_each_text<'s>(submission: &'s Submission, mut visit: impl FnMut(&'s str)) {
    for (_, value) in submission.data.iter() {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::String(text) => visit(text),
                Value::Array(items) => waiting.extend(items.iter().rev()),
                Value::Object(members) => waiting.extend(members.values().rev()),
                _ => {}
            }
        }
    }
}
