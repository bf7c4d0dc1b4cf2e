//! Bringing up to date what is made from stored submissions, after an update of the engine that makes
//! more of them: the index of words, and the names of answers.

use crate::error::Error;
use crate::http::{Request, Response, error_response};
use crate::store::{answer_names, migrate as migrate_tables, search, signer};
use crate::task::Context;

/// Brings the database to the newest shape: its tables, then what is made from its submissions, a few
/// in one transaction. What is cut off goes on where it was. 200 with an empty body, or 500 with the reason in
/// the log.
pub async fn migrate(cx: Context, request: Request) -> Response {
    let migrated = async {
        migrate_tables(&cx).await?;
        super::queue::free(&cx).await?;
        reindex(&cx).await
    };
    match migrated.await {
        Ok(()) => Response::empty(200),
        Err(error) => error_response(&error, &request.request_id),
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
