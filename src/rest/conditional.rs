//! ETags and the conditions on them (RFC 9110, sections 8.8.3 and 13).
//!
//! A tag is `"<version>-<hash>"` for a thing with a version, else `"<hash>"`. The hash is of the
//! whole body, so a read notices every change; a write's `If-Match` looks at the version alone,
//! so a count in the body does not refuse an editor.

use std::hash::{DefaultHasher, Hasher};

use crate::error::Error;
use crate::http::{Request, Response};

/// The versions that `If-Match` accepts; `None` for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precondition(Option<Vec<i64>>);

impl Precondition {
    /// Fails with 412 for a version that the caller did not expect.
    pub fn check(&self, version: i64) -> Result<(), Error> {
        match &self.0 {
            Some(versions) if !versions.contains(&version) => Err(Error::PreconditionFailed),
            _ => Ok(()),
        }
    }
}

/// Reads `If-Match`. What is no tag of a version names none, so that the change is refused.
pub(super) fn read(request: &Request) -> Precondition {
    let header = request.header("if-match");
    Precondition(header.filter(|header| header.trim() != "*").map(|header| {
        let versions = tags(header).filter_map(|tag| tag.split_once('-')?.0.parse().ok());
        versions.collect()
    }))
}

/// The tags of a header, without `W/` and quotes.
fn tags(header: &str) -> impl Iterator<Item = &str> {
    header.split(',').filter_map(|tag| {
        tag.trim()
            .trim_start_matches("W/")
            .strip_prefix('"')?
            .strip_suffix('"')
    })
}

/// Adds the ETag, and turns a read that the client has already into 304.
pub(super) fn tag(request: &Request, method: &str, mut response: Response) -> Response {
    let read = matches!(method, "GET" | "HEAD");
    let tagged = response.status == 200 && read || response.version.is_some();
    if !tagged || response.status >= 300 {
        return response;
    }
    let mut hasher = DefaultHasher::new();
    hasher.write(&response.body);
    let hash = hasher.finish();
    let tag = match response.version {
        Some(version) => format!("{version}-{hash:016x}"),
        None => format!("{hash:016x}"),
    };
    let known = request
        .header("if-none-match")
        .is_some_and(|header| header.trim() == "*" || tags(header).any(|own| own == tag));
    response.headers.push(("etag", format!("\"{tag}\"")));
    if read && known {
        response.status = 304;
        response.body.clear();
        response.headers.retain(|(name, _)| *name != "content-type");
    }
    response
}
