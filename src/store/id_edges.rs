//! Ranges of time, and their edges as ids, which grow with time.

use super::Bindings;

/// Limit on the skew between the clocks of a database's hosts. Apart from this skew, ids grow with the rows' time.
const MAX_CLOCK_SKEW_MS: i64 = 3_600_000;

/// A range of time, exclusive at both ends, in milliseconds UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Later than this.
    pub after: Option<i64>,
    /// Earlier than this.
    pub before: Option<i64>,
}

/// A range of time as a range of ids. The edges lie one clock skew outside the range, so that no row of overlapping
/// writers is missed, and a row with a wrong time does not hide others.
#[derive(Default)]
pub(super) struct IdEdges {
    /// An expression for the id that precedes all rows.
    pub above: Option<String>,
    /// An expression for the id that follows all rows.
    pub below: Option<String>,
    /// The exact conditions on the rows between the edges, which are only approximate.
    pub exact: Vec<String>,
}

impl IdEdges {
    /// The edges of a range over a table's time, in a statement where `column` is that time.
    pub(super) fn of(bindings: &mut Bindings, range: Range, table: &str, column: &str) -> IdEdges {
        let time = column.rsplit('.').next().unwrap_or_default();
        let mut edges = IdEdges::default();
        if let Some(after) = range.after {
            let after = bindings.bind(after);
            edges.above = Some(format!(
                "COALESCE((SELECT MIN(edge.id + 0) - 1 FROM {table} edge WHERE edge.{time} > {after} AND edge.{time} <= \
                 (SELECT MIN(first.{time}) + {MAX_CLOCK_SKEW_MS} FROM {table} first WHERE first.{time} > {after})), \
                 {MAX_ID})"
            ));
            edges.exact.push(format!("{column} + 0 > {after}"));
        }
        if let Some(before) = range.before {
            let before = bindings.bind(before);
            edges.below = Some(format!(
                "COALESCE((SELECT MAX(edge.id + 0) + 1 FROM {table} edge WHERE edge.{time} < {before} AND edge.{time} >= \
                 (SELECT MAX(last.{time}) - {MAX_CLOCK_SKEW_MS} FROM {table} last WHERE last.{time} < {before})), 0)"
            ));
            edges.exact.push(format!("{column} + 0 < {before}"));
        }
        edges
    }
}

/// Upper bound of ids that leaves room for the arithmetic of edges.
const MAX_ID: i64 = model::MAX_SAFE_INTEGER;
