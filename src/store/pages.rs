//! Pages of lists in the order of time or id, and the lists' totals. With a cursor, deep pages cost as much as the
//! first.

use std::borrow::Cow;

use super::id_edges::IdEdges;
pub use super::id_edges::Range;
use super::trash::not_trashed;
use super::{Batch, Bindings, Dialect, Result, Results};

/// Limit on the rows that are counted for a list without counters.
pub(super) const MAX_COUNTED: i64 = 1_000;

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// The list's time column, then the id.
    Time,
    /// The time of the last change, then the id. Only for lists of submissions that filter by status.
    Activity,
    /// The id.
    Id,
}

/// The position of a page's last row; the next page begins after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The row's time, in milliseconds UTC.
    pub time: i64,
    /// The row's id.
    pub id: i64,
}

/// The start of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// After a number of rows.
    Offset(i64),
    /// After a row.
    After(Cursor),
}

/// The part of a list to read, and its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// The sort key.
    pub order_by: OrderBy,
    /// Whether the order is descending.
    pub descending: bool,
    /// The start of the page.
    pub start: Start,
    /// Limit on the rows of the page.
    pub limit: i64,
}

impl Page {
    /// Changes the order to that of ids, for lists whose ids rise with time.
    pub(super) fn by_id(self) -> Page {
        let order_by = OrderBy::Id;
        Page { order_by, ..self }
    }
}

/// The filter of a list of queue entries or log entries.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// Only entries of this form.
    pub form_id: Option<i64>,
    /// Only entries of this submission.
    pub submission_id: Option<i64>,
    /// Only entries with this status.
    pub status: Option<String>,
    /// Only entries that were created in this range.
    pub range: Range,
    /// Whether entries of forms in the trash are left out.
    pub hides_trash: bool,
    /// Only dismissed queue entries (true), or only others (false).
    pub dismissed: Option<bool>,
}

impl RunFilter {
    /// A filter for all entries that were created before a moment.
    pub(super) fn before(moment: i64) -> RunFilter {
        let mut filter = RunFilter::default();
        filter.range.before = Some(moment);
        filter
    }

    /// Whether counters can give the number of entries, so that no rows are counted.
    pub(super) fn is_counted(&self) -> bool {
        self.submission_id.is_none() && self.range == Range::default() && self.dismissed.is_none()
    }

    /// The query for the rows that match the filter. Callers sort the rows by id, since ids rise with time.
    pub(super) fn narrowed<'a>(&self, table: &'a str) -> ListQuery<'a> {
        let mut source = ListQuery::new(table, "created_at", "id");
        // A submission has few entries. These expressions make the planner use the index on submissions.
        let [form_id, status] = match self.submission_id {
            Some(_) => ["form_id + 0", "status || ''"],
            None => ["form_id", "status"],
        };
        source.equal("submission_id", self.submission_id);
        source.equal(form_id, self.form_id);
        source.equal(status, self.status.as_deref());
        source.within(self.range, OrderBy::Id);
        if let Some(is_dismissed) = self.dismissed {
            let not = if is_dismissed { " NOT" } else { "" };
            source.conditions.push(format!("dismissed_at IS{not} NULL"));
        }
        if self.hides_trash {
            source.conditions.push(not_trashed("form_id + 0"));
        }
        source
    }
}

/// A page of a list.
#[derive(Clone, Debug, Default)]
pub struct Found<T> {
    /// The rows, in order.
    pub rows: Vec<T>,
    /// Whether more rows follow.
    pub more: bool,
    /// The number of rows of the whole list.
    pub total: Total,
}

/// The number of rows of a list. Exact, or a lower bound if counting stopped at its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The number of counted rows.
    pub count: i64,
    /// Whether the list has more rows than were counted.
    pub is_least: bool,
}

impl Total {
    /// Builds a total from a count that stopped one row beyond a limit.
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

/// The source of a list: a table or a join, and the conditions on its rows.
pub(super) struct ListQuery<'a> {
    /// The FROM clause.
    pub from: Cow<'a, str>,
    /// The table with the list's time column.
    table: &'a str,
    /// The list's time column.
    pub time: &'a str,
    /// The column of the rows' id.
    pub id: &'a str,
    /// The conditions on the rows.
    pub conditions: Vec<String>,
    /// A column, and the placeholders of its allowed values.
    one_of: Option<(&'static str, Vec<String>)>,
    /// The values that the conditions bind.
    pub bindings: Bindings,
}

impl<'a> ListQuery<'a> {
    /// The query for all rows of a table.
    pub(super) fn new(from: &'a str, time: &'a str, id: &'a str) -> ListQuery<'a> {
        ListQuery {
            from: Cow::Borrowed(from),
            table: from.split(' ').next().unwrap_or_default(),
            time,
            id,
            conditions: vec!["1 = 1".to_owned()],
            one_of: None,
            bindings: Bindings::default(),
        }
    }

    /// Narrows the list to rows whose column has one of the values.
    pub(super) fn one_of(&mut self, column: &'static str, values: &[String]) {
        match values {
            [value] => self.equal(column, Some(value.as_str())),
            values => {
                let places = values
                    .iter()
                    .map(|value| self.bindings.bind(value.as_str()));
                self.one_of = Some((column, places.collect()));
            }
        }
    }

    /// Converts the filter of [`ListQuery::one_of`] to a condition. With `uses_index`, the database may use an index on
    /// the column; otherwise it walks the index of the list's order.
    pub(super) fn settle_one_of(&mut self, uses_index: bool) {
        if let Some((column, places)) = self.one_of.take() {
            let column = if uses_index {
                column.to_owned()
            } else {
                format!("{column} || ''")
            };
            self.conditions
                .push(format!("{column} IN ({})", places.join(", ")));
        }
    }

    /// Narrows the list to rows whose column has the value, if there is one.
    pub(super) fn equal(&mut self, column: &str, value: Option<impl Into<crate::task::SqlValue>>) {
        if let Some(value) = value {
            let value = self.bindings.bind(value);
            self.conditions.push([column, " = ", &value].concat());
        }
    }

    /// Narrows the list to a time range. A walk by id then begins and ends near the edges of the range.
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

    /// Narrows the list to the rows after a cursor.
    pub(super) fn after(&mut self, last: Cursor, order_by: OrderBy, descending: bool) {
        let (time, id) = (self.time, self.id);
        let beyond = if descending { "<" } else { ">" };
        let last_id = self.bindings.bind(last.id);
        self.conditions.push(match order_by {
            OrderBy::Time | OrderBy::Activity => {
                let moment = self.bindings.bind(last.time);
                format!("({time}, {id}) {beyond} ({moment}, {last_id})")
            }
            OrderBy::Id => format!("{id} {beyond} {last_id}"),
        });
    }

    /// Adds the read of a page and of one further row, which shows whether more follow. If `is_few`, the database sorts
    /// the matching rows instead of walking an index.
    pub(super) fn read(
        mut self,
        batch: &mut Batch,
        columns: &str,
        page: &Page,
        is_few: bool,
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
        // The sum prevents the use of an index.
        let sorted = if is_few { " + 0" } else { "" };
        let order = match page.order_by {
            OrderBy::Time | OrderBy::Activity => {
                format!("{time}{sorted} {direction}, {id} {direction}")
            }
            OrderBy::Id => format!("{id}{sorted} {direction}"),
        };
        if let Some((column, places)) = self.one_of.take() {
            // Look up each value separately, since no index contains the rows of several values in the list's order.
            let reached = self.bindings.bind(offset + page.limit + 1);
            let (from, conditions) = (&self.from, self.conditions.join(" AND "));
            let lists = places.iter().map(|place| {
                format!(
                    "SELECT id FROM (SELECT {id} AS id FROM {from} WHERE {conditions} AND {column} = {place} \
                     ORDER BY {order} LIMIT {reached}) part"
                )
            });
            let lists = lists.collect::<Vec<_>>().join(" UNION ALL ");
            self.conditions = vec![format!("{id} IN ({lists})")];
        }
        let limit = self.bindings.bind(page.limit + 1);
        let offset = self.bindings.bind(offset);
        let from = &self.from;
        let part = format!(
            "FROM {from} WHERE {} ORDER BY {order} LIMIT {limit} OFFSET {offset}",
            self.conditions.join(" AND ")
        );
        // PostgreSQL reads skipped rows in full, unless an inner query uses only the index.
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

    /// Composes the query for the first rows by id, up to a limit.
    pub(super) fn first(&mut self, columns: &str, limit: i64) -> String {
        let (conditions, limit) = (self.conditions.join(" AND "), self.bindings.bind(limit));
        let ListQuery { from, id, .. } = self;
        format!("SELECT {columns} FROM {from} WHERE {conditions} ORDER BY {id} LIMIT {limit}")
    }

    /// Adds a count of the rows that stops one row beyond a limit.
    pub(super) fn count(mut self, batch: &mut Batch, limit: i64) -> usize {
        self.settle_one_of(true);
        let limit = self.bindings.bind(limit + 1);
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM {} WHERE {} LIMIT {limit}) AS counted",
            self.from,
            self.conditions.join(" AND ")
        );
        batch.add(sql, self.bindings.values())
    }
}

/// Reads the result of a counting statement; 0 if it returned no row.
pub(super) fn read_count(results: &mut Results, place: usize) -> Result<i64> {
    Ok(results.first(place)?.unwrap_or(0))
}

impl<T> Found<T> {
    /// Builds a page from the rows that [`ListQuery::read`] read. If counting stopped early, the last page by offset
    /// gives the exact total.
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
