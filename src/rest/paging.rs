//! Paging: the requested rows of a list, and the response with links to further pages.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::{Arguments, Call, MAX_SAFE_INTEGER};
use crate::error::Error;
use crate::http::Response;
use crate::store::pages::{self, Cursor, Found, OrderBy, Range, Start, Total};

/// Default number of rows on a page.
const DEFAULT_PER_PAGE: i64 = 20;

/// The requested page. If `per_page` is absent and the route has no default, one page shows all rows.
pub struct Page {
    number: i64,
    /// Limit on the rows of the page; `None` for all.
    pub per_page: Option<i64>,
    offset: Option<i64>,
    /// The cursor at which the page starts; empty for the first page.
    cursor: Option<String>,
}

/// The size of the list, and its continuation after the page.
struct Extent {
    total: Total,
    /// Whether rows follow this page.
    more: bool,
    next_cursor: Option<String>,
}

impl Page {
    /// Reads `page`, `per_page`, `offset` and `cursor`.
    pub fn read(arguments: &Arguments) -> Page {
        Page {
            number: arguments.integer("page").unwrap_or(1),
            per_page: arguments.integer("per_page"),
            offset: arguments.integer("offset"),
            cursor: arguments.text("cursor").map(str::to_owned),
        }
    }

    /// The number of rows to skip: `offset`, or else the rows of the previous pages.
    pub fn offset(&self) -> i64 {
        self.offset
            .unwrap_or((self.number - 1) * self.per_page.unwrap_or(0))
    }

    /// Responds with the rows of a page, for a list with a known total. `path` is below the namespace, such as
    /// `/forms`.
    pub fn respond(
        &self,
        call: &Call,
        path: &str,
        total: i64,
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let extent = Extent {
            total: Total {
                count: total,
                is_least: false,
            },
            more: self.per_page.is_some() && self.offset() + shown < total,
            next_cursor: None,
        };
        self.respond_with(call, path, extent, Response::json(200, &rows), rows.len())
    }

    /// Adds the paging headers: totals, `Link`s to the neighbouring pages, the next cursor, and `X-CF-Total-Is-Least`
    /// if counting stopped early. Fails for a page beyond the last, unless the list is empty.
    fn respond_with(
        &self,
        call: &Call,
        path: &str,
        extent: Extent,
        rows: Response,
        shown: usize,
    ) -> Result<Response, Error> {
        let Total {
            count: total,
            is_least,
        } = extent.total;
        let pages = match self.per_page {
            Some(per_page) => (total + per_page - 1) / per_page,
            None => i64::from(total > 0),
        };
        let by_number = self.offset.is_none() && self.cursor.is_none();
        let beyond = shown == 0 || (self.number > pages && !is_least);
        if by_number && beyond && total > 0 {
            return Err(Error::NoSuchPage);
        }
        let mut response = rows
            .with_header("x-wp-total", total.to_string())
            .with_header("x-wp-totalpages", pages.to_string());
        if is_least {
            response = response.with_header("x-cf-total-is-least", "true");
        }
        let links = self.neighbours(&extent).into_iter();
        let links = links.map(|(relation, parameter, value)| {
            let address = address(call, path, parameter, &value);
            format!("<{address}>; rel=\"{relation}\"")
        });
        let links: Vec<String> = links.collect();
        if !links.is_empty() {
            response = response.with_header("link", links.join(", "));
        }
        Ok(match extent.next_cursor {
            Some(cursor) => response.with_header("x-cf-next-cursor", cursor),
            None => response,
        })
    }

    /// The neighbouring pages: for each its relation, and the name and value of the parameter that leads there. Paging
    /// by cursor has no previous page.
    fn neighbours(&self, extent: &Extent) -> Vec<(&'static str, &'static str, String)> {
        if self.cursor.is_some() {
            let next = extent.next_cursor.iter().cloned();
            return next.map(|cursor| ("next", "cursor", cursor)).collect();
        }
        let (parameter, before, after) = match (self.offset, self.per_page) {
            (Some(offset), Some(per_page)) => {
                let before = (offset > 0).then(|| (offset - per_page).max(0));
                ("offset", before, offset + per_page)
            }
            (Some(_), None) => return Vec::new(),
            (None, _) => {
                let before = (self.number > 1).then(|| self.number - 1);
                ("page", before, self.number + 1)
            }
        };
        let after = extent.more.then_some(after);
        let neighbours = [("prev", before), ("next", after)].into_iter();
        let neighbours = neighbours
            .filter_map(|(relation, value)| Some((relation, parameter, value?.to_string())));
        neighbours.collect()
    }
}

/// The absolute URL of the list with another value of one parameter.
fn address(call: &Call, path: &str, parameter: &str, value: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, current) in &call.arguments.query {
        // `rest_route` contains the path on hosts without pretty URLs.
        if name != parameter && name != "rest_route" {
            query.append_pair(name, current);
        }
    }
    query.append_pair(parameter, value);
    call.address(&format!("{path}?{}", query.finish()))
}

/// The requested part of a list that is sorted by time or id. Clients select the part by `page`, `offset` or `cursor`,
/// and the order by `order` and `orderby`.
pub struct ListPart {
    page: Page,
    path: String,
    fingerprint: u32,
    /// The page for the store to read.
    pub wanted: pages::Page,
}

impl ListPart {
    /// Reads the parameters of a list at a path below the namespace, such as `/submissions`. `usual` is the order
    /// without `orderby`.
    pub fn read(call: &Call, path: &str, usual: OrderBy) -> Result<ListPart, Error> {
        let arguments = &call.arguments;
        let order_by = match arguments.text("orderby") {
            None => usual,
            Some("id") => OrderBy::Id,
            Some("modified_at") => OrderBy::Activity,
            Some(_) => OrderBy::Time,
        };
        let page = Page::read(arguments);
        let fingerprint = fingerprint(arguments, path, order_by);
        let start = match page.cursor.as_deref() {
            None => Start::Offset(page.offset()),
            Some("") => Start::Offset(0),
            Some(cursor) => Start::After(read_cursor(cursor, fingerprint).ok_or_else(|| {
                let message = "cursor must come from this list, with the same order and filters.";
                Error::invalid("cursor", "rest_invalid_param", message)
            })?),
        };
        let wanted = pages::Page {
            order_by,
            descending: arguments.text("order") != Some("asc"),
            start,
            limit: page.per_page.unwrap_or(DEFAULT_PER_PAGE),
        };
        Ok(ListPart {
            page,
            path: path.to_owned(),
            fingerprint,
            wanted,
        })
    }

    /// Responds with `rows`, the serialized form of the found rows. `place` returns a row's time and id, for the next
    /// cursor.
    pub fn respond<T>(
        &self,
        call: &Call,
        found: &Found<T>,
        place: impl Fn(&T) -> (i64, i64),
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let last = found.rows.last().filter(|_| found.more);
        let extent = Extent {
            total: found.total,
            more: found.more,
            next_cursor: last.map(|last| {
                let (time, id) = place(last);
                URL_SAFE_NO_PAD.encode(format!("{}.{time}.{id}", self.fingerprint))
            }),
        };
        let shown = Response::json(200, &rows);
        self.page
            .respond_with(call, &self.path, extent, shown, rows.len())
    }
}

/// The requested time range.
pub fn range(arguments: &Arguments) -> Range {
    Range {
        after: arguments.moment("after"),
        before: arguments.moment("before"),
    }
}

/// The parameters that a cursor depends on: with other values, the cursor would skip or repeat rows.
const NARROWING: [&str; 10] = [
    "form_id",
    "submission_id",
    "status",
    "dismissed",
    "search",
    "starred",
    "field",
    "after",
    "before",
    "order",
];

/// A hash of a list's path, order and filters (FNV-1a). The hash only guards against accidents: even a forged cursor
/// reveals only rows that the caller may see.
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

fn read_cursor(text: &str, fingerprint: u32) -> Option<Cursor> {
    let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let mut parts = text.splitn(3, '.');
    let mut number = || {
        let number: i64 = parts.next()?.parse().ok()?;
        (0..MAX_SAFE_INTEGER).contains(&number).then_some(number)
    };
    let is_of_list = number()? == i64::from(fingerprint);
    let (time, id) = (number()?, number()?);
    is_of_list.then_some(Cursor { time, id })
}
