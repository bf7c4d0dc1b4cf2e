//! Bringing up to date what is made from stored submissions, after an update of the engine that makes
//! more of them: the index of words, the names of answers and their sums.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::error::Error;
use crate::forms;
use crate::http::{Request, Response};
use crate::store::submissions::{self, uncounted};
use crate::store::{answer_names, migrate as migrate_tables, search, signer};
use crate::submissions::UNSAVED;
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
        let mut known = BTreeMap::new();
        let mut counted = Vec::with_capacity(found.len());
        for stored in found {
            let form_id = stored.submission.form_id;
            if let Entry::Vacant(place) = known.entry(form_id) {
                place.insert(forms::load(cx, form_id).await?);
            }
            let counts = match known.get(&form_id) {
                Some(Some(form)) => {
                    let schema = forms::effective_schema(cx, form)?;
                    let is_kept = stored.submission.status != UNSAVED;
                    answers::counts(&schema, &stored.submission.data, is_kept)
                }
                _ => Vec::new(),
            };
            counted.push((stored, counts));
        }
        submissions::count_answers(cx, &counted).await?;
    }
}

async fn reindex(cx: &Context) -> Result<(), Error> {
    loop {
        let outdated = search::outdated(cx).await?;
        if outdated.is_empty() {
            return Ok(());
        }
        answer_names::record(cx, &outdated).await?;
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
