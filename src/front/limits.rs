//! The hashes that identify a repeated submit, and the gates that a submit must pass.

use serde_json::Value;

use super::closing::total_gate;
use super::input::Sent;
use super::submit::Submit;
use crate::forms::{FieldType, FormSchema};
use crate::http::Request;
use crate::ordered;
use crate::security::{Signer, counted_address, may_be_a_proxy};
use crate::spam;
use crate::store::rate_limits::Gate;
use crate::store::submissions::{KEY_RETENTION_MS, KeyHashes};
use crate::submissions::{Submission, comparable_answer};

/// Default limit on an address's submissions per hour to forms that accept files or answer by mail.
const DEFAULT_RATE_LIMIT: i64 = 60;

/// The prefix of keys from the visitor's script (visitor/script/submission-key.ts). A page with its key may be cached
/// and shown to many visitors, while a script's key belongs to one.
const SCRIPT_KEY_PREFIX: &str = "s-";

/// Lifetime of a page's key, in milliseconds.
const PAGE_KEY_LIFETIME_MS: i64 = 600_000;

impl Submit<'_> {
    fn address_hash(&self) -> Option<String> {
        let address = counted_address(self.request.address.as_deref()?);
        Some(self.signer.hash("address", &address))
    }

    /// The gate on an address's submissions. There is none without an address, so that visitors whom the host cannot
    /// tell apart are not counted together.
    pub(super) fn rate_gate(&self) -> Option<Gate> {
        let limit = match self.rules.settings.rate_limit {
            0 if self.is_guarded() => DEFAULT_RATE_LIMIT,
            limit => i64::try_from(limit).unwrap_or(i64::MAX),
        };
        if limit == 0 {
            return None;
        }
        let hash = self.address_hash()?;
        Some(Gate::Rate { limit, hash })
    }

    /// Whether the default rate limit applies: submissions cost disk space or mails, and the address is not a proxy
    /// that may stand for every visitor.
    fn is_guarded(&self) -> bool {
        let address = self.request.address.as_deref().unwrap_or_default();
        let forwarded_for_is_read = self.cx.shared().configuration().forwarded_for_is_read;
        let mut actions = self.rules.settings.actions.iter();
        let mut fields = self.rules.schema.fields.iter();
        (actions.any(|action| action.kind == "autoresponder")
            || fields.any(|field| field.kind == FieldType::File))
            && !may_be_a_proxy(address, forwarded_for_is_read)
    }

    /// All gates of a submission.
    pub(super) fn gates(&self, submission: &Submission) -> Vec<Gate> {
        let mut gates = total_gate(&self.rules.settings);
        if self.rules.settings.prevent_duplicates
            && let Some(address) = self.address_hash()
        {
            // Files of the same size count as the same file.
            let sizes: Vec<u64> = submission.files.iter().map(|file| file.size).collect();
            let data = submission.data.iter();
            let data = data.map(|(name, value)| json!([name, comparable(value)]));
            let answers = json!([data.collect::<Value>(), sizes]).to_string();
            let hash = format!("{address}:{}", self.signer.hash("answers", &answers));
            gates.push(Gate::Duplicate { hash });
        }
        gates.extend(self.rate_gate());
        gates
    }
}

/// An answer for the comparison of duplicates: both spellings of an email address's domain are equal.
fn comparable(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(comparable_answer(text)),
        Value::Array(items) => items.iter().map(comparable).collect(),
        other => other.clone(),
    }
}

/// Returns the hashes that identify a repeat of a submit (contract, section 10, "Repeats"). Other answers under a
/// page's key are a new submission, so the answers are part of that hash.
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

/// A hash that tells visitors apart by address and browser. IPv6 addresses count by network, since one visitor may use
/// all addresses of it.
fn visitor_hash(signer: &Signer, request: &Request) -> String {
    let address = counted_address(request.address.as_deref().unwrap_or_default());
    let user_agent = request.header("user-agent").unwrap_or_default();
    signer.hash("visitor", &json!([address, user_agent]).to_string())
}

/// The sent names and values in a fixed order, and files by their SHA-256. Inputs that are no answers are left out:
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
    let files = files.filter(|(file, _)| is_answer(&file.field) && !file.filename.is_empty());
    let files =
        files.map(|(file, upload)| json!([file.field, {"sha256": upload.sha256}]).to_string());
    let mut all: Vec<String> = texts.chain(files).collect();
    ordered::sort_by(&mut all, Ord::cmp);
    all.join("\n")
}
