//! Lists in the order of time: the part that a request asks for by `page`, `offset` or `cursor`,
//! `order`, `orderby`, `after` and `before`, and the answer that says how to go on.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::paging::{Extent, Page};
use super::{Arguments, Call, MAX_SAFE_INTEGER};
use crate::error::{Error, Fault};
use crate::http::Response;
use crate::store::pages::{self, Cursor, Found, OrderBy, Range, Start};

/// How many rows a page shows that was not asked for more or fewer.
const PER_PAGE: i64 = 20;

/// The part of a list that a request asks for.
pub struct ListPart {
    page: Page,
    /// What the store is to read.
    pub wanted: pages::Page,
}

impl ListPart {
    /// Reads the parameters. Without `orderby` the list is in this order.
    pub fn read(arguments: &Arguments, usual: OrderBy) -> Result<ListPart, Error> {
        let order_by = match arguments.text("orderby") {
            None => usual,
            Some("id") => OrderBy::Id,
            Some(_) => OrderBy::Time,
        };
        let page = Page::read(arguments);
        let start = match page.cursor() {
            None => Start::Offset(page.offset()),
            Some("") => Start::Offset(0),
            Some(cursor) => Start::After(read_cursor(cursor, order_by).ok_or_else(|| {
                let message = "cursor is not one that this list gave.";
                Error::InvalidParameters(vec![Fault::new("cursor", "rest_invalid_param", message)])
            })?),
        };
        let wanted = pages::Page {
            order_by,
            descending: arguments.text("order") != Some("asc"),
            start,
            limit: page.per_page().unwrap_or(PER_PAGE),
        };
        Ok(ListPart { page, wanted })
    }

    /// The answer with what the store found, as `rows` show it. `cursor` says where a row stands;
    /// `path` is below the namespace, such as `/submissions`.
    pub fn answer<T>(
        &self,
        call: &Call,
        path: &str,
        found: &Found<T>,
        cursor: impl Fn(&T) -> Cursor,
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let last = found.rows.last().filter(|_| found.more);
        let extent = Extent {
            total: found.total,
            total_is_least: found.total_is_least,
            more: found.more,
            next_cursor: last.map(|last| write_cursor(cursor(last), self.wanted.order_by)),
        };
        self.page.answer_of(call, path, &extent, rows)
    }
}

/// The range of time that a request asks for.
pub fn range(arguments: &Arguments) -> Range {
    Range {
        after: arguments.moment("after"),
        before: arguments.moment("before"),
    }
}

/// A cursor names the order that it belongs to: in another it would pass over rows.
fn write_cursor(last: Cursor, order_by: OrderBy) -> String {
    let order = match order_by {
        OrderBy::Time => "t",
        OrderBy::Id => "i",
    };
    URL_SAFE_NO_PAD.encode(format!("{order}.{}.{}", last.time, last.id))
}

fn read_cursor(text: &str, order_by: OrderBy) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.splitn(3, '.');
    let order = match parts.next()? {
        "t" => OrderBy::Time,
        "i" => OrderBy::Id,
        _ => return None,
    };
    let mut number = || {
        let number: i64 = parts.next()?.parse().ok()?;
        (0..=MAX_SAFE_INTEGER).contains(&number).then_some(number)
    };
    let cursor = Cursor {
        time: number()?,
        id: number()?,
    };
    (order == order_by).then_some(cursor)
}
