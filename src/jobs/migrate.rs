//! Bringing up to date what is made from stored submissions, after an update of the engine that makes
//! more of them: the index of words, the names of answers and their sums.

use crate::error::Error;
use crate::forms::{Loaded, effective_schema};
use crate::http::{Request, Response};
use crate::store::submissions::{self, uncounted};
use crate::store::{answer_names, migrate as migrate_tables, search, signer};
use crate::submissions::{UNSAVED, read_by_schemas};
use crate::task::Context;
use model::analytics::answers;

/// Brings the database to the newest shape: its tables, then what is made from its submissions, a few
/// in one transaction. What is cut off goes on where it was.
pub async fn migrate(cx: &Context, _: &Request) -> Result<Response, Error> {
    migrate_tables(cx).await?;
    super::queue::free(cx).await?;
    reindex(cx).await?;
    count_answers(cx).await?;
    Ok(Response::empty(200))
}

async fn count_answers(cx: &Context) -> Result<(), Error> {
    loop {
        let found = uncounted(cx).await?;
        if found.is_empty() {
            return Ok(());
        }
        let mut forms = Loaded::default();
        let mut counted = Vec::with_capacity(found.len());
        for stored in found {
            let counts = match forms.get(cx, stored.submission.form_id).await? {
                Some(form) => {
                    let schema = effective_schema(cx, form)?;
                    let is_kept = stored.submission.status != UNSAVED;
                    answers::counts(&schema, &stored.submission.data, is_kept)
                }
                None => Vec::new(),
            };
            counted.push((stored, counts));
        }
        submissions::count_answers(cx, &counted).await?;
    }
}

async fn reindex(cx: &Context) -> Result<(), Error> {
    loop {
        let mut outdated = search::outdated(cx).await?;
        if outdated.is_empty() {
            return Ok(());
        }
        answer_names::record(cx, &outdated).await?;
        let submissions = outdated.iter_mut().map(|stored| &mut stored.submission);
        read_by_schemas(cx, submissions).await?;
        let signer = signer(cx).await?;
        let outdated: Vec<_> = outdated
            .into_iter()
            .map(|stored| {
                let mut hashes = signer.address_hashes(&stored.submission);
                hashes.extend(stored.former_addresses.iter().cloned());
                (stored, hashes)
            })
            .collect();
        search::reindex(cx, &outdated).await?;
    }
}
