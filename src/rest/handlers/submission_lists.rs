//! The lists and counts of submissions, and the filter that lists and exports share (specification, "Submissions";
//! contract, section 5).

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
    self, Submission, any_word, find_answer, known_statuses, read_by_schemas, search_words,
    starred_word,
};
use crate::task::Context;

/// Limit on the fields whose answers a request filters by.
const MAX_FIELD_FILTERS: usize = 10;

/// `GET /cf/v1/submissions`.
pub async fn list(call: Call) -> Result<Response, Error> {
    let form_id = call.arguments.integer("form_id");
    let (part, found) = read_list(&call, "/submissions", form_id).await?;
    let found = found.unwrap_or_default();
    part.respond(&call, &found, place(&part), &found.rows)
}

/// `GET /cf/v1/forms/{form_id}/submissions`.
pub async fn list_of_form(call: Call) -> Result<Response, Error> {
    let form_id = call.arguments.id("form_id");
    let path = format!("/forms/{form_id}/submissions");
    let (part, found) = read_list(&call, &path, Some(form_id)).await?;
    let found = found.ok_or(Error::NotFound(Missing::Form))?;
    part.respond(&call, &found, place(&part), &found.rows)
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
        hidden_forms,
    })
}

/// The search index words for the requested star and answers.
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
    for (index, (name, value)) in fields.into_iter().flatten().enumerate() {
        let value = value.as_str().unwrap_or_default();
        if value.trim().is_empty() || index >= MAX_FIELD_FILTERS {
            let message = format!(
                "field[{name}] must not be empty, and at most {MAX_FIELD_FILTERS} fields may be filtered."
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
        marks.push(any_word(names.flat_map(|name| find_answer(name, value))));
    }
    Ok(marks)
}

/// Adds the marks to the words of a search. A search whose text contains no words still finds nothing.
fn with_marks(words: Option<Vec<String>>, marks: &[String]) -> Option<Vec<String>> {
    match words {
        _ if marks.is_empty() => words,
        Some(words) if words.is_empty() => Some(words),
        words => Some([&words.unwrap_or_default(), marks].concat()),
    }
}

/// Reads the requested part of a list; `None` if the form does not exist. By default, lists are sorted by time, and
/// searches by id, the order of the search index.
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

/// Replaces the status filter by a list of statuses. A list sorted by last activity needs one, since its database
/// indexes begin with the status.
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

/// Returns a function that gives a row's position: the time by which the list is sorted, and the id.
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

/// Checks a comma-separated list of statuses.
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
