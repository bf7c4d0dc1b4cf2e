//! Lists of submissions. The cost of a page does not grow with the number of submissions, nor,
//! with a cursor, with the page's depth.

use super::super::{Batch, Bindings, Dialect, Results, StoreError, search, stats};
use super::{COLUMNS, submission};
use crate::submissions::{SPAM, Submission, TRASH};
use crate::task::Context;

/// What a list shows unless a status is asked for. Word for word the condition of the partial
/// indexes in the migration, without which they are not used.
const LISTED: &str = "s.status NOT IN ('spam', 'trash', 'unsaved')";

/// How far a list that no counter covers is counted.
const COUNTED: i64 = 2_000;

/// Which statuses a list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// All but spam and trash.
    Listed,
    /// All.
    Any,
    /// One.
    Only(String),
}

/// What a list is narrowed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// One form.
    pub form_id: Option<i64>,
    /// Which statuses.
    pub status: StatusFilter,
    /// Submitted later than this, in milliseconds UTC.
    pub after: Option<i64>,
    /// Submitted earlier than this, in milliseconds UTC.
    pub before: Option<i64>,
    /// With all of these words. An empty list of words is a search that finds nothing.
    pub words: Option<Vec<String>>,
}

impl Filter {
    fn is_counted(&self) -> bool {
        self.after.is_none() && self.before.is_none() && self.words.is_none()
    }
}

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// The time of submission, then the id.
    SubmittedAt,
    /// The id.
    Id,
}

/// The last submission of a page, from which the next goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Its time of submission.
    pub submitted_at: i64,
    /// Its id.
    pub id: i64,
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// After so many.
    Offset(i64),
    /// After a submission.
    After(Cursor),
}

/// Which part of a list, in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// What to sort by.
    pub order_by: OrderBy,
    /// Whether the last comes first.
    pub descending: bool,
    /// Where it begins.
    pub start: Start,
    /// How many it holds.
    pub limit: i64,
}

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its submissions, in order.
    pub submissions: Vec<Submission>,
    /// What they are sorted by.
    pub order_by: OrderBy,
    /// Whether others follow.
    pub more: bool,
    /// How many the whole list has.
    pub total: i64,
    /// Whether the whole list has more than `total`, because counting stopped there.
    pub total_is_least: bool,
    /// Whether the form that the list is narrowed to is there.
    pub form_exists: bool,
}

/// Reads a page of a list.
pub async fn list(cx: &Context, filter: &Filter, page: &Page) -> Result<Found, StoreError> {
    let searched = searched_total(cx, filter).await?;
    let few = searched.is_some_and(|total| total <= COUNTED);
    let mut batch = Batch::new(cx);
    let rows = read_page(&mut batch, filter, page, few);
    let statuses = filter
        .is_counted()
        .then(|| stats::read_statuses(&mut batch, filter.form_id));
    let counted = (statuses.is_none() && searched.is_none()).then(|| count(&mut batch, filter));
    let form = filter
        .form_id
        .map(|form_id| batch.add("SELECT 1 FROM cf_forms WHERE id = ?1", vec![form_id.into()]));
    let mut results = batch.run().await?;
    let total = match (statuses, counted) {
        (Some(place), _) => counted_total(&mut results, place, &filter.status)?,
        (None, Some(place)) => read_count(&mut results, place)?,
        (None, None) => searched.unwrap_or(0),
    };
    let mut submissions = results
        .rows(rows)
        .into_iter()
        .map(|row| submission(row).map(|found| found.submission))
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(page.limit).unwrap_or(0);
    let more = submissions.len() > limit;
    submissions.truncate(limit);
    let total_is_least = !filter.is_counted() && total > COUNTED;
    Ok(Found {
        submissions,
        order_by: page.order_by,
        more,
        total: if total_is_least { COUNTED } else { total },
        total_is_least,
        form_exists: form.is_none_or(|place| results.first(place).is_some()),
    })
}

/// How many a search of PostgreSQL finds, up to one beyond [`COUNTED`]; `None` for other lists. Its
/// planner cannot know how many words begin with a text: for few submissions it would walk all to
/// find them in order, for many it would sort them all. SQLite's index of words is in order.
async fn searched_total(cx: &Context, filter: &Filter) -> Result<Option<i64>, StoreError> {
    let mut batch = Batch::new(cx);
    if filter.words.is_none() || batch.dialect() == Dialect::Sqlite {
        return Ok(None);
    }
    let place = count(&mut batch, filter);
    read_count(&mut batch.run().await?, place).map(Some)
}

fn read_count(results: &mut Results, place: usize) -> Result<i64, StoreError> {
    results.first(place).map_or(Ok(0), |row| row.integer(0))
}

/// Adds the read of a page, and of one submission more, which tells whether others follow. What is
/// known to be `few` is sorted rather than walked.
fn read_page(batch: &mut Batch<'_>, filter: &Filter, page: &Page, few: bool) -> usize {
    let mut bindings = Bindings::default();
    let (from, mut conditions) = narrowed(filter, batch.dialect(), &mut bindings);
    let id = if filter.words.is_some() {
        "found.rowid"
    } else {
        "s.id"
    };
    let (direction, beyond) = if page.descending {
        ("DESC", "<")
    } else {
        ("ASC", ">")
    };
    let offset = match page.start {
        Start::Offset(offset) => offset,
        Start::After(cursor) => {
            let last = bindings.bind(cursor.id);
            conditions.push(match page.order_by {
                OrderBy::SubmittedAt => {
                    let time = bindings.bind(cursor.submitted_at);
                    format!("(s.submitted_at, {id}) {beyond} ({time}, {last})")
                }
                OrderBy::Id => format!("{id} {beyond} {last}"),
            });
            0
        }
    };
    // A sum is in no index.
    let sorted = if few { " + 0" } else { "" };
    let order = match page.order_by {
        OrderBy::SubmittedAt => {
            format!("s.submitted_at{sorted} {direction}, {id} {direction}")
        }
        OrderBy::Id => format!("{id}{sorted} {direction}"),
    };
    let limit = bindings.bind(page.limit + 1);
    let offset = bindings.bind(offset);
    let sql = format!(
        "SELECT {COLUMNS} FROM {from} WHERE {} ORDER BY {order} LIMIT {limit} OFFSET {offset}",
        conditions.join(" AND ")
    );
    batch.add_composed(sql, bindings.values())
}

/// Adds a count of what no counter covers, up to one beyond [`COUNTED`].
fn count(batch: &mut Batch<'_>, filter: &Filter) -> usize {
    let mut bindings = Bindings::default();
    let (from, conditions) = narrowed(filter, batch.dialect(), &mut bindings);
    let limit = bindings.bind(COUNTED + 1);
    let sql = format!(
        "SELECT COUNT(*) FROM (SELECT 1 FROM {from} WHERE {} LIMIT {limit}) AS counted",
        conditions.join(" AND ")
    );
    batch.add_composed(sql, bindings.values())
}

/// What to select from, and on which conditions.
fn narrowed(
    filter: &Filter,
    dialect: Dialect,
    bindings: &mut Bindings,
) -> (&'static str, Vec<String>) {
    let mut conditions = vec![match &filter.status {
        StatusFilter::Listed => LISTED.to_owned(),
        StatusFilter::Any => "s.status <> 'unsaved'".to_owned(),
        StatusFilter::Only(status) => format!("s.status = {}", bindings.bind(status.as_str())),
    }];
    if let Some(form_id) = filter.form_id {
        conditions.push(format!("s.form_id = {}", bindings.bind(form_id)));
    }
    if let Some(after) = filter.after {
        conditions.push(format!("s.submitted_at > {}", bindings.bind(after)));
    }
    if let Some(before) = filter.before {
        conditions.push(format!("s.submitted_at < {}", bindings.bind(before)));
    }
    let Some(words) = &filter.words else {
        return ("cf_submissions s", conditions);
    };
    if words.is_empty() {
        conditions.push("1 = 0".to_owned());
    } else {
        let query = bindings.bind(search::query(dialect, words, filter.form_id));
        conditions.push(search::matches(dialect, &query));
    }
    conditions.push("s.id = found.rowid".to_owned());
    // SQLite keeps the order of a CROSS JOIN: the index of words leads.
    (
        "cf_submission_search found CROSS JOIN cf_submissions s",
        conditions,
    )
}

fn counted_total(
    results: &mut Results,
    place: usize,
    filter: &StatusFilter,
) -> Result<i64, StoreError> {
    let mut total = 0;
    for mut row in results.rows(place) {
        let label = row.text(0)?;
        let shown = match filter {
            StatusFilter::Listed => label != SPAM && label != TRASH,
            StatusFilter::Any => true,
            StatusFilter::Only(status) => *status == label,
        };
        if shown {
            total += row.integer(1)?;
        }
    }
    Ok(total)
}
