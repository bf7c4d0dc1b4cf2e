//! Lists of submissions. The cost of a page does not grow with the number of submissions. With a cursor, it does not
//! grow with the page's depth either.

use super::super::id_edges::IdEdges;
use super::super::pages::{Found, ListQuery, MAX_COUNTED, OrderBy, Page, Range, Start, Total};
use super::super::search::{self, SearchQuery};
use super::super::search_blocks::{self, Part};
use super::super::trash::not_trashed;
use super::super::{Batch, Dialect, Result, Results, dialect, stats};
use super::{COLUMNS, StatusFilter, read_numbered};
use crate::task::Context;
use model::Submission;
use model::status::{SPAM, TRASH};

/// The condition on the submissions of a list without a status filter. Databases use the partial indexes of the
/// migrations only if their condition is the same text.
const LISTED: &str = "s.status NOT IN ('spam', 'trash', 'unsaved')";

/// Limit on the matches that are counted for a search for one word. For several words, it is divided by their number.
const MAX_SEARCHED: i64 = 300;

/// Limit like [`MAX_SEARCHED`] for PostgreSQL, where counting is slower.
const MAX_SEARCHED_ON_POSTGRES: i64 = 100;

/// The filter of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Only submissions of this form.
    pub form_id: Option<i64>,
    /// The filter by status.
    pub status: StatusFilter,
    /// Only submissions from this time range.
    pub range: Range,
    /// Words that the submissions must contain. An empty list of words finds nothing.
    pub words: Option<Vec<String>>,
    /// The forms in the trash, if the search covers all forms. A list without words excludes them by other conditions.
    pub hidden_forms: Vec<i64>,
}

impl Filter {
    fn is_counted(&self) -> bool {
        self.range == Range::default() && self.words.is_none()
    }

    /// Limit on the rows that are counted for a list without counters.
    fn counted_to(&self, dialect: Dialect) -> i64 {
        let one_word = match dialect {
            Dialect::Sqlite => MAX_SEARCHED,
            Dialect::Postgres => MAX_SEARCHED_ON_POSTGRES,
        };
        match &self.words {
            None => MAX_COUNTED,
            Some(words) => one_word / i64::try_from(words.len()).unwrap_or(1).max(1),
        }
    }

    /// The part of a search's ids that a page in the order of ids reads, with one further id. The first page also
    /// counts the matches.
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

    /// The part of a search's ids that is counted.
    fn counted_part(&self, dialect: Dialect) -> Part {
        Part {
            descending: true,
            after: None,
            limit: self.counted_to(dialect) + 1,
            counted: 0,
        }
    }
}

/// Reads a page of a list; `None` if the filter's form does not exist. A search that should be sorted by time is sorted
/// by id if it has too many matches to count.
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
    let is_few = searched.is_some_and(|total| !total.is_least);
    let mut page = *page;
    if filter.words.is_some() && !is_few {
        page.order_by = OrderBy::Id;
    }
    let mut batch = Batch::new(cx);
    let part = if is_few {
        filter.counted_part(dialect)
    } else {
        filter.part_of(&page, counted_to)
    };
    let finds_words = filter.words.as_ref().is_some_and(|words| !words.is_empty());
    let on_postgres = finds_words && dialect == Dialect::Postgres;
    // The query counts the matches itself, and each row contains their number. An empty first page means 0.
    let counts_itself = on_postgres && searched.is_none() && part.counted > 0;
    let reached = if counts_itself {
        "found.reached"
    } else {
        "0 AS reached"
    };
    let columns = [COLUMNS, ", ", reached].concat();
    let rows = narrowed(filter, dialect, page.order_by, &part);
    let rows = rows.read(&mut batch, &columns, &page, is_few || on_postgres);
    let statuses = filter
        .is_counted()
        .then(|| stats::read_statuses(&mut batch, filter.form_id));
    let counted = (statuses.is_none() && searched.is_none() && !counts_itself)
        .then(|| counted(filter, dialect).count(&mut batch, counted_to));
    let form = filter.form_id.map(|form_id| {
        let sql = "SELECT id FROM cf_forms WHERE id = ?1 AND trashed_at IS NULL";
        batch.add(sql, params![form_id])
    });
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

/// Composes the query of a filter. For a search, it covers only a part of the ids.
pub(super) fn narrowed(
    filter: &Filter,
    dialect: Dialect,
    order_by: OrderBy,
    part: &Part,
) -> ListQuery<'static> {
    let time = match order_by {
        OrderBy::Activity => "s.modified_at",
        OrderBy::Time | OrderBy::Id => "s.submitted_at",
    };
    let mut source = ListQuery::new("cf_submissions s", time, "s.id");
    if filter.words.is_some() {
        find(&mut source, filter, dialect, part);
        // SQLite keeps the order of a `CROSS JOIN`, so it reads the search index first.
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
        StatusFilter::OneOf(statuses) => source.one_of("s.status", statuses),
    }
    source.equal("s.form_id", filter.form_id);
    if filter.form_id.is_none() {
        source.conditions.push(not_trashed("s.form_id"));
    }
    source.within(filter.range, order_by);
    source
}

/// Composes the query that counts a filter's submissions. A search reads only the search index if possible.
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

/// Makes the search index the source of a query, with the words, form and status as conditions. On PostgreSQL, the
/// source covers only a part of the ids, within the time range.
fn find(source: &mut ListQuery<'_>, filter: &Filter, dialect: Dialect, part: &Part) {
    source.from = "cf_submission_search found".into();
    source.id = "found.rowid";
    let search_query = SearchQuery {
        words: filter.words.as_deref().unwrap_or_default(),
        status: &filter.status,
        form_id: filter.form_id,
        hidden_forms: &filter.hidden_forms,
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
        StatusFilter::OneOf(statuses) => statuses.contains(label),
    });
    Ok(counts.iter().map(|(_, count)| count).sum())
}

/// Reads the numbers of submissions by status, and of starred submissions, of a form or of the whole site. Each row is
/// a metric (`status` or `starred`), a label and a number.
pub async fn counts(cx: &Context, form_id: Option<i64>) -> Result<Vec<(String, String, i64)>> {
    let mut batch = Batch::new(cx);
    let place = stats::read_views(&mut batch, form_id);
    batch.run().await?.rows(place)
}

/// Whether more submissions than `limit` match a filter.
pub async fn exceeds(cx: &Context, filter: &Filter, limit: i64) -> Result<bool> {
    let mut batch = Batch::new(cx);
    let mut source = counted(filter, batch.dialect());
    if filter.words.is_some() && batch.dialect() == Dialect::Postgres {
        let part = Part {
            limit: limit + 1,
            ..filter.counted_part(Dialect::Postgres)
        };
        source = ListQuery::new("", "", "");
        find(&mut source, filter, Dialect::Postgres, &part);
    }
    let place = source.count(&mut batch, limit);
    Ok(Total::read(&mut batch.run().await?, place, limit)?.is_least)
}
