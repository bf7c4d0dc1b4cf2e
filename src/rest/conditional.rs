//! ETags and the conditions on them (RFC 9110, sections 8.8.3 and 13).
//!
//! A tag is `"<version>-<hash>"` for a resource with a version, else `"<hash>"`. The hash covers the whole body, so a
//! conditional read notices every change. A write's `If-Match` compares only the version, so that a new submission
//! count does not block an editor's save.

use std::hash::{DefaultHasher, Hasher};

use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::drafts::{Expected, StoredDraft};

/// The conditions `If-Match` and `If-None-Match` of a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precondition {
    /// The versions that `If-Match` accepts; `None` for any.
    versions: Option<Vec<i64>>,
    /// Whether `If-Match: *` requires that the resource exists.
    is_present: bool,
    /// Whether `If-None-Match: *` requires that the resource does not exist.
    is_absent: bool,
}

impl Precondition {
    /// Fails with 412 if `If-Match` does not accept this version.
    pub fn check(&self, version: i64) -> Result<(), Error> {
        match &self.versions {
            Some(versions) if !versions.contains(&version) => Err(Error::PreconditionFailed),
            _ => Ok(()),
        }
    }

    /// Returns which draft a save may replace; fails with 412 if the conditions do not accept the stored draft.
    pub fn expected(&self, draft: Option<&StoredDraft>) -> Result<Expected, Error> {
        match draft {
            Some(_) if self.is_absent => Err(Error::PreconditionFailed),
            Some(draft) => {
                self.check(draft.version)?;
                let is_any = self.versions.is_none();
                Ok(if is_any {
                    Expected::Any
                } else {
                    Expected::Version(draft.version)
                })
            }
            None if self.is_present || self.versions.is_some() => Err(Error::PreconditionFailed),
            None if self.is_absent => Ok(Expected::Absent),
            None => Ok(Expected::Any),
        }
    }
}

/// Reads the conditions of a write. An invalid tag matches no version, so the write fails.
pub(super) fn read(request: &Request) -> Precondition {
    let is_any = |header: &str| header.trim() == "*";
    let header = request.header("if-match");
    Precondition {
        versions: header.filter(|header| !is_any(header)).map(|header| {
            let versions = tags(header).filter_map(|tag| tag.split_once('-')?.0.parse().ok());
            versions.collect()
        }),
        is_present: header.is_some_and(is_any),
        is_absent: request.header("if-none-match").is_some_and(is_any),
    }
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

/// Adds the ETag, and responds with 304 if the client's copy is current.
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
        .is_some_and(|header| header.trim() == "*" || tags(header).any(|known| known == tag));
    response.headers.push(("etag", format!("\"{tag}\"")));
    if read && known {
        response.status = 304;
        response.body.clear();
        response.headers.retain(|(name, _)| *name != "content-type");
    }
    response
}
