//! Going through all submissions of a list, a piece at a time: for exports.

use super::super::pages::{Cursor, OrderBy};
use super::super::search_blocks::Part;
use super::super::{Batch, Result};
use super::list::{Filter, narrowed};
use super::{COLUMNS, read_numbered};
use crate::task::Context;
use model::Submission;

/// The most submissions of a piece.
const ROWS: i64 = 250;

/// A piece ends with the submission whose answers bring it to so many bytes, since one may have a
/// thousand times as many as another.
const BYTES: i64 = 256 * 1024;

/// A walk, newest first (in a search: greatest id first). Each piece goes on after the last
/// submission of the one before, so that what is there all the time comes exactly once, whatever is
/// added or deleted meanwhile.
pub struct Walk {
    filter: Filter,
    after: Option<Cursor>,
    done: bool,
}

impl Walk {
    /// A walk through what a filter lets through.
    pub fn new(filter: Filter) -> Walk {
        Walk {
            filter,
            after: None,
            done: false,
        }
    }

    /// Whether no more follow.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The next piece, by one statement on an index.
    pub async fn next(&mut self, cx: &Context) -> Result<Vec<Submission>> {
        let mut batch = Batch::new(cx);
        let place = self.add(&mut batch);
        let (piece, found) = read_numbered(cx, &mut batch.run().await?, place)?;
        self.done = found < ROWS && i64::try_from(piece.len()).unwrap_or(ROWS) >= found;
        self.after = piece.last().map(|last| Cursor {
            time: last.submitted_at,
            id: last.id,
        });
        Ok(piece)
    }

    fn add(&self, batch: &mut Batch) -> usize {
        // The index of words is in the order of ids.
        let by_id = self.filter.words.is_some();
        let order_by = if by_id { OrderBy::Id } else { OrderBy::Time };
        let part = Part {
            descending: true,
            after: self.after.map(|after| after.id),
            limit: ROWS,
            counted: 0,
        };
        let mut list = narrowed(&self.filter, batch.dialect(), order_by, &part);
        if let Some(after) = self.after {
            list.after(after, order_by, true);
        }
        let (order, order_of_page) = match order_by {
            OrderBy::Id => ("found.rowid DESC", "id DESC"),
            OrderBy::Time => (
                "s.submitted_at DESC, s.id DESC",
                "submitted_at DESC, id DESC",
            ),
        };
        let (rows, bytes) = (list.bindings.bind(ROWS), list.bindings.bind(BYTES));
        let (id, from, conditions) = (list.id, list.from, list.conditions.join(" AND "));
        // SQLite keeps the order of a CROSS JOIN: the page leads.
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
