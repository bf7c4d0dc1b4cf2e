//! Pages of lists: which rows a request asks for, and the headers that tell of the others.

use serde::Serialize;

use super::{Arguments, Call};
use crate::error::Error;
use crate::http::Response;

/// The page that a request asks for, by its parameters `page`, `per_page`, `offset` and `cursor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    number: i64,
    per_page: Option<i64>,
    offset: Option<i64>,
    cursor: Option<String>,
}

/// How far the list goes that a page is part of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// How many rows it has.
    pub total: i64,
    /// Whether it has more than `total`: counting stopped there.
    pub total_is_least: bool,
    /// Whether rows follow this page.
    pub more: bool,
    /// What to ask for to see them, where the list can be walked by cursor.
    pub next_cursor: Option<String>,
}

impl Page {
    /// Reads the parameters. A route that gives `per_page` no default shows everything on one page
    /// when a request does not ask for pages.
    pub fn read(arguments: &Arguments) -> Page {
        Page {
            number: arguments.integer("page").unwrap_or(1),
            per_page: arguments.integer("per_page"),
            offset: arguments.integer("offset"),
            cursor: arguments.text("cursor").map(str::to_owned),
        }
    }

    /// The cursor that the page is to begin at; empty for the first page of a walk.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// How many rows to show at most; `None` for all.
    pub fn per_page(&self) -> Option<i64> {
        self.per_page
    }

    /// How many rows to pass over: `offset`, else the pages before.
    pub fn offset(&self) -> i64 {
        self.offset
            .unwrap_or((self.number - 1) * self.per_page.unwrap_or(0))
    }

    /// The answer with these rows of a list whose length is known.
    pub fn answer(
        &self,
        call: &Call,
        path: &str,
        total: i64,
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let extent = Extent {
            total,
            more: self.per_page.is_some() && self.offset() + shown < total,
            ..Extent::default()
        };
        self.answer_of(call, path, &extent, rows)
    }

    /// The answer with these rows of a list: a bare array with `X-WP-Total`, `X-WP-TotalPages` and
    /// the `Link`s to its neighbours; `X-CF-Total-Is-Least: true` where counting stopped, and
    /// `X-CF-Next-Cursor`. A page beyond the last is an error, unless there are no rows at all.
    /// `path` is below the namespace, such as `/forms`.
    pub fn answer_of(
        &self,
        call: &Call,
        path: &str,
        extent: &Extent,
        rows: &[impl Serialize],
    ) -> Result<Response, Error> {
        let total = extent.total;
        let pages = match self.per_page {
            Some(per_page) => (total + per_page - 1) / per_page,
            None => i64::from(total > 0),
        };
        let by_number = self.offset.is_none() && self.cursor.is_none();
        let beyond = rows.is_empty() || (self.number > pages && !extent.total_is_least);
        if by_number && beyond && total > 0 {
            return Err(Error::NoSuchPage);
        }
        let mut response = Response::json(200, &rows)
            .with_header("x-wp-total", total.to_string())
            .with_header("x-wp-totalpages", pages.to_string());
        if extent.total_is_least {
            response = response.with_header("x-cf-total-is-least", "true");
        }
        if let Some(cursor) = &extent.next_cursor {
            response = response.with_header("x-cf-next-cursor", cursor.as_str());
        }
        let links: Vec<String> = self
            .neighbours(extent)
            .into_iter()
            .map(|(relation, parameter, value)| {
                let address = address(call, path, parameter, &value);
                format!("<{address}>; rel=\"{relation}\"")
            })
            .collect();
        if !links.is_empty() {
            response = response.with_header("link", links.join(", "));
        }
        Ok(response)
    }

    /// The relation of each neighbour, and the parameter by which it differs. A walk by cursor
    /// goes on, never back.
    fn neighbours(&self, extent: &Extent) -> Vec<(&'static str, &'static str, String)> {
        let mut neighbours = Vec::new();
        let mut add = |relation, parameter, value: i64| {
            neighbours.push((relation, parameter, value.to_string()));
        };
        if self.cursor.is_some() {
            let next = extent.next_cursor.iter().cloned();
            return next.map(|cursor| ("next", "cursor", cursor)).collect();
        }
        match (self.offset, self.per_page) {
            (Some(offset), Some(per_page)) => {
                if offset > 0 {
                    add("prev", "offset", (offset - per_page).max(0));
                }
                if extent.more {
                    add("next", "offset", offset + per_page);
                }
            }
            (Some(_), None) => {}
            (None, _) => {
                if self.number > 1 {
                    add("prev", "page", self.number - 1);
                }
                if extent.more {
                    add("next", "page", self.number + 1);
                }
            }
        }
        neighbours
    }
}

/// The absolute address of the same list with another value of one parameter.
fn address(call: &Call, path: &str, parameter: &str, value: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, own) in &call.arguments.query {
        // How a host without pretty addresses carries the path; here the path says it.
        if name != parameter && name != "rest_route" {
            query.append_pair(name, own);
        }
    }
    query.append_pair(parameter, value);
    call.address(&format!("{path}?{}", query.finish()))
}
