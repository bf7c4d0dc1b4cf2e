//! Imports submissions. Each is stored once, with its original date, and runs no actions.

use std::collections::BTreeSet;
use std::net::IpAddr;

use serde::Serialize;
use serde_json::{Map, Value};

use super::edit::{MAX_FORMER_BYTES, checked};
use super::{Data, Labels, Submission, kept_address, kept_user_agent, page_address};
use crate::analytics::answers::counts;
use crate::error::{Error, Missing};
use crate::forms::settings::Settings;
use crate::forms::{Form, submit_rules};
use crate::import::{Report, SubmissionDraft};
use crate::json;
use crate::logic::answer::{AnswerKind, is_on, texts_of};
use crate::logic::input::Input;
use crate::logic::validate::Rules;
use crate::ordered::Gather;
use crate::security::random::uuid_of;
use crate::store::answer_names::read as read_names;
use crate::store::holds::{of_answers, stored as held_of};
use crate::store::submissions::{Imported, ImportedBy, import as store};
use crate::task::Context;

/// Limit on the submissions that one transaction writes.
const BATCH_SIZE: usize = 200;

/// Limit on the names of a form's answers. Beyond it, answers under new names are left out.
const MAX_NAMES: usize = 1_000;

/// The result of importing the submissions of a form. In a preview, only `found` is set.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Outcome {
    /// The number of submissions in the file.
    pub found: usize,
    /// The number of newly stored submissions.
    pub stored: Option<u64>,
    /// The number of submissions that were stored already.
    pub known: Option<u64>,
}

impl Outcome {
    fn of(found: usize, stored: u64, known: u64) -> Outcome {
        Outcome {
            found,
            stored: Some(stored),
            known: Some(known),
        }
    }
}

/// Stores the submissions of a form that are not stored yet, and reports answers that are left out.
pub async fn import(
    cx: &Context,
    form: &Form,
    drafts: &[SubmissionDraft],
    by: &ImportedBy<'_>,
    report: &mut Report,
) -> Result<Outcome, Error> {
    let found = drafts.len();
    let settings = form.settings();
    if !settings.save_submissions {
        let message = "The form keeps no submissions: none is stored.";
        report.note("not_kept", "submissions", message);
        return Ok(Outcome::of(found, 0, 0));
    }
    let signer = crate::store::signer(cx).await?;
    let rules = submit_rules(cx, form)?;
    let rules = rules.with_messages(&form.messages, form.local(cx, cx.now()).await);
    let schema = rules.schema;
    let (mut stored, mut left_out, mut keys) = (0, 0, BTreeSet::new());
    let mut names: BTreeSet<String> = read_names(cx, form.id).await?.into_iter().gather();
    names.extend(schema.answer_fields().map(|field| field.name.clone()));
    for chunk in drafts.chunks(BATCH_SIZE) {
        let mut rows = Vec::with_capacity(chunk.len());
        for draft in chunk {
            let sent = match draft.source.as_str() {
                "" => json!([form.id, draft.key, draft.answers]),
                source => json!([form.id, draft.key, source]),
            };
            let sent = sent.to_string();
            let uuid = uuid_of(&signer.hash("imported", &sent));
            if !keys.insert(uuid.clone()) {
                continue;
            }
            let (data, is_whole) = answers(&rules, draft, &mut names)?;
            left_out += usize::from(!is_whole);
            let submission = Submission {
                form_id: form.id,
                schema_revision: form.revision,
                labels: Labels::of(schema, &data),
                data,
                ..without_answers(draft, &settings, cx.now())
            };
            rows.push(Imported {
                uuid,
                counted: counts(schema, &submission.data, true),
                address_hashes: signer.address_hashes(&submission),
                held: held_of(&of_answers(&signer, schema, form.id, &submission.data)),
                note: draft.note.clone(),
                submission,
            });
        }
        let new = store(cx, form.id, &rows, by).await?;
        stored += new.ok_or(Error::NotFound(Missing::Form))?;
    }
    note_left_out(left_out, report);
    let known = u64::try_from(found).unwrap_or_default();
    Ok(Outcome::of(found, stored, known.saturating_sub(stored)))
}

/// Reports the number of submissions whose answers are not all stored.
fn note_left_out(left_out: usize, report: &mut Report) {
    if left_out > 0 {
        let message =
            " of them have objects, nested lists, or too long or too many answers: left out.";
        let message = left_out.to_string() + message;
        report.note("answer_left_out", "submissions", &message);
    }
}

/// Converts a draft to a submission without answers.
fn without_answers(draft: &SubmissionDraft, settings: &Settings, now: i64) -> Submission {
    let address = draft.ip_address.parse::<IpAddr>();
    let address = address.map_or_else(|_| String::new(), |address| address.to_string());
    Submission {
        status: draft.status.clone(),
        starred: draft.starred,
        ip_address: kept_address(settings, &address),
        user_agent: kept_user_agent(settings, &draft.user_agent),
        referer_url: page_address(&draft.referer_url),
        files: json::of(&draft.files).unwrap_or_default(),
        submitted_at: draft.submitted_at.unwrap_or(now),
        modified_at: now,
        ..Submission::default()
    }
}

/// Finds answers to consent fields that mean neither yes nor no. They must not count as consent.
fn unclear_consents(rules: &Rules<'_>, sent: &Map<String, Value>) -> Map<String, Value> {
    let is_clear = |word: &str| {
        let word = word.trim().to_ascii_lowercase();
        let known = ["", "0", "1", "true", "false", "on", "off", "yes", "no"];
        known.contains(&word.as_str())
    };
    let consents = rules
        .schema
        .answer_fields()
        .filter(|field| field.kind.is_consent());
    let unclear = consents.filter_map(|field| {
        let value = sent.get(&field.name)?;
        let is_unclear = value.as_str().is_some_and(|word| !is_clear(word));
        is_unclear.then(|| (field.name.clone(), value.clone()))
    });
    unclear.gather()
}

/// Converts the answers like a submit does. Answers that the current rules reject or hide are stored unchanged, since
/// they were accepted once. Also returns whether all answers are included.
fn answers(
    rules: &Rules<'_>,
    draft: &SubmissionDraft,
    names: &mut BTreeSet<String>,
) -> Result<(Data, bool), Error> {
    let mut sent = draft.answers.clone();
    let mut never_kept = BTreeSet::new();
    for field in rules.schema.answer_fields() {
        match field.options.as_slice() {
            _ if !field.kind.stores_in_full() => {
                never_kept.insert(field.name.clone());
            }
            [only] if field.kind.is_box() => {
                if let Some(value) = sent.get_mut(&field.name) {
                    let on = [json!(true), json!("true"), json!("on")].contains(value);
                    let off = [json!(false), json!("false"), json!("")].contains(value);
                    if on || off {
                        *value = Value::from_iter(on.then(|| only.value.clone()));
                    }
                }
            }
            _ if AnswerKind::of(field) == AnswerKind::Toggle => {
                // Other systems use various words for a ticked checkbox.
                if let Some(value @ (Value::String(_) | Value::Number(_))) =
                    sent.get_mut(&field.name)
                {
                    *value = Value::from(texts_of(value).iter().any(|text| is_on(text)));
                }
            }
            _ => {}
        }
    }
    let unclear = unclear_consents(rules, &draft.answers);
    sent.extend(unclear.clone());
    let mut clear = sent.clone();
    clear.retain(|name, _| !unclear.contains_key(name));
    let mut data = checked(rules, &Input::of_json(&clear), &Map::new())?.answers;
    data.0.retain(|(name, _)| !unclear.contains_key(name));
    let mut is_whole = true;
    for (name, value) in sent {
        let is_there = never_kept.contains(&name) || data.get(&name).is_some();
        if is_there || value.is_null() {
            continue;
        }
        let is_fit = match &value {
            Value::Object(_) => false,
            Value::Array(items) => !items.iter().any(|item| item.is_object() || item.is_array()),
            _ => true,
        } && value.to_string().len() <= MAX_FORMER_BYTES;
        if is_fit && (names.len() < MAX_NAMES || names.contains(&name)) {
            names.insert(name.clone());
            data.0.push((name, value));
        } else {
            is_whole = false;
        }
    }
    Ok((data, is_whole))
}
