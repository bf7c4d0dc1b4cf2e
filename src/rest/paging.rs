//! Pages of lists: which rows a request asks for, and the headers that tell of the others.

use serde::Serialize;

use super::{Arguments, Call};
use crate::error::Error;
use crate::http::Response;

/// The page that a request asks for, by its parameters `page`, `per_page` and `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    number: i64,
    per_page: Option<i64>,
    offset: Option<i64>,
}

impl Page {
    /// Reads the parameters. A route that gives `per_page` no default shows everything on one page
    /// when a request does not ask for pages.
    pub fn read(arguments: &Arguments) -> Page {
        Page {
            number: arguments.integer("page").unwrap_or(1),
            per_page: arguments.integer("per_page"),
            offset: arguments.integer("offset"),
        }
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

    /// The answer with these rows of `total`: a bare array with `X-WP-Total`, `X-WP-TotalPages`
    /// and the `Link`s to its neighbours. A page beyond the last is an error, unless there are no
    /// rows at all. `path` is below the namespace, such as `/forms`.
    pub fn answer(
        &self,
        call: &Call,
        path: &str,
        total: i64,
        rows: &impl Serialize,
    ) -> Result<Response, Error> {
        let pages = match self.per_page {
            Some(per_page) => (total + per_page - 1) / per_page,
            None => i64::from(total > 0),
        };
        if self.offset.is_none() && total > 0 && self.number > pages {
            return Err(Error::NoSuchPage);
        }
        let mut response = Response::json(200, rows)
            .with_header("x-wp-total", total.to_string())
            .with_header("x-wp-totalpages", pages.to_string());
        let links: Vec<String> = self
            .neighbours(total, pages)
            .into_iter()
            .map(|(relation, parameter, value)| {
                let address = address(call, path, parameter, value);
                format!("<{address}>; rel=\"{relation}\"")
            })
            .collect();
        if !links.is_empty() {
            response = response.with_header("link", links.join(", "));
        }
        Ok(response)
    }

    /// The relation of each neighbour, and the parameter by which it differs.
    fn neighbours(&self, total: i64, pages: i64) -> Vec<(&'static str, &'static str, i64)> {
        let mut neighbours = Vec::new();
        match (self.offset, self.per_page) {
            (Some(offset), Some(per_page)) => {
                if offset > 0 {
                    neighbours.push(("prev", "offset", (offset - per_page).max(0)));
                }
                if offset + per_page < total {
                    neighbours.push(("next", "offset", offset + per_page));
                }
            }
            (Some(_), None) => {}
            (None, _) => {
                if self.number > 1 {
                    neighbours.push(("prev", "page", self.number - 1));
                }
                if self.number < pages {
                    neighbours.push(("next", "page", self.number + 1));
                }
            }
        }
        neighbours
    }
}

/// The absolute address of the same list with another value of one parameter.
fn address(call: &Call, path: &str, parameter: &str, value: i64) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, own) in &call.arguments.query {
        // How a host without pretty addresses carries the path; here the path says it.
        if name != parameter && name != "rest_route" {
            query.append_pair(name, own);
        }
    }
    query.append_pair(parameter, &value.to_string());
    call.address(&format!("{path}?{}", query.finish()))
}
