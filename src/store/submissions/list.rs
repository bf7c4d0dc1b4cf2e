//! Lists of submissions. The cost of a page does not grow with the number of submissions, nor,
//! with a cursor, with the page's depth.

use super::super::pages::{COUNTED, Found, IdEdges, ListQuery, OrderBy, Page, Range, Start, Total};
use super::super::search::{self, SearchQuery};
use super::super::search_blocks::{self, Part};
use super::super::{Batch, Dialect, Result, Results, dialect, stats};
use super::{COLUMNS, read_numbered};
use crate::task::Context;
use model::Submission;
use model::status::{SPAM, TRASH};

/// The submissions of a list, unless it is filtered by a status. Word for word the condition of the
/// partial indexes in the migration, without which they are not used.
const LISTED: &str = "s.status NOT IN ('spam', 'trash', 'unsaved')";

/// How far a search for one word is counted, through the lists of submissions of its words and marks;
/// for several words so far divided by their number.
const SEARCHED: i64 = 300;

/// The same on PostgreSQL, where going through the lists takes longer.
const SEARCHED_ON_POSTGRES: i64 = 100;

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

/// The filter of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// One form.
    pub form_id: Option<i64>,
    /// Which statuses.
    pub status: StatusFilter,
    /// Between which moments they were submitted.
    pub range: Range,
    /// Words that the submissions contain. An empty list of words is a search that finds nothing.
    pub words: Option<Vec<String>>,
    /// The same words in an index that the version before has written at least in part; empty where they are the same.
    pub former_words: Vec<String>,
}

impl Filter {
    fn is_counted(&self) -> bool {
        self.range == Range::default() && self.words.is_none()
    }

    /// How far a total is counted that no counter knows.
    fn counted_to(&self, dialect: Dialect) -> i64 {
        let one_word = match dialect {
            Dialect::Sqlite => SEARCHED,
            Dialect::Postgres => SEARCHED_ON_POSTGRES,
        };
        match &self.words {
            None => COUNTED,
            Some(words) => one_word / i64::try_from(words.len()).unwrap_or(1).max(1),
        }
    }

    /// The part of a search's ids that a page by id reads, with one more. The first page counts them.
    fn part_of(&self, page: &Page, counted_to: i64) -> Part {
        let (offset, after) = match page.start {
            Start::Offset(offset) => (offset, None),
            Start::After(cursor) => (0, Some(cursor.id)),
        };
        let is_first = page.start == Start::Offset(0);
        Part {
            descending: page.descending,
            after,
            limit: page.limit.saturating_add(offset).saturating_add(1),
            counted: if is_first { counted_to + 1 } else { 0 },
        }
    }

    /// The part that is counted.
    fn counted_part(&self, dialect: Dialect) -> Part {
        Part {
            descending: true,
            after: None,
            limit: self.counted_to(dialect) + 1,
            counted: 0,
        }
    }
}

/// Reads a page of a list. `None` when the form that it is narrowed to is not there. A search is
/// sorted by time only where it is counted to its end, else by id.
pub async fn list(cx: &Context, filter: &Filter, page: &Page) -> Result<Option<Found<Submission>>> {
    let dialect = dialect(cx);
    let counted_to = filter.counted_to(dialect);
    let searched = match (&filter.words, page.order_by) {
        (Some(_), OrderBy::Time) => {
            let mut batch = Batch::new(cx);
            let place = counted(filter, dialect).count(&mut batch, counted_to);
            Some(Total::read(&mut batch.run().await?, place, counted_to)?)
        }
        _ => None,
    };
    let few = searched.is_some_and(|total| !total.is_least);
    let mut page = *page;
    if filter.words.is_some() && !few {
        page.order_by = OrderBy::Id;
    }
    let mut batch = Batch::new(cx);
    let part = if few {
        filter.counted_part(dialect)
    } else {
        filter.part_of(&page, counted_to)
    };
    let finds_words = filter.words.as_ref().is_some_and(|words| !words.is_empty());
    let on_postgres = finds_words && dialect == Dialect::Postgres;
    // What was counted on the way comes with each row: an empty first page has none, and nothing to count.
    let counts_itself = on_postgres && searched.is_none() && part.counted > 0;
    let reached = if counts_itself {
        "found.reached"
    } else {
        "0 AS reached"
    };
    let columns = [COLUMNS, ", ", reached].concat();
    let rows = narrowed(filter, dialect, page.order_by, &part);
    let rows = rows.read(&mut batch, &columns, &page, few || on_postgres);
    let statuses = filter
        .is_counted()
        .then(|| stats::read_statuses(&mut batch, filter.form_id));
    let counted = (statuses.is_none() && searched.is_none() && !counts_itself)
        .then(|| counted(filter, dialect).count(&mut batch, counted_to));
    let form = filter
        .form_id
        .map(|form_id| batch.add("SELECT id FROM cf_forms WHERE id = ?1", params![form_id]));
    let mut results = batch.run().await?;
    if form.is_some_and(|place| !results.has_row(place)) {
        return Ok(None);
    }
    let (found, reached) = read_numbered(cx, &mut results, rows)?;
    let total = match (statuses, counted, searched) {
        (Some(place), _, _) => Total::known(counted_total(&mut results, place, &filter.status)?),
        (None, Some(place), _) => Total::read(&mut results, place, counted_to)?,
        (None, None, Some(searched)) => searched,
        (None, None, None) => Total::counted(reached, counted_to),
    };
    Ok(Some(Found::of(found, &page, total)))
}

/// The query of a filter; for a search it need cover no more than a part of the ids.
pub(super) fn narrowed(
    filter: &Filter,
    dialect: Dialect,
    order_by: OrderBy,
    part: &Part,
) -> ListQuery<'static> {
    let mut source = ListQuery::new("cf_submissions s", "s.submitted_at", "s.id");
    if filter.words.is_some() {
        find(&mut source, filter, dialect, part);
        // SQLite keeps the order of a CROSS JOIN: the index of words leads.
        *source.from.to_mut() += " CROSS JOIN cf_submissions s";
        source.conditions.push("s.id = found.rowid".to_owned());
        if dialect == Dialect::Sqlite {
            source.within(filter.range, OrderBy::Id);
        }
        return source;
    }
    match &filter.status {
        StatusFilter::Listed => source.conditions.push(LISTED.to_owned()),
        StatusFilter::Any => source.conditions.push("s.status <> 'unsaved'".to_owned()),
        StatusFilter::Only(status) => source.equal("s.status", Some(status.as_str())),
    }
    source.equal("s.form_id", filter.form_id);
    source.within(filter.range, order_by);
    source
}

/// The query that counts a filter's submissions. A search needs the index of words alone: no submission is looked at.
fn counted(filter: &Filter, dialect: Dialect) -> ListQuery<'static> {
    let part = filter.counted_part(dialect);
    let is_of_index = dialect == Dialect::Postgres || filter.range == Range::default();
    if filter.words.is_some() && is_of_index {
        let mut source = ListQuery::new("", "", "");
        find(&mut source, filter, dialect, &part);
        return source;
    }
    narrowed(filter, dialect, OrderBy::Time, &part)
}

/// Reads what has the words from the index, which knows the form and the status too; on PostgreSQL a
/// part of it, within the range of time.
fn find(source: &mut ListQuery<'_>, filter: &Filter, dialect: Dialect, part: &Part) {
    source.from = "cf_submission_search found".into();
    source.id = "found.rowid";
    let search_query = SearchQuery {
        words: filter.words.as_deref().unwrap_or_default(),
        former_words: &filter.former_words,
        status: &filter.status,
        form_id: filter.form_id,
    };
    if search_query.words.is_empty() {
        return source.conditions.push("1 = 0".to_owned());
    }
    let bindings = &mut source.bindings;
    match dialect {
        Dialect::Sqlite => {
            let query = bindings.bind(search_query.sqlite_query());
            source.conditions.push(search::matches(dialect, &query));
        }
        Dialect::Postgres => {
            let edges = IdEdges::of(bindings, filter.range, "cf_submissions", "s.submitted_at");
            source.from = search_blocks::ids(bindings, &search_query, &edges, part).into();
        }
    }
}

fn counted_total(results: &mut Results, place: usize, filter: &StatusFilter) -> Result<i64> {
    let mut counts: Vec<(String, i64)> = results.rows(place)?;
    counts.retain(|(label, _)| match filter {
        StatusFilter::Listed => label != SPAM && label != TRASH,
        StatusFilter::Any => true,
        StatusFilter::Only(status) => status == label,
    });
    Ok(counts.iter().map(|(_, count)| count).sum())
}
