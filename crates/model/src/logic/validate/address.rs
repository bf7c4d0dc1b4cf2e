//! Recognises email addresses and web addresses.

use crate::unicode::case::lowercase;
use crate::unicode::category::is_of_word;
use crate::unicode::domain::{ascii_label, labels};

/// The longest email address, in bytes (RFC 5321, section 4.5.3.1, without the angle brackets).
const MAX_EMAIL_BYTES: usize = 254;

/// The longest part before the `@`, in bytes (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL_BYTES: usize = 64;

/// Whether a text is a valid email address (HTML standard, "valid email address") of a length that mail supports.
/// The domain may be in any script.
pub fn is_email_address(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    let is_atom =
        |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    (1..=MAX_LOCAL_BYTES).contains(&local.len())
        && local.bytes().all(is_atom)
        && ascii_length(domain).is_some_and(|length| local.len() + length < MAX_EMAIL_BYTES)
}

/// The length of a domain name's ASCII spelling; `None` for a text that is not a domain name.
fn ascii_length(domain: &str) -> Option<usize> {
    let lengths: Option<Vec<usize>> = labels(domain).map(label_length).collect();
    let lengths = lengths?;
    Some(lengths.iter().sum::<usize>() + lengths.len() - 1)
}

/// The length of a label's ASCII spelling. A label consists of letters and digits, and of hyphens except at its ends.
fn label_length(label: &str) -> Option<usize> {
    // Joiners connect letters of some scripts without being letters.
    let is_letter = |c: char| match c {
        '-' | '\u{200c}' | '\u{200d}' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => is_of_word(c),
    };
    let is_label = !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(is_letter);
    let length = || Some(ascii_label(&lowercase(label))?.len());
    if is_label { length() } else { None }
}

/// Whether a text is an absolute web address: `http`, `https` or `ftp`, with a host and only valid characters. Other
/// schemes (`javascript`, `data`, `file`) are rejected, because people who read submissions follow the links in them.
pub fn is_web_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let known = ["http", "https", "ftp"];
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    known.iter().any(|known| scheme.eq_ignore_ascii_case(known))
        && !text
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\\'))
        && is_host_and_port(host_and_port)
}

/// Adds `https://` to a web address that begins with a host name; other texts stay unchanged. `example.com`,
/// `www.example.com:8080/a?b` and `//example.com` begin with a host name; `foo` does not.
pub fn with_scheme(text: String) -> String {
    let rest = text.strip_prefix("//").unwrap_or(&text);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_top = |label: &str| {
        let is_encoded = label
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
        is_encoded || (label.chars().nth(1).is_some() && label.chars().all(char::is_alphabetic))
    };
    let is_host = host.rsplit_once('.').is_some_and(|(_, top)| is_top(top));
    let address = ["https://", rest].concat();
    if is_host && ascii_length(host).is_some() && is_web_address(&address) {
        address
    } else {
        text
    }
}

fn is_host_and_port(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('[') {
        let Some((address, port)) = rest.split_once(']') else {
            return false;
        };
        return address.parse::<std::net::Ipv6Addr>().is_ok()
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    match text.split_once(':') {
        Some((host, port)) => is_host(host) && is_port(port),
        None => is_host(text),
    }
}

fn is_port(text: &str) -> bool {
    text.is_empty()
        || (text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok())
}

/// Whether a text is a host name or an IPv4 address. Names may be in any script and end with a dot.
fn is_host(text: &str) -> bool {
    let name = text.strip_suffix('.').unwrap_or(text);
    name.len() <= 255
        && name.split('.').all(|label| {
            !label.is_empty()
                && label.chars().all(|c| {
                    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '%') || !c.is_ascii()
                })
        })
}
