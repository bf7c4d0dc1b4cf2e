//! The routes of submissions (specification, "Submissions"; contract, section 5).

use serde_json::Value;

use crate::error::{Error, Missing};
use crate::files;
use crate::forms;
use crate::http::Response;
use crate::json;
use crate::ordered;
use crate::rest::Call;
use crate::rest::paging::{self, ListPart};
use crate::store::forms::trashed;
use crate::store::pages::{Found, OrderBy, Range};
use crate::store::queue::NewEntry;
use crate::store::submissions::{self as store, Change, Filter, StatusFilter, StoredSubmission};
use crate::submissions::{
    self, IndexState, Submission, any_word, former_search_words, former_word_of_answer,
    index_state, known_statuses, notify_changed, read_by_schemas, search_words, starred_word,
    word_of_answer,
};
use crate::task::Context;

/// Limit on the submissions of one bulk request.
pub const MAX_BULK: usize = 100;

/// Limit on the answers that filter a list.
const MAX_FIELD_FILTERS: usize = 10;

/// Limit on the attempts of a change when concurrent changes come first.
pub(super) const MAX_ATTEMPTS: usize = 5;

/// `GET /cf/v1/submissions`.
pub async fn list(call: Call) -> Result<Response, Error> {
    let form_id = call.arguments.integer("form_id");
    let (part, found) = read_list(&call, "/submissions", form_id).await?;
    let found = found.unwrap_or_default();
    part.answer(&call, &found, place(&part), &found.rows)
}

/// `GET /cf/v1/forms/{form_id}/submissions`.
pub async fn list_of_form(call: Call) -> Result<Response, Error> {
    let form_id = call.arguments.id("form_id");
    let path = format!("/forms/{form_id}/submissions");
    let (part, found) = read_list(&call, &path, Some(form_id)).await?;
    let found = found.ok_or(Error::NotFound(Missing::Form))?;
    part.answer(&call, &found, place(&part), &found.rows)
}

/// `GET /cf/v1/submissions/counts`: the numbers of submissions in the views of an inbox, from counters.
pub async fn counts(call: Call) -> Result<Response, Error> {
    let counts = store::counts(&call.cx, call.arguments.integer("form_id")).await?;
    let of = |is_counted: &dyn Fn(&str) -> bool| -> i64 {
        let counts = counts.iter().filter(|(metric, ..)| metric == "status");
        let counts = counts.filter(|(_, status, _)| is_counted(status));
        counts.map(|(.., count)| count).sum()
    };
    let starred = counts.iter().filter(|(metric, ..)| metric == "starred");
    let starred: i64 = starred.map(|(.., count)| count).sum();
    let body = json!({
        "inbox": of(&|status| ["new", "read", "replied"].contains(&status)),
        "unread": of(&|status| status == "new"),
        "starred": starred,
        "replied": of(&|status| status == "replied"),
        "archived": of(&|status| status == "archived"),
        "spam": of(&|status| status == "spam"),
        "trash": of(&|status| status == "trash"),
        "all": of(&|status| !["spam", "trash"].contains(&status)),
    });
    Ok(Response::json(200, &body))
}

/// Reads the filter of a list of submissions from a request.
pub(super) async fn read_filter(call: &Call, form_id: Option<i64>) -> Result<Filter, Error> {
    let arguments = &call.arguments;
    let search = arguments.text("search");
    let search = search.filter(|search| !search.trim().is_empty());
    let marks = requested_marks(call, form_id).await?;
    let words = with_marks(search.map(search_words), &marks);
    let former_words = with_marks(search.map(former_search_words), &marks);
    let is_same = former_words == words || index_state(&call.cx).await? == IndexState::Current;
    let hidden_forms = match (form_id, &words) {
        (None, Some(_)) => trashed(&call.cx).await?,
        _ => Vec::new(),
    };
    Ok(Filter {
        form_id,
        status: match arguments.text("status") {
            None => StatusFilter::Listed,
            Some(submissions::ANY) => StatusFilter::Any,
            Some(statuses) => StatusFilter::OneOf(checked_statuses(&call.cx, statuses).await?),
        },
        range: paging::range(arguments),
        words,
        former_words: if is_same {
            Vec::new()
        } else {
            former_words.unwrap_or_default()
        },
        hidden_forms,
    })
}

/// The index words of the requested star and answers.
async fn requested_marks(call: &Call, form_id: Option<i64>) -> Result<Vec<String>, Error> {
    let arguments = &call.arguments;
    let starred = arguments.value("starred").and_then(Value::as_bool);
    let mut marks: Vec<String> = starred.map(starred_word).into_iter().collect();
    let fields = arguments.object("field");
    let form = match form_id.filter(|_| fields.is_some()) {
        Some(id) => forms::load(&call.cx, id).await?,
        None => None,
    };
    let schema = form.and_then(|form| forms::effective_schema(&call.cx, &form).ok());
    let former = schema.as_ref().map(|schema| schema.former_names());
    let former = former.unwrap_or_default();
    for (name, value) in fields.into_iter().flatten() {
        let value = value.as_str().unwrap_or_default();
        if value.trim().is_empty() || marks.len() > MAX_FIELD_FILTERS {
            let message = format!(
                "field[{name}] must not be empty, and at most {MAX_FIELD_FILTERS} may be asked for."
            );
            return Err(Error::invalid("field", "rest_invalid_param", message));
        }
        let current = former
            .get(name.as_str())
            .map_or(name.as_str(), |current_name| current_name);
        let names = former
            .iter()
            .filter(|(_, current_name)| **current_name == current);
        let names = names.map(|(name, _)| *name).chain([current]);
        // The former word finds submissions that are not reindexed yet.
        let words = names.flat_map(|name| {
            let former = former_word_of_answer(name, value);
            let word = word_of_answer(name, value);
            let former = Some(former).filter(|former| *former != word);
            former.into_iter().chain([word])
        });
        marks.push(any_word(words));
    }
    Ok(marks)
}

/// Adds the marks to the words of a search. A search without words still finds nothing.
fn with_marks(words: Option<Vec<String>>, marks: &[String]) -> Option<Vec<String>> {
    match words {
        _ if marks.is_empty() => words,
        Some(words) if words.is_empty() => Some(words),
        words => Some([&words.unwrap_or_default(), marks].concat()),
    }
}

/// Reads the requested part of a list; `None` when the form does not exist. Lists are sorted by time. A search is
/// sorted by id, the order of the index of words; on request by time, if it finds few submissions.
async fn read_list(
    call: &Call,
    path: &str,
    form_id: Option<i64>,
) -> Result<(ListPart, Option<Found<Submission>>), Error> {
    let mut filter = read_filter(call, form_id).await?;
    let usual = match filter.words {
        Some(_) => OrderBy::Id,
        None => OrderBy::Time,
    };
    let part = ListPart::read(call, path, usual)?;
    if part.wanted.order_by == OrderBy::Activity {
        name_statuses(&call.cx, &mut filter).await?;
    }
    let mut found = store::list(&call.cx, &filter, &part.wanted).await?;
    if let Some(found) = &mut found {
        read_by_schemas(&call.cx, &mut found.rows).await?;
    }
    Ok((part, found))
}

/// Replaces the filter by status of a list by last activity, whose indexes begin with the status.
async fn name_statuses(cx: &Context, filter: &mut Filter) -> Result<(), Error> {
    if filter.words.is_some() || filter.range != Range::default() {
        let message = "orderby=modified_at takes no search, starred, field, after or before.";
        return Err(Error::invalid("orderby", "rest_invalid_param", message));
    }
    let hidden: &[&str] = match filter.status {
        StatusFilter::Listed => &[submissions::SPAM, submissions::TRASH],
        StatusFilter::Any => &[],
        StatusFilter::OneOf(_) => return Ok(()),
    };
    let mut statuses = known_statuses(cx).await;
    statuses.retain(|status| !hidden.contains(&status.as_str()));
    filter.status = StatusFilter::OneOf(statuses);
    Ok(())
}

/// The position of a row: the time by which its list is sorted, and the id.
fn place(part: &ListPart) -> impl Fn(&Submission) -> (i64, i64) {
    let is_by_activity = part.wanted.order_by == OrderBy::Activity;
    move |submission| {
        let time = if is_by_activity {
            submission.modified_at
        } else {
            submission.submitted_at
        };
        (time, submission.id)
    }
}

/// `GET /cf/v1/submissions/{id}`. A caller who may only read submissions also gets the form's title and fields, to
/// understand the answers.
pub async fn get(call: Call) -> Result<Response, Error> {
    let submission = read(&call.cx, call.arguments.id("id")).await?.submission;
    if !call.principal.only_reads_submissions() {
        return Ok(answer(&submission));
    }
    let form = forms::load(&call.cx, submission.form_id).await?;
    let title = form.as_ref().map(|form| form.title.clone());
    let schema = form.map(|form| forms::effective_schema(&call.cx, &form));
    let schema = schema.transpose()?;
    let fields = schema.iter().flat_map(|schema| schema.answer_fields());
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
    let answer = files::file_answer(&call.cx, file, is_inline).await?;
    answer.ok_or(Error::NotFound(Missing::File))
}

fn answer(submission: &Submission) -> Response {
    Response::json(200, submission).with_version(submission.modified_at)
}

pub(super) async fn read(cx: &Context, id: i64) -> Result<StoredSubmission, Error> {
    let found = find(cx, &[id]).await?;
    let first = found.into_iter().next();
    first.ok_or(Error::NotFound(Missing::Submission))
}

/// Finds the submissions of these ids that exist, read by the schemas of their forms.
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
            return Ok(answer(before));
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
            let mut response = answer(&stored.submission);
            response.run_queue = changes.iter().any(queues);
            notify_changed(&call.cx, &changes).await?;
            return Ok(response);
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

/// `POST /cf/v1/submissions/bulk`: changes or deletes the named submissions like the single routes. The response
/// lists the ids that were done and those that were not found.
pub async fn bulk(call: Call) -> Result<Response, Error> {
    let arguments = &call.arguments;
    let mut ids = arguments.integers("ids");
    ordered::sort_by(&mut ids, Ord::cmp);
    ids.dedup();
    let mut run_queue = false;
    let done = if arguments.text("action") == Some("delete") {
        let stored = store::find(&call.cx, &ids).await?;
        submissions::delete(&call.cx, &stored).await?;
        stored.iter().map(|stored| stored.submission.id).collect()
    } else {
        let Some(status) = arguments.text("status") else {
            return Err(Error::MissingParameters(vec!["status".to_owned()]));
        };
        let status = checked_status(&call.cx, status).await?;
        let (done, queued) = set_all(&call, &ids, &status).await?;
        run_queue = queued;
        done
    };
    let missing: Vec<&i64> = ids.iter().filter(|id| !done.contains(id)).collect();
    let mut response = Response::json(200, &json!({"done": done, "not_found": missing}));
    response.run_queue = run_queue;
    Ok(response)
}

/// Sets the status of submissions, and retries after concurrent changes. Returns the ids that have the status now, and
/// whether actions were queued.
async fn set_all(call: &Call, ids: &[i64], status: &str) -> Result<(Vec<i64>, bool), Error> {
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
        if is_complete {
            return Ok((done, queued));
        }
    }
    Err(Error::Conflict)
}

/// Whether the change queues withheld actions.
fn queues(change: &Change) -> bool {
    change.stored.submission.is_spam && !change.is_spam()
}

/// The changes to a status, with the forms' actions for submissions that leave spam.
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

/// The statuses of a list that commas separate.
async fn checked_statuses(cx: &Context, list: &str) -> Result<Vec<String>, Error> {
    let mut statuses: Vec<String> = Vec::new();
    for status in list.split(',').map(str::trim) {
        let status = checked_status(cx, status).await?;
        if !statuses.contains(&status) {
            statuses.push(status);
        }
    }
    Ok(statuses)
}

async fn checked_status(cx: &Context, status: &str) -> Result<String, Error> {
    let known = known_statuses(cx).await;
    if known.iter().any(|name| name == status) {
        return Ok(status.to_owned());
    }
    let message = format!("status is not one of {}.", known.join(", "));
    Err(Error::invalid("status", "rest_not_in_enum", message))
}
