//! Reads all submissions of a list in pieces, for exports.

use super::super::pages::{Cursor, OrderBy};
use super::super::search_blocks::Part;
use super::super::{Batch, Result};
use super::list::{Filter, narrowed};
use super::{COLUMNS, read_numbered};
use crate::task::Context;
use model::Submission;

/// Limit on the submissions of a piece.
const MAX_ROWS: i64 = 250;

/// Limit on the answers in a piece, in bytes. A piece ends with the submission that reaches the limit.
const MAX_BYTES: i64 = 256 * 1024;

/// A walk through a list, the newest submission first or, in a search, the greatest id first. Each piece starts after
/// the last submission of the previous piece. So every submission that exists during the whole walk is read exactly
/// once, despite concurrent changes.
pub struct Walk {
    filter: Filter,
    after: Option<Cursor>,
    is_done: bool,
}

impl Walk {
    /// A walk through the submissions that match a filter.
    pub fn new(filter: Filter) -> Walk {
        Walk {
            filter,
            after: None,
            is_done: false,
        }
    }

    /// Whether the walk has ended.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Reads the next piece, with one statement that uses an index.
    pub async fn next(&mut self, cx: &Context) -> Result<Vec<Submission>> {
        let mut batch = Batch::new(cx);
        let place = self.add(&mut batch);
        let (piece, found) = read_numbered(cx, &mut batch.run().await?, place)?;
        self.is_done = found < MAX_ROWS && i64::try_from(piece.len()).unwrap_or(MAX_ROWS) >= found;
        self.after = piece.last().map(|last| Cursor {
            time: last.submitted_at,
            id: last.id,
        });
        Ok(piece)
    }

    fn add(&self, batch: &mut Batch) -> usize {
        // The search index is in the order of ids.
        let by_id = self.filter.words.is_some();
        let order_by = if by_id { OrderBy::Id } else { OrderBy::Time };
        let part = Part {
            descending: true,
            after: self.after.map(|after| after.id),
            limit: MAX_ROWS,
            counted: 0,
        };
        let mut list = narrowed(&self.filter, batch.dialect(), order_by, &part);
        if let Some(after) = self.after {
            list.after(after, order_by, true);
        }
        let (order, order_of_page) = match order_by {
            OrderBy::Id => ("found.rowid DESC", "id DESC"),
            OrderBy::Time | OrderBy::Activity => (
                "s.submitted_at DESC, s.id DESC",
                "submitted_at DESC, id DESC",
            ),
        };
        list.settle_one_of(false);
        let (rows, bytes) = (list.bindings.bind(MAX_ROWS), list.bindings.bind(MAX_BYTES));
        let (id, from, conditions) = (list.id, list.from, list.conditions.join(" AND "));
        // SQLite keeps the order of a `CROSS JOIN`, so it reads the page first.
        let sql = format!(
            "WITH page AS (SELECT {id} AS id, s.submitted_at AS submitted_at, octet_length(s.data) AS size \
               FROM {from} WHERE {conditions} ORDER BY {order} LIMIT {rows}), \
             sized AS (SELECT id, submitted_at, SUM(size) OVER (ORDER BY {order_of_page}) - size AS before, \
               COUNT(*) OVER () AS found FROM page) \
             SELECT {COLUMNS}, sized.found FROM sized CROSS JOIN cf_submissions s \
             WHERE s.id = sized.id AND sized.before < {bytes} \
             ORDER BY sized.{}",
            order_of_page.replace(", ", ", sized.")
        );
        batch.add(sql, list.bindings.values())
    }
}
