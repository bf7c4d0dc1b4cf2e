//! One route, and which paths are its own.

use std::future::Future;
use std::pin::Pin;

use super::Call;
use super::parameters::{Kind, Parameter};
use super::routes::ROUTES;
use crate::error::Error;
use crate::http::Response;

/// The future of a handler.
pub type Handling = Pin<Box<dyn Future<Output = Result<Response, Error>>>>;

/// One route.
pub struct Route {
    /// In capitals.
    pub method: &'static str,
    /// With its variables in braces, such as `/cf/v1/forms/{id}`. A variable whose parameter is
    /// an integer matches digits only.
    pub path: &'static str,
    /// What its path begins with, before its first variable.
    pub(super) fixed: &'static str,
    /// The operation id, which is also the name of the boundary's export.
    pub operation: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The status of its success.
    pub status: u16,
    /// The OpenAPI component that describes its response.
    pub answer: &'static str,
    /// The errors that it can return besides those of every route with its parameters.
    pub errors: &'static [Error],
    /// The function that handles it.
    pub handler: fn(Call) -> Handling,
}

impl Route {
    /// The route of an operation id.
    pub fn of(operation: &str) -> Option<&'static Route> {
        ROUTES.iter().find(|route| route.operation == operation)
    }

    /// Whether it reads submissions, and changes nothing.
    pub fn reads_submissions(&self) -> bool {
        self.method == "GET" && self.path.split('/').any(|part| part == "submissions")
    }

    /// The methods that it answers to. The platform's clients change things by POST and PUT as
    /// well, and mean what PATCH means: some cannot send PATCH at all.
    pub fn methods(&self) -> &'static [&'static str] {
        match self.method {
            "GET" => &["GET"],
            "POST" => &["POST"],
            "PUT" => &["PUT"],
            "PATCH" => &["POST", "PUT", "PATCH"],
            _ => &["DELETE"],
        }
    }

    /// The variables of a path that the route matches, decoded; `None` where it does not match.
    /// Fixed segments match in any case, as the platform's router does.
    pub fn captures(&self, path: &str) -> Option<Vec<(&'static str, String)>> {
        // Most routes begin otherwise, or have another number of segments, which is quick to see.
        let begin = path.get(..self.fixed.len()).unwrap_or_default();
        if !begin.eq_ignore_ascii_case(self.fixed) || slashes(self.path) != slashes(path) {
            return None;
        }
        let mut captures = Vec::new();
        let mut actual = path.split('/');
        for pattern in self.path.split('/') {
            let segment = actual.next()?;
            match variable(pattern) {
                Some(name) => {
                    let value = decode(segment);
                    if value.is_empty() || !self.accepts(name, &value) {
                        return None;
                    }
                    captures.push((name, value));
                }
                None if pattern.eq_ignore_ascii_case(segment) => {}
                None => return None,
            }
        }
        Some(captures)
    }

    fn accepts(&self, name: &str, value: &str) -> bool {
        let parameter = self.parameters.iter().find(|own| own.name == name);
        let is_number = parameter.is_some_and(|own| matches!(own.kind, Kind::Integer(..)));
        !is_number || value.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The variable that a segment of a route's path stands for.
pub(super) fn variable(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// What a path begins with, before its first variable.
pub(super) const fn fixed(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut end = 0;
    while let Some((_, [next, ..])) = bytes.split_at_checked(end) {
        if *next == b'{' {
            break;
        }
        end += 1;
    }
    match path.split_at_checked(end) {
        Some((begin, _)) => begin,
        None => path,
    }
}

fn slashes(path: &str) -> usize {
    path.bytes().filter(|byte| *byte == b'/').count()
}

/// Decodes the percent signs of a path segment; bytes that are not UTF-8 become U+FFFD.
fn decode(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment)
        .decode_utf8_lossy()
        .into_owned()
}
