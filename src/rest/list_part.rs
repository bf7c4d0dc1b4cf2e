//! Lists in the order of time: the part that a request asks for by `page`, `offset` or `cursor`,
//! `order`, `orderby`, `after` and `before`, and the answer that says how to go on.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::paging::{Extent, Page};
use super::{Arguments, Call, MAX_SAFE_INTEGER};
use crate::error::Error;
use crate::http::Response;
use crate::store::pages::{self, Cursor, Found, OrderBy, Range, Start};

/// How many rows a page shows that was not asked for more or fewer.
const PER_PAGE: i64 = 20;

/// The part of a list that a request asks for.
pub struct ListPart {
    page: Page,
    path: String,
    fingerprint: u32,
    /// What the store is to read.
    pub wanted: pages::Page,
}

impl ListPart {
    /// Reads the parameters of a list at a path below the namespace, such as `/submissions`. Without
    /// `orderby` the list is in this order.
    pub fn read(call: &Call, path: &str, usual: OrderBy) -> Result<ListPart, Error> {
        let order_by = match call.arguments.text("orderby") {
            None => usual,
            Some("id") => OrderBy::Id,
            Some(_) => OrderBy::Time,
        };
        ListPart::read_in(call, path, order_by)
    }

    /// Reads the parameters of a list that has one order, whatever is asked for.
    pub fn read_in(call: &Call, path: &str, order_by: OrderBy) -> Result<ListPart, Error> {
        let arguments = &call.arguments;
        let page = Page::read(arguments);
        let fingerprint = fingerprint(arguments, path, order_by);
        let start = match page.cursor() {
            None => Start::Offset(page.offset()),
            Some("") => Start::Offset(0),
            Some(cursor) => Start::After(read_cursor(cursor, fingerprint).ok_or_else(|| {
                let message =
                    "cursor is not one that this list gave, with this order and these filters.";
                Error::invalid("cursor", "rest_invalid_param", message)
            })?),
        };
        let wanted = pages::Page {
            order_by,
            descending: arguments.text("order") != Some("asc"),
            start,
            limit: page.per_page().unwrap_or(PER_PAGE),
        };
        Ok(ListPart {
            page,
            path: path.to_owned(),
            fingerprint,
            wanted,
        })
    }

    /// The answer with what the store found, as `rows` show it. `cursor` says where a row stands.
    pub fn answer<T>(
        &self,
        call: &Call,
        found: &Found<T>,
        cursor: impl Fn(&T) -> Cursor,
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let last = found.rows.last().filter(|_| found.more);
        let extent = Extent {
            total: found.total,
            total_is_least: found.total_is_least,
            more: found.more,
            next_cursor: last.map(|last| write_cursor(cursor(last), self.fingerprint)),
        };
        self.page.answer_of(call, &self.path, &extent, rows)
    }
}

/// The range of time that a request asks for.
pub fn range(arguments: &Arguments) -> Range {
    Range {
        after: arguments.moment("after"),
        before: arguments.moment("before"),
    }
}

/// What narrows and orders lists, with which a cursor would pass over rows or repeat them if it changed.
const NARROWING: [&str; 9] = [
    "form_id",
    "submission_id",
    "status",
    "search",
    "starred",
    "field",
    "after",
    "before",
    "order",
];

/// A number that tells a list, in its order and with its filters, from others (FNV-1a). It guards
/// against mistakes; a forged cursor shows nothing that its maker may not see.
fn fingerprint(arguments: &Arguments, path: &str, order_by: OrderBy) -> u32 {
    let mut text = format!("{path}\n{order_by:?}");
    for name in NARROWING {
        let value = arguments.value(name).map(ToString::to_string);
        text.push('\n');
        text.push_str(value.as_deref().unwrap_or_default());
    }
    text.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn write_cursor(last: Cursor, fingerprint: u32) -> String {
    URL_SAFE_NO_PAD.encode(format!("{fingerprint}.{}.{}", last.time, last.id))
}

fn read_cursor(text: &str, fingerprint: u32) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.splitn(3, '.');
    let mut number = || {
        let number: i64 = parts.next()?.parse().ok()?;
        (0..=MAX_SAFE_INTEGER).contains(&number).then_some(number)
    };
    let is_own = number()? == i64::from(fingerprint);
    let cursor = Cursor {
        time: number()?,
        id: number()?,
    };
    is_own.then_some(cursor)
}
