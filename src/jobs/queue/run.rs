//! Runs one entry.

use std::cell::OnceCell;

use serde_json::Value;

use super::claimed::{self, ActionForm, ReadEntry};
use super::{Claim, Entries, LEASE_MS, backoff, new_lease};
use crate::action_types::built_in;
use crate::action_types::secrets::{OpenedSettings, SecretCipher, mask};
use crate::actions::{self, Prepared, Report, Retry, Verdict, Work};
use crate::error::Error;
use crate::forms;
use crate::http::{Request, Response};
use crate::json::map_texts;
use crate::store::logs::{self, NewLog};
use crate::store::queue::{self, Ended, Ending, EntryRow};
use crate::store::submissions;
use crate::submissions::{Submission, UNSAVED, forget_unsaved};
use crate::task::Context;

/// Limit on a stored message, in characters.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// Limit on the stored request and response together, as JSON.
const MAX_OUTPUT_BYTES: usize = 16_000;
/// Limit on one text in the stored request and response.
const MAX_TEXT_BYTES: usize = 4_000;

/// Runs one claimed entry. The body is the claim; the response is `{"id","status","keeps_failing"}`. `status` is the
/// entry's new state, `lost` if the lease was lost, or `withheld` if the submission is spam or its form is in the
/// trash. `keeps_failing` describes an action that failed three times in a row, and is null otherwise.
pub async fn run_entry(cx: &Context, request: &Request) -> Result<Response, Error> {
    let claim: Claim = crate::json::read(&request.body)?;
    let (status, keeps_failing) = run(cx, &claim).await?;
    let body = json!({"id": claim.id, "status": status, "keeps_failing": keeps_failing});
    Ok(Response::json(200, &body))
}

/// Runs the pending actions of a submission, one after another, before the visitor gets the response. The queue runs
/// the actions that were not reached.
pub async fn run_inline(cx: &Context, submission_uuid: &str) -> Result<(), Error> {
    let lease = new_lease(cx)?;
    let until = cx.now() + LEASE_MS;
    for id in queue::claim_of_submission(cx, submission_uuid, &lease, until).await? {
        let lease = lease.clone();
        let claim = Claim {
            id,
            lease,
            reports_failures: false,
            claims_after: false,
        };
        run(cx, &claim).await?;
    }
    Ok(())
}

async fn run(cx: &Context, claim: &Claim) -> Result<(&'static str, Value), Error> {
    let Some(read) = begun(cx, claim).await? else {
        return Ok(("lost", Value::Null));
    };
    let _renewed = Renewed::until_dropped(cx, claim);
    let started = cx.now();
    let (entry, prepared) = prepared(cx, read).await?;
    let is_withheld = |work: &Work| work.submission.is_spam || work.form.trashed_at.is_some();
    if matches!(&prepared, Prepared::Ready(work) if is_withheld(work)) {
        // The submission became spam, or its form was moved to the trash, during this claim or one that has expired.
        queue::release(cx, &[(claim.id, claim.lease.clone())]).await?;
        return Ok(("withheld", Value::Null));
    }
    let (report, work) = match prepared {
        Prepared::Ready(work) => (actions::perform(&work).await, Some(work)),
        Prepared::Impossible(report) => (report, None),
    };
    let is_unsaved = work
        .as_deref()
        .is_some_and(|work| work.submission.status == UNSAVED);
    let ended = Ended {
        id: claim.id,
        lease: claim.lease.clone(),
        ending: ending(cx, &entry, &report, cx.now() - started)?,
    };
    let status = ended.ending.status;
    if claim.claims_after && status == "completed" && !is_unsaved {
        cx.state::<Entries>().ended.borrow_mut().push(ended);
        return Ok((status, Value::Null));
    }
    if !queue::finish(cx, &ended).await? {
        return Ok(("lost", Value::Null));
    }
    if status == "completed" && is_unsaved {
        forget_unsaved(cx, entry.submission_id).await?;
    }
    if let (Some(work), "failed") = (&work, status) {
        notify_of_failure(work, &entry, &report).await;
    }
    let keeps_failing = match &work {
        Some(work) if claim.reports_failures && ended.ending.log.status == "failed" => {
            repeated_failure(work, &entry, &report).await?
        }
        _ => Value::Null,
    };
    Ok((status, keeps_failing))
}

/// Reads an entry that begins to run, unless its claim has read it already. `None` if the lease is lost.
async fn begun(cx: &Context, claim: &Claim) -> Result<Option<ReadEntry>, Error> {
    if let Some(read) = claimed::take(cx, claim) {
        return Ok(Some(read));
    }
    let until = cx.now() + LEASE_MS;
    let entry = queue::begin(cx, claim.id, &claim.lease, until).await?;
    Ok(entry.map(|entry| ReadEntry {
        lease: claim.lease.clone(),
        claimed_at: cx.now(),
        withdrawals: 0,
        entry,
        form: None,
        submission: None,
    }))
}

/// Describes for the host an action that failed three times in a row; null for any other action.
async fn repeated_failure(work: &Work, entry: &EntryRow, report: &Report) -> Result<Value, Error> {
    if !logs::keeps_failing(&work.cx, entry.form_id, &entry.action_id).await? {
        return Ok(Value::Null);
    }
    Ok(json!({
        "form_id": entry.form_id,
        "form_title": work.form.title,
        "action_id": entry.action_id,
        "action_name": work.setting("action_name", ""),
        "action_type": entry.action_type,
        "action_label": built_in(&entry.action_type).map_or(&*entry.action_type, |found| &found.label),
        "message": report.message,
    }))
}

/// A guard that keeps the lease of a running entry renewed until it is dropped.
struct Renewed<'a> {
    cx: &'a Context,
    id: i64,
}

impl Renewed<'_> {
    fn until_dropped<'a>(cx: &'a Context, claim: &Claim) -> Renewed<'a> {
        let running = (claim.clone(), cx.now());
        cx.state::<Entries>().running.borrow_mut().push(running);
        Renewed { cx, id: claim.id }
    }
}

impl Drop for Renewed<'_> {
    fn drop(&mut self) {
        let entries = self.cx.state::<Entries>();
        let mut running = entries.running.borrow_mut();
        running.retain(|(claim, _)| claim.id != self.id);
    }
}

/// Loads the data that the action's run needs.
async fn prepared(cx: &Context, read: ReadEntry) -> Result<(EntryRow, Prepared), Error> {
    let entry = read.entry;
    let impossible = |entry, reason| Ok((entry, Prepared::Impossible(reason)));
    let form = match read.form {
        Some(form) => Some(form),
        None => claimed::load_form(cx, entry.form_id).await?,
    };
    let Some(ActionForm { form, schema }) = form else {
        return impossible(entry, Report::permanent_failure("The form was deleted."));
    };
    let submission = match read.submission {
        Some(submission) => Some(submission),
        // The mail with a link to saved progress belongs to no submission.
        None if entry.submission_id == 0 => Some(Submission::default()),
        None => submissions::find_for_actions(cx, entry.submission_id).await?,
    };
    let Some(mut submission) = submission else {
        let reason = Report::permanent_failure("The submission was deleted.");
        return impossible(entry, reason);
    };
    submission.read_by(&schema);
    let cipher = SecretCipher::of(cx).await?;
    let settings = match cipher.open(serde_json::from_str(&entry.settings)?) {
        OpenedSettings::Clear(settings) => settings,
        OpenedSettings::Unreadable(key) => return impossible(entry, Report::unreadable(&key)),
    };
    let data = submission.data.to_map();
    let work = Box::new(Work {
        cx: cx.clone(),
        action_type: entry.action_type.clone(),
        settings,
        schema: forms::schema_with_answers(&form, &schema, &data),
        data,
        submission,
        form,
        idempotency_key: entry.idempotency_key.clone(),
        file_links: OnceCell::new(),
    });
    Ok((entry, Prepared::Ready(work)))
}

/// Builds the stored result of a run. Removes NUL characters, which a receiver may have sent and databases reject.
fn ending(
    cx: &Context,
    entry: &EntryRow,
    report: &Report,
    duration_ms: i64,
) -> Result<Ending, Error> {
    let message = report.message.replace('\0', "");
    let message: String = message.chars().take(MAX_MESSAGE_CHARS).collect();
    let (log_status, last_error, due_at) = match report.verdict {
        Verdict::Done => ("success", String::new(), None),
        Verdict::Skipped => ("skipped", String::new(), None),
        Verdict::Failed(retry) => ("failed", message.clone(), due_again(cx, entry, retry)?),
    };
    Ok(Ending {
        status: match (log_status, due_at) {
            ("failed", Some(_)) => "retrying",
            ("failed", None) => "failed",
            _ => "completed",
        },
        last_error,
        due_at,
        log: NewLog {
            status: log_status,
            message,
            detail: report.detail(),
            duration_ms,
            output: match report.verdict {
                Verdict::Failed(_) => logged(&report.output),
                _ => String::new(),
            },
        },
    })
}

/// The request and the response for the log, with long texts cut; empty if they are still too long.
fn logged(output: &Value) -> String {
    let text = map_texts(output, &cut).to_string();
    match output {
        Value::Null => String::new(),
        _ if text.len() > MAX_OUTPUT_BYTES => String::new(),
        _ => text,
    }
}

/// Cuts a text to [`MAX_TEXT_BYTES`], with an ellipsis.
fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_TEXT_BYTES);
    [text.get(..end).unwrap_or_default(), "…"].concat()
}

/// The next due time of a failed entry; `None` if it is not retried.
fn due_again(cx: &Context, entry: &EntryRow, retry: Retry) -> Result<Option<i64>, Error> {
    let failure = entry.attempts;
    if retry == Retry::Never || failure > entry.max_retries {
        return Ok(None);
    }
    let unit = crate::security::random::unit()?;
    let requested_ms = match retry {
        Retry::After(requested_ms) => requested_ms,
        _ => 0,
    };
    let delay = backoff::delay_ms(failure, unit, requested_ms);
    Ok(Some(cx.now() + delay))
}

/// Runs the action `cf_action_failed(settings, submission, form, failure)` for an entry that is not retried.
async fn notify_of_failure(work: &Work, entry: &EntryRow, report: &Report) {
    let mut settings = work.settings.clone();
    mask(&mut settings);
    let failure =
        json!({"queue_id": entry.id, "action_type": entry.action_type, "message": report.message});
    let arguments = [&work.hook_arguments(settings)[..], &[failure]].concat();
    work.cx.do_action("cf_action_failed", &arguments).await;
}
