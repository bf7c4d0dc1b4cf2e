//! Converts internationalised domain names (IDNA) to their ASCII spelling, which mail and comparisons use, and back.

use std::borrow::Cow;

use super::fold::composed;
use super::punycode;

/// The prefix of a label that is encoded in ASCII.
const PREFIX: &str = "xn--";

/// The longest label of a domain name, in bytes (RFC 1034, section 3.1).
pub const MAX_LABEL_BYTES: usize = 63;

/// The labels of a domain name. The dots between them may also be East Asian full stops.
pub fn labels(domain: &str) -> impl Iterator<Item = &str> {
    domain.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'])
}

/// The ASCII spelling of a lower-case label; `None` if the spelling is too long.
pub fn ascii_label(label: &str) -> Option<String> {
    let ascii = if label.is_ascii() {
        label.to_owned()
    } else {
        [PREFIX, &punycode::encode(label)?].concat()
    };
    (ascii.len() <= MAX_LABEL_BYTES).then_some(ascii)
}

/// The spelling of a domain name in ASCII and lower case. `None` if conversion to ASCII makes a label too long.
pub fn ascii_domain(domain: &str) -> Option<String> {
    if domain.is_ascii() {
        return Some(domain.to_ascii_lowercase());
    }
    let labels: Option<Vec<String>> = labels(domain)
        .map(|label| ascii_label(&composed(label)))
        .collect();
    Some(labels?.join("."))
}

/// Converts the domain of an email address to ASCII. An address with an ASCII domain, and a text that is not an
/// address, stay unchanged.
pub fn ascii_address(text: &str) -> Cow<'_, str> {
    let parts = text.rsplit_once('@');
    let ascii = parts.filter(|(_, domain)| !domain.is_ascii());
    let ascii =
        ascii.and_then(|(local, domain)| Some([local, "@", &ascii_domain(domain)?].concat()));
    ascii.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Decodes every encoded label in a text.
pub fn with_unicode_labels(text: &str) -> Cow<'_, str> {
    let is_of_label = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if !text.contains("--") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for run in text.split_inclusive(|c| !is_of_label(c)) {
        let label = run.trim_end_matches(|c| !is_of_label(c));
        match decoded(label) {
            Some(decoded) => {
                out.push_str(&decoded);
                out.push_str(run.get(label.len()..).unwrap_or_default());
            }
            None => out.push_str(run),
        }
    }
    Cow::Owned(out)
}

/// The decoded form of an encoded label.
fn decoded(label: &str) -> Option<String> {
    let (prefix, encoded) = label.split_at_checked(PREFIX.len())?;
    let is_encoded = prefix.eq_ignore_ascii_case(PREFIX);
    punycode::decode(encoded).filter(|_| is_encoded)
}
