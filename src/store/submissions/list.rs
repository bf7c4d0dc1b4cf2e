//! Lists of submissions. The cost of a page does not grow with the number of submissions, nor,
//! with a cursor, with the page's depth.

use super::super::pages::{COUNTED, Found, OrderBy, Page, Range, Source, Total, read_count};
use super::super::{Batch, Dialect, Results, StoreError, search, stats};
use super::{COLUMNS, submission};
use crate::submissions::{SPAM, Submission, TRASH};
use crate::task::Context;

/// What a list shows unless a status is asked for. Word for word the condition of the partial
/// indexes in the migration, without which they are not used.
const LISTED: &str = "s.status NOT IN ('spam', 'trash', 'unsaved')";

/// How far a search for one word is counted, through the lists of submissions of its words and marks;
/// for several words so far divided by their number.
const SEARCHED: i64 = 300;

/// How many submissions PostgreSQL sorts rather than walks all for. It counts so far to know which.
const SORTED: i64 = 2_000;

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
    /// Between which moments they were submitted.
    pub range: Range,
    /// With all of these words. An empty list of words is a search that finds nothing.
    pub words: Option<Vec<String>>,
}

impl Filter {
    fn is_counted(&self) -> bool {
        self.range == Range::default() && self.words.is_none()
    }

    /// How far a total is counted that no counter knows.
    fn counted_to(&self, dialect: Dialect) -> i64 {
        match (&self.words, dialect) {
            (None, _) => COUNTED,
            (Some(_), Dialect::Postgres) => SORTED,
            (Some(words), Dialect::Sqlite) => {
                SEARCHED / i64::try_from(words.len()).unwrap_or(1).max(1)
            }
        }
    }
}

/// Reads a page of a list. `None` when the form that it is narrowed to is not there. A search is
/// sorted by time only where it is counted to its end, else by id.
pub async fn list(
    cx: &Context,
    filter: &Filter,
    page: &Page,
) -> Result<Option<Found<Submission>>, StoreError> {
    let searched = searched_total(cx, filter, page.order_by).await?;
    let few = searched.is_some_and(|total| !total.is_least);
    let mut page = *page;
    if filter.words.is_some() && !few {
        page.order_by = OrderBy::Id;
    }
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let rows = narrowed(filter, dialect, page.order_by).read(&mut batch, COLUMNS, &page, few);
    let statuses = filter
        .is_counted()
        .then(|| stats::read_statuses(&mut batch, filter.form_id));
    let counted = (statuses.is_none() && searched.is_none())
        .then(|| counted(filter, dialect).count(&mut batch, filter.counted_to(dialect)));
    let form = filter
        .form_id
        .map(|form_id| batch.add("SELECT 1 FROM cf_forms WHERE id = ?1", vec![form_id.into()]));
    let mut results = batch.run().await?;
    if form.is_some_and(|place| results.first(place).is_none()) {
        return Ok(None);
    }
    let total = match (statuses, counted) {
        (Some(place), _) => Total::known(counted_total(&mut results, place, &filter.status)?),
        (None, Some(place)) => {
            Total::counted(read_count(&mut results, place)?, filter.counted_to(dialect))
        }
        (None, None) => searched.unwrap_or_default(),
    };
    let read = |row| submission(row).map(|found| found.submission);
    Found::of(results.rows(rows), read, &page, total).map(Some)
}

/// How many a search finds, as far as it is counted, where that says whether to sort it; `None` for
/// other lists. PostgreSQL's planner cannot know how many words begin with a text: for few submissions
/// it would walk all to find them in order, for many it would sort them all. SQLite's index of words is
/// in the order of ids.
pub(super) async fn searched_total(
    cx: &Context,
    filter: &Filter,
    order_by: OrderBy,
) -> Result<Option<Total>, StoreError> {
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let in_order = dialect == Dialect::Sqlite && order_by == OrderBy::Id;
    if filter.words.is_none() || in_order {
        return Ok(None);
    }
    let limit = filter.counted_to(dialect);
    let place = counted(filter, dialect).count(&mut batch, limit);
    let count = read_count(&mut batch.run().await?, place)?;
    Ok(Some(Total::counted(count, limit)))
}

/// What to select from, and on which conditions.
pub(super) fn narrowed(filter: &Filter, dialect: Dialect, order_by: OrderBy) -> Source<'static> {
    let mut source = Source::new("cf_submissions s", "s.submitted_at", "s.id");
    match &filter.words {
        Some(words) => {
            find(&mut source, words, filter, dialect);
            // SQLite keeps the order of a CROSS JOIN: the index of words leads.
            source.from = "cf_submission_search found CROSS JOIN cf_submissions s";
            source.conditions.push("s.id = found.rowid".to_owned());
        }
        None => {
            match &filter.status {
                StatusFilter::Listed => source.conditions.push(LISTED.to_owned()),
                StatusFilter::Any => source.conditions.push("s.status <> 'unsaved'".to_owned()),
                StatusFilter::Only(status) => source.equal("s.status", Some(status.as_str())),
            }
            source.equal("s.form_id", filter.form_id);
        }
    }
    if order_by == OrderBy::Id || filter.words.is_some() {
        source.within_ids(filter.range, "cf_submissions", "submitted_at");
    } else {
        source.within(filter.range);
    }
    source
}

/// What to count. A search needs the index of words alone: no submission is looked at.
fn counted(filter: &Filter, dialect: Dialect) -> Source<'static> {
    match &filter.words {
        Some(words) if filter.range == Range::default() => {
            let mut source = Source::new("cf_submission_search found", "", "");
            find(&mut source, words, filter, dialect);
            source
        }
        Some(_) => narrowed(filter, dialect, OrderBy::Id),
        None => narrowed(filter, dialect, OrderBy::Time),
    }
}

/// Narrows a list to what has the words, by the index, which knows the form and the status too.
fn find(source: &mut Source<'_>, words: &[String], filter: &Filter, dialect: Dialect) {
    source.id = "found.rowid";
    if words.is_empty() {
        return source.conditions.push("1 = 0".to_owned());
    }
    let query = search::query(dialect, words, &filter.status, filter.form_id);
    let query = source.bindings.bind(query);
    source.conditions.push(search::matches(dialect, &query));
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
