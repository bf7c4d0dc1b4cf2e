//! The spam checks of the form's setting `spam_checks`: a list of `{type, …}`. Checks with `"enabled": false` are
//! skipped.
//!
//! | type | settings | treats as spam |
//! |---|---|---|
//! | `links` | `max` (2) | more links than `max`; any link, if the form was sent too fast |
//! | `deny_list` | `words`, one entry a line (`deny_list.rs`) | an entry in an answer, the IP address or the browser's name |
//! | `turnstile`, `hcaptcha`, `recaptcha` | `site_key`, `secret`, `min_score`, `version` | a missing, invalid or low-scored token |
//! | `akismet` | `api_key` | submissions that Akismet treats as spam |
//!
//! If a service fails, the check is skipped and the failure is logged.

use serde_json::{Map, Value};

use super::answer_texts::for_each_text;
use super::deny_list::Texts;
use super::{Verdict, verifier};
use crate::action_types::secrets::{OpenedSettings, SecretCipher};
use crate::error::Error;
use crate::forms::Form;
use crate::forms::spam_settings::{MAX_SPAM_CHECKS, is_enabled};
use crate::logic::input::Input;
use crate::submissions::Submission;
use crate::task::Context;

/// Default limit on the links of a submission.
const DEFAULT_MAX_LINKS: u64 = 2;

/// Runs the form's checks on a submission, until one of them finds spam.
pub async fn run(
    cx: &Context,
    form: &Form,
    submission: &Submission,
    input: &Input,
    verdict: &mut Verdict,
) -> Result<(), Error> {
    for check in checks_of(form) {
        let kind = check.get("type").and_then(Value::as_str);
        let kind = kind.unwrap_or_default();
        match kind {
            "links" => {
                let max = check
                    .get("max")
                    .and_then(whole_number)
                    .unwrap_or(DEFAULT_MAX_LINKS);
                // A submission that already looks suspicious may contain no links.
                let max = if verdict.score > 0 { 0 } else { max };
                let links = links_of(submission);
                if links > max {
                    verdict.add(&format!("links:{links}"), 70);
                }
            }
            "deny_list" if denied(check, submission) => verdict.add("deny_list", 90),
            _ => {
                let Some(verifier) = verifier::of(kind) else {
                    continue;
                };
                match SecretCipher::of(cx).await?.open(check.clone()) {
                    OpenedSettings::Clear(check) => {
                        verifier.run(cx, &check, submission, input, verdict).await
                    }
                    OpenedSettings::Unreadable(key) => {
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

/// Whether a check of this type exists.
pub fn is_known(kind: &str) -> bool {
    matches!(kind, "links" | "deny_list") || verifier::of(kind).is_some()
}

pub(super) fn checks_of(form: &Form) -> impl Iterator<Item = &Map<String, Value>> {
    let checks = form.settings.get("spam_checks").and_then(Value::as_array);
    let checks = checks.into_iter().flatten().filter_map(Value::as_object);
    let enabled = checks.filter(|check| is_enabled(check));
    enabled.take(MAX_SPAM_CHECKS)
}

fn whole_number(value: &Value) -> Option<u64> {
    let number = value.as_u64();
    number.or_else(|| value.as_str()?.trim().parse().ok())
}

/// Counts the links in the answers.
fn links_of(submission: &Submission) -> u64 {
    let mut links = 0;
    for_each_text(submission, |text| {
        let text = text.to_ascii_lowercase();
        links += text.matches("http://").count() + text.matches("https://").count();
    });
    u64::try_from(links).unwrap_or(u64::MAX)
}

/// Whether an answer, the visitor's IP address or the browser's name contains an entry of the list.
fn denied(check: &Map<String, Value>, submission: &Submission) -> bool {
    let list = check.get("words").and_then(Value::as_str);
    let mut texts = vec![submission.user_agent.as_str()];
    for_each_text(submission, |text| texts.push(text));
    Texts::of(&texts, &submission.ip_address).has_any(list.unwrap_or_default())
}
