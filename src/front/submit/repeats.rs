//! The hashes that identify a repeated submit.

use crate::forms::FormSchema;
use crate::front::input::Sent;
use crate::front::visitor_hash::visitor_hash;
use crate::http::Request;
use crate::ordered;
use crate::security::Signer;
use crate::spam;
use crate::store::submissions::{KEY_RETENTION_MS, KeyHashes};

/// The prefix of keys from the visitor's script (`visitor/script/submission-key.ts`). A script's key belongs to one
/// visitor. Many visitors may share a page's key, since pages can be cached.
const SCRIPT_KEY_PREFIX: &str = "s-";

/// Lifetime of a page's key, in milliseconds.
const PAGE_KEY_LIFETIME_MS: i64 = 600_000;

/// Returns the hashes that identify a repeat of a submit (contract, section 10, "Repeats"). Different answers with a
/// page's or a script's key are a new submission, so the answers are part of those hashes.
pub(super) fn key_hashes(
    signer: &Signer,
    request: &Request,
    schema: &FormSchema,
    sent: &Sent,
) -> Option<KeyHashes> {
    let is_present = |key: &&str| !key.is_empty();
    let of_client = request.header("idempotency-key").filter(is_present);
    let of_page = sent.value("_submission_key");
    let answers = || signer.hash("submission answers", &answers_as_sent(schema, sent));
    let (key, answers, counts_ms) = match (of_client, of_page) {
        (Some(key), _) => {
            let sender = match &request.principal {
                Some(principal) => json!({"user": principal.id}),
                None => json!(visitor_hash(signer, request)),
            };
            let key = json!([sender, key]).to_string();
            let hash = signer.hash("idempotency key", &key);
            (hash, answers(), KEY_RETENTION_MS)
        }
        (None, Some(key)) if key.starts_with(SCRIPT_KEY_PREFIX) => {
            let answers = answers();
            let hash = signer.hash("script key", &json!([answers, key]).to_string());
            (hash, answers, KEY_RETENTION_MS)
        }
        (None, Some(key)) => {
            let answers = answers();
            let visitor = visitor_hash(signer, request);
            let hash = signer.hash("page key", &json!([answers, visitor, key]).to_string());
            (hash, answers, PAGE_KEY_LIFETIME_MS)
        }
        (None, None) => return None,
    };
    Some(KeyHashes {
        key,
        answers,
        counts_ms,
    })
}

/// Lists the sent names and values in a fixed order, and files by their SHA-256. Omits inputs that are not answers:
/// names that begin with `_`, the author's spam traps, and captcha tokens.
fn answers_as_sent(schema: &FormSchema, sent: &Sent) -> String {
    let is_trap = |name: &str| schema.spam_traps().any(|trap| trap == name);
    let is_answer = |name: &str| !name.starts_with('_') && !spam::is_token(name) && !is_trap(name);
    let texts = sent.input.iter().filter(|(name, _)| is_answer(name));
    let texts = texts.map(|(name, values)| {
        let mut values: Vec<&String> = values.iter().collect();
        ordered::sort_by(&mut values, Ord::cmp);
        json!([name, values]).to_string()
    });
    let files = sent.input.files.iter().zip(&sent.uploads);
    let files = files.filter(|(file, _)| {
        is_answer(&file.field) && (file.is_unusable || !file.filename.is_empty())
    });
    let files =
        files.map(|(file, upload)| json!([file.field, {"sha256": upload.sha256}]).to_string());
    let mut all: Vec<String> = texts.chain(files).collect();
    ordered::sort_by(&mut all, Ord::cmp);
    all.join("\n")
}
