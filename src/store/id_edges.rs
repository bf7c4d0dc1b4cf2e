//! Time ranges, and their conversion to ranges of ids, which grow with time.

use super::Bindings;

/// Limit on the skew between the clocks of the hosts that share a database. Apart from this skew, ids grow with the
/// rows' time.
const MAX_CLOCK_SKEW_MS: i64 = 3_600_000;

/// A time range in milliseconds UTC, exclusive at both ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Later than this.
    pub after: Option<i64>,
    /// Earlier than this.
    pub before: Option<i64>,
}

/// A time range as a range of ids. The edges are widened by one clock skew, so that no row is missed although the
/// writers' clocks differ.
#[derive(Default)]
pub(super) struct IdEdges {
    /// An expression for an id that precedes all rows in the range.
    pub above: Option<String>,
    /// An expression for an id that follows all rows in the range.
    pub below: Option<String>,
    /// The conditions on the rows' time. They are needed since the edges are only approximate.
    pub exact: Vec<String>,
}

impl IdEdges {
    /// Computes the edges of a range over a table's time. `column` is that time in the statement.
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

/// Upper bound of ids, low enough for arithmetic with edges.
const MAX_ID: i64 = model::MAX_SAFE_INTEGER;
