//! The routes of single submissions, and their bulk changes (specification, "Submissions"; contract, section 5).

use serde_json::Value;

use super::hold_warnings::with_taken;
use crate::error::{Error, Missing};
use crate::files;
use crate::forms;
use crate::http::Response;
use crate::json;
use crate::ordered;
use crate::rest::Call;
use crate::store::queue::NewEntry;
use crate::store::submissions::{self as store, Change, StoredSubmission};
use crate::submissions::{self, Submission, known_statuses, notify_changed, read_by_schemas};
use crate::task::Context;

/// Limit on the submissions of one bulk request.
pub const MAX_BULK: usize = 100;

/// Limit on the attempts of a change. A concurrent change makes an attempt fail.
pub(super) const MAX_ATTEMPTS: usize = 5;

/// `GET /cf/v1/submissions/{id}`. A caller who may only read submissions also gets the form's title and fields, since
/// such a caller cannot read the form.
pub async fn get(call: Call) -> Result<Response, Error> {
    let submission = read(&call.cx, call.arguments.id("id")).await?.submission;
    if !call.principal.only_reads_submissions() {
        return Ok(respond(&submission));
    }
    let form = forms::load(&call.cx, submission.form_id).await?;
    let title = form.as_ref().map(|form| form.title.clone());
    let schema = form.map(|form| forms::readable_schema(&call.cx, &form));
    let schema = schema.transpose()?;
    let fields = schema.iter().flat_map(|schema| schema.all_answer_fields());
    let form = json!({"form_title": title, "fields": json::value(&fields.collect::<Vec<_>>())});
    let body = json::with(json::value(&submission), form);
    Ok(Response::json(200, &body).with_version(submission.modified_at))
}

/// `GET /cf/v1/submissions/{id}/files/{file_id}`.
pub async fn file(call: Call) -> Result<Response, Error> {
    let is_inline = call.arguments.flag("inline");
    let fetch = &call.fetch;
    if !(fetch.opens() || fetch.is_same_origin_script() || is_inline && fetch.is_picture()) {
        return Err(Error::FileFetchRefused);
    }
    let stored = read(&call.cx, call.arguments.id("id")).await?;
    let id = call.arguments.id("file_id");
    let mut files = stored.submission.files.iter();
    let file = files.find(|file| file.id == id);
    let file = file.ok_or(Error::NotFound(Missing::File))?;
    let response = files::file_response(&call.cx, file, is_inline).await?;
    response.ok_or(Error::NotFound(Missing::File))
}

fn respond(submission: &Submission) -> Response {
    Response::json(200, submission).with_version(submission.modified_at)
}

pub(super) async fn read(cx: &Context, id: i64) -> Result<StoredSubmission, Error> {
    let found = find(cx, &[id]).await?;
    let first = found.into_iter().next();
    first.ok_or(Error::NotFound(Missing::Submission))
}

/// Finds the existing submissions among these ids, with answers under the current names of their fields.
async fn find(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>, Error> {
    let mut found = store::find(cx, ids).await?;
    let submissions = found.iter_mut().map(|stored| &mut stored.submission);
    read_by_schemas(cx, submissions).await?;
    Ok(found)
}

/// `PATCH /cf/v1/submissions/{id}`.
pub async fn update(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let id = arguments.id("id");
    let mut changed = ["status", "starred", "data"].into_iter();
    if !changed.any(|name| arguments.value(name).is_some()) {
        return Err(Error::MissingParameters(vec!["status".to_owned()]));
    }
    let status = match arguments.text("status") {
        Some(status) => Some(checked_status(&call.cx, status).await?),
        None => None,
    };
    for _ in 0..MAX_ATTEMPTS {
        let stored = read(&call.cx, id).await?;
        call.precondition.check(stored.submission.modified_at)?;
        let before = &stored.submission;
        let data = match arguments.object("data") {
            Some(sent) => submissions::edited(&call.cx, before, sent).await?,
            None => None,
        };
        let starred = arguments.value("starred").and_then(Value::as_bool);
        let starred = starred.unwrap_or(before.starred);
        let status = status.clone().unwrap_or_else(|| before.status.clone());
        if before.status == status && before.starred == starred && data.is_none() {
            return Ok(respond(before));
        }
        let mut changes = changes(&call, vec![stored], &status).await?;
        let signer = crate::store::signer(&call.cx).await?;
        for change in &mut changes {
            change.starred = starred;
            if let Some(answers) = &data {
                let after = Submission {
                    data: answers.data.clone(),
                    ..change.stored.submission.clone()
                };
                let mut hashes = signer.address_hashes(&after);
                hashes.retain(|hash| !change.address_hashes.contains(hash));
                change.address_hashes.extend(hashes);
            }
            change.data.clone_from(&data);
        }
        if store::set_status(&call.cx, &changes).await? == [true] {
            let stored = read(&call.cx, id).await?;
            let mut response = respond(&stored.submission);
            response.run_queue = changes.iter().any(queues);
            notify_changed(&call.cx, &changes).await?;
            return with_taken(&call, response, &changes).await;
        }
    }
    Err(Error::Conflict)
}

/// `DELETE /cf/v1/submissions/{id}`.
pub async fn delete(call: Call) -> Result<Response, Error> {
    let stored = read(&call.cx, call.arguments.id("id")).await?;
    call.precondition.check(stored.submission.modified_at)?;
    let stored = [stored];
    submissions::delete(&call.cx, &stored).await?;
    let previous = stored.first().map(|stored| &stored.submission);
    let body = json!({"deleted": true, "previous": json::value(&previous)});
    Ok(Response::json(200, &body))
}

/// `POST /cf/v1/submissions/bulk`: changes or deletes up to 100 submissions like the routes for one. The response lists
/// the processed ids and the unknown ids.
pub async fn bulk(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let mut ids = arguments.integers("ids");
    ordered::sort_by(&mut ids, Ord::cmp);
    ids.dedup();
    let mut run_queue = false;
    let mut changed = Vec::new();
    let done = if arguments.text("action") == Some("delete") {
        let stored = store::find(&call.cx, &ids).await?;
        submissions::delete(&call.cx, &stored).await?;
        stored.iter().map(|stored| stored.submission.id).collect()
    } else {
        let Some(status) = arguments.text("status") else {
            return Err(Error::MissingParameters(vec!["status".to_owned()]));
        };
        let status = checked_status(&call.cx, status).await?;
        let (done, queued) = set_all(&call, &ids, &status, &mut changed).await?;
        run_queue = queued;
        done
    };
    let missing: Vec<&i64> = ids.iter().filter(|id| !done.contains(id)).collect();
    let mut response = Response::json(200, &json!({"done": done, "not_found": missing}));
    response.run_queue = run_queue;
    with_taken(&call, response, &changed).await
}

/// Sets the status of submissions, and retries after concurrent changes. Returns the ids that have the status now, and
/// whether entries of the queue may be due. Adds the changes to `all_changed`.
async fn set_all(
    call: &Call,
    ids: &[i64],
    status: &str,
    all_changed: &mut Vec<Change>,
) -> Result<(Vec<i64>, bool), Error> {
    let cx = &call.cx;
    let mut queued = false;
    for _ in 0..MAX_ATTEMPTS {
        let stored = find(cx, ids).await?;
        let done = stored.iter().map(|stored| stored.submission.id).collect();
        let others = stored
            .into_iter()
            .filter(|stored| stored.submission.status != status)
            .collect();
        let changes = changes(call, others, status).await?;
        let effects = store::set_status(cx, &changes).await?;
        let is_complete = effects.iter().all(|done| *done);
        let mut changed = changes;
        let mut effects = effects.into_iter();
        changed.retain(|_| effects.next() == Some(true));
        queued |= changed.iter().any(queues);
        notify_changed(cx, &changed).await?;
        all_changed.append(&mut changed);
        if is_complete {
            return Ok((done, queued));
        }
    }
    Err(Error::Conflict)
}

/// Whether the change takes a submission out of spam, so that entries of the queue may be due.
fn queues(change: &Change) -> bool {
    change.stored.submission.is_spam && !change.is_spam()
}

/// Builds the changes to a status. A submission that leaves spam also gets its form's actions.
async fn changes(
    call: &Call,
    stored: Vec<StoredSubmission>,
    status: &str,
) -> Result<Vec<Change>, Error> {
    let cx = &call.cx;
    let mut forms = forms::Loaded::default();
    let mut changes = Vec::with_capacity(stored.len());
    let signer = crate::store::signer(cx).await?;
    for stored in stored {
        let mut address_hashes = signer.address_hashes(&stored.submission);
        for former in &stored.former_addresses {
            if !address_hashes.contains(former) {
                address_hashes.push(former.clone());
            }
        }
        let mut change = Change {
            address_hashes,
            starred: stored.submission.starred,
            data: None,
            user: call.principal.login.clone(),
            stored,
            status: status.to_owned(),
            entries: Vec::new(),
        };
        let form_id = change.stored.submission.form_id;
        if change.releases_actions()
            && let Some(form) = forms.get(cx, form_id).await?
        {
            change.entries = forms::entries_of(&form.settings())?;
        }
        changes.push(change);
    }
    Ok(changes)
}

pub(super) async fn entries_of_form(cx: &Context, form_id: i64) -> Result<Vec<NewEntry>, Error> {
    match forms::load(cx, form_id).await? {
        Some(form) => Ok(forms::entries_of(&form.settings())?),
        None => Ok(Vec::new()),
    }
}

pub(super) async fn checked_status(cx: &Context, status: &str) -> Result<String, Error> {
    let known = known_statuses(cx).await;
    if known.iter().any(|name| name == status) {
        return Ok(status.to_owned());
    }
    let message = format!("status is not one of {}.", known.join(", "));
    Err(Error::invalid("status", "rest_not_in_enum", message))
}
