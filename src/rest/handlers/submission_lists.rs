//! The lists and counts of submissions, and the filter that lists, exports and inboxes share (specification,
//! "Submissions"; contract, section 5).

use serde_json::Value;

use super::submissions::checked_status;
use crate::error::{Error, Missing};
use crate::forms;
use crate::http::Response;
use crate::rest::Call;
use crate::rest::paging::{self, ListPart};
use crate::store::forms::trashed;
use crate::store::pages::{Found, OrderBy, Range};
use crate::store::submissions::{self as store, Filter, StatusFilter};
use crate::store::uploads;
use crate::submissions::{
    self, IndexState, Submission, any_word, former_search_words, former_word_of_answer,
    index_state, known_statuses, read_by_schemas, search_words, starred_word, word_of_answer,
};
use crate::task::Context;

/// Limit on the answers that filter a list.
const MAX_FIELD_FILTERS: usize = 10;

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
    let form_id = call.arguments.integer("form_id");
    let counts = store::counts(&call.cx, form_id).await?;
    let of = |is_counted: &dyn Fn(&str) -> bool| -> i64 {
        let counts = counts.iter().filter(|(metric, ..)| metric == "status");
        let counts = counts.filter(|(_, status, _)| is_counted(status));
        counts.map(|(.., count)| count).sum()
    };
    let starred = counts.iter().filter(|(metric, ..)| metric == "starred");
    let starred: i64 = starred.map(|(.., count)| count).sum();
    let mut body = json!({
        "inbox": of(&|status| ["new", "read", "replied"].contains(&status)),
        "unread": of(&|status| status == "new"),
        "starred": starred,
        "replied": of(&|status| status == "replied"),
        "archived": of(&|status| status == "archived"),
        "spam": of(&|status| status == "spam"),
        "trash": of(&|status| status == "trash"),
        "all": of(&|status| !["spam", "trash"].contains(&status)),
    });
    let of_files = form_id.filter(|_| call.arguments.flag("files"));
    if let (Some(form_id), Some(body)) = (of_files, body.as_object_mut()) {
        let files = uploads::count(&call.cx, form_id).await?;
        body.insert("files".to_owned(), files.into());
    }
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
        let message =
            "orderby=modified_at can’t be combined with search, starred, field, after or before.";
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
