//! The email addresses in a submission. Requests to export or erase personal data find submissions by these
//! addresses.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::Submission;
use crate::logic::validate::is_email_address;
use crate::unicode::case::lowercase;
use crate::unicode::domain::{ascii_domain, with_unicode_labels};

/// The maximum number of addresses per submission that are indexed.
const MAX_ADDRESSES: usize = 100;

/// The longest address, in bytes (RFC 5321: 64 before the `@`, 255 after it).
const MAX_BYTES: usize = 320;

/// Converts an address to its comparable form: trimmed, in lower case, with its domain in ASCII. `None` for a text
/// that is not an address.
pub fn folded_address(text: &str) -> Option<String> {
    let text = text.trim();
    let (local, host) = text.rsplit_once('@')?;
    let is_address = !local.is_empty()
        && !host.is_empty()
        && text.len() <= MAX_BYTES
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    is_address.then(|| {
        let host = ascii_domain(host).unwrap_or_else(|| lowercase(host));
        [&lowercase(local), "@", &host].concat()
    })
}

/// Returns a folded address with its domain in Unicode; `None` if both spellings are equal. Older versions, which did
/// not convert internationalised domains to ASCII, indexed this spelling.
pub fn former_address(folded: &str) -> Option<String> {
    match with_unicode_labels(folded) {
        Cow::Owned(former) if former != folded => Some(lowercase(&former)),
        _ => None,
    }
}

/// Converts an answer to its comparable form. An email address gets its domain in ASCII and lower case; any other
/// answer stays unchanged.
pub fn comparable_answer(text: &str) -> Cow<'_, str> {
    let parts = text.rsplit_once('@').filter(|_| is_email_address(text));
    let ascii = parts.and_then(|(local, host)| Some([local, "@", &ascii_domain(host)?].concat()));
    ascii.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Collects the addresses from all answers, of any field type, that consist of an address or a list of addresses. An
/// address inside other text is left out, since it may be someone else's.
pub fn addresses_of(submission: &Submission) -> BTreeSet<String> {
    let mut addresses = BTreeSet::new();
    for (_, answer) in submission.data.iter() {
        collect(answer, &mut addresses);
    }
    addresses
}

/// Returns the addresses of a text that contains only addresses, separated by commas, semicolons or line feeds;
/// `None` for any other text. An address may follow a name, as in `Ada <ada@example.org>`, and may begin with
/// `mailto:`.
fn listed(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    // A name may contain a comma: `Lovelace, Ada <ada@example.org>`.
    let mut has_begun_name = false;
    for item in text.split([',', ';', '\n', '\r']).map(str::trim) {
        if !item.contains('@') {
            has_begun_name |= !item.is_empty();
            continue;
        }
        let address = match item.rsplit_once('<') {
            Some((_, address)) => address.strip_suffix('>')?,
            None if has_begun_name => return None,
            None => item,
        };
        has_begun_name = false;
        found.push(folded_address(without_scheme(address.trim()))?);
    }
    (!has_begun_name).then_some(found)
}

/// Strips `mailto:` and its parameters from an address.
fn without_scheme(text: &str) -> &str {
    let scheme = text
        .get(..7)
        .filter(|text| text.eq_ignore_ascii_case("mailto:"));
    let rest = scheme.and_then(|scheme| text.get(scheme.len()..));
    rest.map_or(text, |rest| rest.split('?').next().unwrap_or(rest))
}

fn collect(value: &Value, addresses: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.contains('@') && text.len() <= MAX_ADDRESSES * MAX_BYTES => {
            let found = listed(text).unwrap_or_default();
            let room = MAX_ADDRESSES.saturating_sub(addresses.len());
            addresses.extend(found.into_iter().take(room));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, addresses)),
        Value::Object(members) => members.values().for_each(|item| collect(item, addresses)),
        _ => {}
    }
}
