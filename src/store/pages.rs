//! Pages of lists that are kept in the order of time or of ids: which rows a page holds, and how many the
//! list has. With a cursor the cost of a page does not grow with its depth.

use std::borrow::Cow;

use super::{Batch, Bindings, Dialect, Result, Results};

/// How far a list that no counter covers is counted.
pub(super) const COUNTED: i64 = 1_000;

/// How much the clocks of a database's hosts may differ, and be set back. But for that, ids rise with the rows' time.
const CLOCKS_DIFFER_MS: i64 = 3_600_000;

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// The list's own time, then the id.
    Time,
    /// The id.
    Id,
}

/// The last row of a page, after which the next page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Its time, in milliseconds UTC.
    pub time: i64,
    /// Its id.
    pub id: i64,
}

/// Where a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// After that many rows.
    Offset(i64),
    /// After a row.
    After(Cursor),
}

/// Which part of a list to read, and in which order.
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

impl Page {
    /// The same page of a list whose order of time is that of its ids.
    pub(super) fn by_id(self) -> Page {
        let order_by = OrderBy::Id;
        Page { order_by, ..self }
    }
}

/// The moments between which a list's rows lie, both exclusive, in milliseconds UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Later than this.
    pub after: Option<i64>,
    /// Earlier than this.
    pub before: Option<i64>,
}

/// Which entries of the queue, or of its log, a list shows.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// Of one form.
    pub form_id: Option<i64>,
    /// Of one submission.
    pub submission_id: Option<i64>,
    /// Of one status.
    pub status: Option<String>,
    /// Between which moments they were created.
    pub range: Range,
}

impl RunFilter {
    /// All that were created before a moment.
    pub(super) fn before(moment: i64) -> RunFilter {
        let mut filter = RunFilter::default();
        filter.range.before = Some(moment);
        filter
    }

    /// Whether counters know the number of entries, so that none need be counted.
    pub(super) fn is_counted(&self) -> bool {
        self.submission_id.is_none() && self.range == Range::default()
    }

    /// The query for the rows that the filter lets through, in the order of ids, which rise with their time.
    pub(super) fn narrowed<'a>(&self, table: &'a str) -> ListQuery<'a> {
        let mut source = ListQuery::new(table, "created_at", "id");
        // Those of a submission are few: what else they must be is not looked for in an index.
        let [form_id, status] = match self.submission_id {
            Some(_) => ["form_id + 0", "status || ''"],
            None => ["form_id", "status"],
        };
        source.equal("submission_id", self.submission_id);
        source.equal(form_id, self.form_id);
        source.equal(status, self.status.as_deref());
        source.within(self.range, OrderBy::Id);
        source
    }
}

/// A page of a list.
#[derive(Clone, Debug, Default)]
pub struct Found<T> {
    /// Its rows, in order.
    pub rows: Vec<T>,
    /// Whether others follow.
    pub more: bool,
    /// How many the whole list has.
    pub total: Total,
}

/// How many rows a list has, as far as it was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// How many.
    pub count: i64,
    /// Whether there are more than were counted.
    pub is_least: bool,
}

impl Total {
    /// A total that was counted up to one beyond a limit.
    pub(super) fn counted(count: i64, limit: i64) -> Total {
        Total {
            count: count.min(limit),
            is_least: count > limit,
        }
    }

    /// Reads a total that a statement counted.
    pub(super) fn read(results: &mut Results, place: usize, limit: i64) -> Result<Total> {
        Ok(Total::counted(read_count(results, place)?, limit))
    }

    /// An exact total, from counters.
    pub(super) fn known(count: i64) -> Total {
        Total::counted(count, i64::MAX)
    }
}

/// The source of a list: a table or a join, and which of its rows.
pub(super) struct ListQuery<'a> {
    /// What follows FROM.
    pub from: Cow<'a, str>,
    /// The table that has the list's own time.
    table: &'a str,
    /// The list's own time.
    pub time: &'a str,
    /// The rows' id.
    pub id: &'a str,
    /// The conditions on the rows.
    pub conditions: Vec<String>,
    /// The values that the conditions bind.
    pub bindings: Bindings,
}

impl<'a> ListQuery<'a> {
    /// All rows of a table.
    pub(super) fn new(from: &'a str, time: &'a str, id: &'a str) -> ListQuery<'a> {
        ListQuery {
            from: Cow::Borrowed(from),
            table: from.split(' ').next().unwrap_or_default(),
            time,
            id,
            conditions: vec!["1 = 1".to_owned()],
            bindings: Bindings::default(),
        }
    }

    /// Narrows the list to rows whose column has a value, if one is asked for.
    pub(super) fn equal(&mut self, column: &str, value: Option<impl Into<crate::task::SqlValue>>) {
        if let Some(value) = value {
            let value = self.bindings.bind(value);
            self.conditions.push([column, " = ", &value].concat());
        }
    }

    /// Narrows the list to a range of time; one that is walked by id so that the walk begins where the range does.
    pub(super) fn within(&mut self, range: Range, order_by: OrderBy) {
        if order_by == OrderBy::Time {
            for (moment, beyond) in [(range.after, " > "), (range.before, " < ")] {
                if let Some(moment) = moment {
                    let moment = self.bindings.bind(moment);
                    self.conditions.push([self.time, beyond, &moment].concat());
                }
            }
            return;
        }
        let edges = IdEdges::of(&mut self.bindings, range, self.table, self.time);
        let above = edges.above.map(|edge| format!("{} > {edge}", self.id));
        let below = edges.below.map(|edge| format!("{} < {edge}", self.id));
        self.conditions.extend(above.into_iter().chain(below));
        self.conditions.extend(edges.exact);
    }

    /// Narrows the list to what comes after a row of it.
    pub(super) fn after(&mut self, last: Cursor, order_by: OrderBy, descending: bool) {
        let (time, id) = (self.time, self.id);
        let beyond = if descending { "<" } else { ">" };
        let last_id = self.bindings.bind(last.id);
        self.conditions.push(match order_by {
            OrderBy::Time => {
                let moment = self.bindings.bind(last.time);
                format!("({time}, {id}) {beyond} ({moment}, {last_id})")
            }
            OrderBy::Id => format!("{id} {beyond} {last_id}"),
        });
    }

    /// Adds the read of a page, and of one row more, which shows whether others follow. What is
    /// known to be `few` is sorted rather than walked.
    pub(super) fn read(
        mut self,
        batch: &mut Batch,
        columns: &str,
        page: &Page,
        few: bool,
    ) -> usize {
        let (time, id) = (self.time, self.id);
        let direction = if page.descending { "DESC" } else { "ASC" };
        let offset = match page.start {
            Start::Offset(offset) => offset,
            Start::After(last) => {
                self.after(last, page.order_by, page.descending);
                0
            }
        };
        // A sum is in no index.
        let sorted = if few { " + 0" } else { "" };
        let order = match page.order_by {
            OrderBy::Time => format!("{time}{sorted} {direction}, {id} {direction}"),
            OrderBy::Id => format!("{id}{sorted} {direction}"),
        };
        let limit = self.bindings.bind(page.limit + 1);
        let offset = self.bindings.bind(offset);
        let from = &self.from;
        let part = format!(
            "FROM {from} WHERE {} ORDER BY {order} LIMIT {limit} OFFSET {offset}",
            self.conditions.join(" AND ")
        );
        // PostgreSQL reads the row of what it skips, unless the index alone is asked.
        let skips = matches!(page.start, Start::Offset(1..))
            && batch.dialect() == Dialect::Postgres
            && !from.contains(" JOIN ");
        let part = if skips {
            format!("FROM {from} WHERE {id} IN (SELECT {id} {part}) ORDER BY {order}")
        } else {
            part
        };
        batch.add(format!("SELECT {columns} {part}"), self.bindings.values())
    }

    /// The query for the first so many rows by id.
    pub(super) fn first(&mut self, columns: &str, limit: i64) -> String {
        let (conditions, limit) = (self.conditions.join(" AND "), self.bindings.bind(limit));
        let ListQuery { from, id, .. } = self;
        format!("SELECT {columns} FROM {from} WHERE {conditions} ORDER BY {id} LIMIT {limit}")
    }

    /// Adds a count of what no counter covers, up to one beyond a limit.
    pub(super) fn count(mut self, batch: &mut Batch, limit: i64) -> usize {
        let limit = self.bindings.bind(limit + 1);
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM {} WHERE {} LIMIT {limit}) AS counted",
            self.from,
            self.conditions.join(" AND ")
        );
        batch.add(sql, self.bindings.values())
    }
}

/// A range of time by ids: those of the hour in which its rows begin, and of the one in which they end, are between
/// its edges. So of rows that overlapped none is lost, and one of a wrong time hides no other.
#[derive(Default)]
pub(super) struct IdEdges {
    /// The id that all are greater than.
    pub above: Option<String>,
    /// The id that all are less than.
    pub below: Option<String>,
    /// The conditions that the rows between them must still meet, since the edges are only about those of the range.
    pub exact: Vec<String>,
}

impl IdEdges {
    /// The edges of a range of a table's times, in a statement where that column is `own`.
    pub(super) fn of(bindings: &mut Bindings, range: Range, table: &str, own: &str) -> IdEdges {
        let time = own.rsplit('.').next().unwrap_or_default();
        let mut edges = IdEdges::default();
        if let Some(after) = range.after {
            let after = bindings.bind(after);
            edges.above = Some(format!(
                "COALESCE((SELECT MIN(edge.id + 0) - 1 FROM {table} edge WHERE edge.{time} > {after} AND edge.{time} <= \
                 (SELECT MIN(first.{time}) + {CLOCKS_DIFFER_MS} FROM {table} first WHERE first.{time} > {after})), \
                 {BEYOND_ALL_IDS})"
            ));
            edges.exact.push(format!("{own} + 0 > {after}"));
        }
        if let Some(before) = range.before {
            let before = bindings.bind(before);
            edges.below = Some(format!(
                "COALESCE((SELECT MAX(edge.id + 0) + 1 FROM {table} edge WHERE edge.{time} < {before} AND edge.{time} >= \
                 (SELECT MAX(last.{time}) - {CLOCKS_DIFFER_MS} FROM {table} last WHERE last.{time} < {before})), 0)"
            ));
            edges.exact.push(format!("{own} + 0 < {before}"));
        }
        edges
    }
}

/// Greater than any id, and no number that an edge is reckoned from is too large.
const BEYOND_ALL_IDS: i64 = model::MAX_SAFE_INTEGER;

/// Reads the number that a statement counted; 0 for none.
pub(super) fn read_count(results: &mut Results, place: usize) -> Result<i64> {
    Ok(results.first(place)?.unwrap_or(0))
}

impl<T> Found<T> {
    /// Builds the page of these rows, of which the last may be one too many. The last page by
    /// offset tells the total of a list that was not counted to its end.
    pub(super) fn of(mut rows: Vec<T>, page: &Page, total: Total) -> Found<T> {
        let limit = usize::try_from(page.limit).unwrap_or(0);
        let more = rows.len() > limit;
        rows.truncate(limit);
        let total = match page.start {
            Start::Offset(offset)
                if total.is_least && !more && (offset == 0 || !rows.is_empty()) =>
            {
                Total::known(offset.saturating_add(i64::try_from(rows.len()).unwrap_or(0)))
            }
            _ => total,
        };
        Found { rows, more, total }
    }
}
