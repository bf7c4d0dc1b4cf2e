//! A route of the API, and matching of paths.

use std::future::Future;
use std::pin::Pin;

use super::Call;
use super::parameters::{Kind, Parameter};
use crate::error::Error;
use crate::http::Response;

/// The future of a handler.
pub type Handling = Pin<Box<dyn Future<Output = Result<Response, Error>>>>;

/// A route: one method and path, with its parameters and handler.
pub struct Route {
    /// The method, in capitals.
    pub method: &'static str,
    /// The path with variables in braces, such as `/cf/v1/forms/{id}`. A variable whose parameter is an integer
    /// matches only digits.
    pub path: &'static str,
    /// The part of the path before its first variable.
    pub(super) fixed: &'static str,
    /// The operation id, which is also the name of the boundary's export.
    pub operation: &'static str,
    /// A summary in one line, for the reference.
    pub summary: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// The status of a success.
    pub status: u16,
    /// The OpenAPI component that describes the body of a success.
    pub response: &'static str,
    /// The possible errors, for the reference. Errors that follow from the method and the parameters are not listed.
    pub errors: &'static [Error],
    /// The function that handles requests.
    pub handler: fn(Call) -> Handling,
}

impl Route {
    /// Whether the route rejects unknown parameters, since a misspelled one could delete or reveal too much.
    pub(super) fn is_strict(&self) -> bool {
        self.method == "DELETE"
            || self.operation == "bulkSubmissions"
            || self.path.contains("/privacy/")
    }

    /// Whether the route only reads submissions.
    pub fn reads_submissions(&self) -> bool {
        self.method == "GET" && self.path.split('/').any(|part| part == "submissions")
    }

    /// Whether the body is a picture in a multipart form, which the host reads.
    pub fn takes_image(&self) -> bool {
        self.operation == "uploadFormImage"
    }

    /// Whether the body is a file of any kind, which the host stores.
    pub fn takes_file(&self) -> bool {
        self.operation == "createImport"
    }

    /// The accepted methods. POST and PUT also work for PATCH, which some of the platform's clients cannot send.
    pub fn methods(&self) -> &'static [&'static str] {
        match self.method {
            "GET" => &["GET"],
            "POST" => &["POST"],
            "PUT" => &["PUT"],
            "PATCH" => &["POST", "PUT", "PATCH"],
            _ => &["DELETE"],
        }
    }

    /// Matches a path; returns its decoded variables, or `None` if it does not match. Fixed segments match in any
    /// case, as in the platform's router.
    pub fn captures(&self, path: &str) -> Option<Vec<(&'static str, String)>> {
        // This cheap check excludes most routes.
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
        let parameter = self
            .parameters
            .iter()
            .find(|parameter| parameter.name == name);
        let is_number =
            parameter.is_some_and(|parameter| matches!(parameter.kind, Kind::Integer(..)));
        !is_number || value.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The variable in a segment of a route's path.
pub(super) fn variable(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

/// The part of a path before its first variable.
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

/// Percent-decodes a path segment; invalid UTF-8 becomes U+FFFD.
fn decode(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment)
        .decode_utf8_lossy()
        .into_owned()
}
