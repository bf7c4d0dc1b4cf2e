//! The routes that export or erase the personal data of an email address's owner (contract, section 5).

use serde_json::Value;

use super::timeline::shown_event;
use super::{JSON, download};
use crate::dates;
use crate::error::Error;
use crate::files::{remove_abandoned, remove_files};
use crate::http::Response;
use crate::jobs::queue;
use crate::json;
use crate::rest::paging::ListPart;
use crate::rest::{Call, MAX_SAFE_INTEGER};
use crate::store::pages::OrderBy;
use crate::store::privacy::{self, Receipt, Record};
use crate::store::{saved, upload_tokens};
use crate::submissions::{folded_address, read_by_schemas};
use crate::task::Context;

/// Limit on the submissions that an export reads in one query, and that one transaction erases.
const BATCH_SIZE: usize = 20;

/// Limit on the submissions that one search finds.
const MAX_FOUND: i64 = 200;

/// Limit on the submissions that one request erases.
const MAX_ERASED: usize = 1_000;

/// `POST /cf/v1/privacy/export`: all stored data about the owner of an email address, as a streamed file.
pub async fn export(call: Call) -> Result<Response, Error> {
    let address = address(&call)?;
    let hashes = crate::store::signer(&call.cx)
        .await?
        .spelling_hashes(&address);
    // Saved progress is encrypted, so only its dates are known.
    let saved = saved::dates_of(&call.cx, &hashes).await?;
    let saved = saved.into_iter().map(|(form_id, saved_at, expires_at)| {
        json!({
            "form_id": form_id,
            "saved_at": dates::format_moment(saved_at),
            "expires_at": dates::format_moment(expires_at),
        })
    });
    let head = json!({
        "email": address,
        "exported_at": dates::format_moment(call.cx.now()),
        "saved": saved.collect::<Value>(),
    });
    let head = head.to_string();
    let head = head.strip_suffix('}').unwrap_or_default();
    let mut export = Export {
        hashes,
        below: MAX_SAFE_INTEGER,
        separator: format!("{head},\"submissions\":["),
    };
    let next = async move |cx: &Context| export.next(cx).await;
    download(call.cx, JSON, "personal-data.json", next).await
}

struct Export {
    hashes: Vec<String>,
    below: i64,
    /// The text before the next record.
    separator: String,
}

impl Export {
    /// Returns the next records; with the last ones also the document's end.
    async fn next(&mut self, cx: &Context) -> Result<(Vec<u8>, bool), Error> {
        let limit = i64::try_from(BATCH_SIZE).unwrap_or(1);
        let ids = privacy::find(cx, &self.hashes, self.below, limit).await?;
        self.below = ids.last().copied().unwrap_or(0);
        let mut out = String::new();
        let mut records = privacy::records(cx, &ids).await?;
        let submissions = records
            .iter_mut()
            .filter_map(|record| record.submission.as_mut());
        read_by_schemas(cx, submissions).await?;
        for record in records {
            out += &std::mem::replace(&mut self.separator, ",\n".to_owned());
            out += &shown(&record).to_string();
        }
        let is_last = ids.len() < BATCH_SIZE;
        if is_last {
            out += self.separator.trim_matches([',', '\n']);
            out += "]}";
        }
        Ok((out.into_bytes(), is_last))
    }
}

fn shown(record: &Record) -> Value {
    let entries = record.entries.iter().map(|entry| {
        let mut entry = queue::shown(entry);
        // The action's settings are not personal data.
        entry
            .as_object_mut()
            .and_then(|members| members.remove("settings"));
        entry
    });
    json!({
        "id": record.id,
        "submission": json::value(&record.submission),
        "queue_entries": entries.collect::<Vec<Value>>(),
        "events": record.events.iter().map(shown_event).collect::<Vec<Value>>(),
        "action_logs": record.logs,
    })
}

/// `POST /cf/v1/privacy/erase`: erases the data of an email address's owner, in transactions of up to 20 submissions.
pub async fn erase(call: Call) -> Result<Response, Error> {
    let cx = &call.cx;
    let address = address(&call)?;
    let signer = crate::store::signer(cx).await?;
    let hashes = signer.spelling_hashes(&address);
    let shown_hash = signer.hash("erased address", &address);
    let receipt_id = crate::security::random::uuid()?;
    let (mut receipt, _) = privacy::erase(cx, &receipt_id, &shown_hash, &[]).await?;
    let (mut erased, mut files_left, mut done) = (0, 0, false);
    while !done && erased < MAX_ERASED {
        let ids = privacy::find(cx, &hashes, MAX_SAFE_INTEGER, MAX_FOUND).await?;
        done = ids.is_empty();
        erased += ids.len();
        for ids in ids.chunks(BATCH_SIZE) {
            let (counted, files) = privacy::erase(cx, &receipt_id, &shown_hash, ids).await?;
            receipt = counted;
            files_left += remove_files(cx, &files).await;
        }
    }
    // Files that wait for a submit belong to the email addresses in the answers that were sent with them.
    let waiting = upload_tokens::abandon_of(cx, &hashes).await?;
    let saved = i64::try_from(saved::erase(cx, &hashes).await?).unwrap_or(i64::MAX);
    if !waiting.is_empty() || saved > 0 {
        let count = i64::try_from(waiting.len()).unwrap_or(i64::MAX);
        receipt = privacy::add_waiting(cx, &receipt_id, count, saved).await?;
        files_left += remove_files(cx, &waiting).await;
    }
    // Files of unfinished submits have no known owner, so a batch of those whose lease has expired is removed too.
    remove_abandoned(cx).await?;
    let left = json!({"files_left": files_left, "done": done});
    Ok(Response::json(200, &json::with(json!(receipt), left)))
}

/// `GET /cf/v1/privacy/erasures`.
pub async fn erasures(call: Call) -> Result<Response, Error> {
    let part = ListPart::read(&call, "/privacy/erasures", OrderBy::Id)?;
    let found = privacy::receipts(&call.cx, &part.wanted).await?;
    let shown: Vec<&Receipt> = found.rows.iter().map(|(_, receipt)| receipt).collect();
    let place = |(id, receipt): &(i64, Receipt)| (receipt.erased_at, *id);
    part.respond(&call, &found, place, &shown)
}

fn address(call: &Call) -> Result<String, Error> {
    let email = call.arguments.text("email").unwrap_or_default();
    folded_address(email).ok_or_else(|| {
        let message = "email must be one email address.";
        Error::invalid("email", "rest_invalid_email", message)
    })
}
