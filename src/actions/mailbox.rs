//! Mailboxes in action settings: `address` or `Name <address>`, in lists with commas, semicolons or line ends.

use crate::logic::validate::is_email_address;
use crate::submissions::ascii_address;

/// Limit on the recipients of one mail, copies included.
pub const MAX_RECIPIENTS: usize = 50;

/// Renders one mailbox of a setting for a header (RFC 5322, section 3.4), with a quoted name and an ASCII domain.
///
/// The name and the email address are rendered separately, so that a visitor's answer cannot change where either ends.
/// An answer with more than one address is rejected. Returns `Ok(None)` for an empty text, and `Err` with a text that
/// is not an address.
pub fn mailbox(template: &str, render: impl Fn(&str) -> String) -> Result<Option<String>, String> {
    let named = template.trim().strip_suffix('>');
    let (name, address) = named
        .and_then(|text| text.rsplit_once('<'))
        .unwrap_or(("", template));
    let address = render(address.trim()).trim().to_owned();
    if address.is_empty() {
        return Ok(None);
    }
    if !is_email_address(&address) {
        return Err(address);
    }
    let address = ascii_address(&address).into_owned();
    let name = render(name.trim().trim_matches('"'));
    let name: String = name
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    if name.is_empty() {
        return Ok(Some(address));
    }
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(Some(format!("\"{quoted}\" <{address}>")))
}

/// Splits a list of mailboxes at unquoted commas, semicolons and line ends.
pub fn items(list: &str) -> Vec<&str> {
    let mut quoted = false;
    list.split(move |character| {
        if character == '"' {
            quoted = !quoted;
        }
        !quoted && matches!(character, ',' | ';' | '\n')
    })
    .map(str::trim)
    .filter(|item| !item.is_empty())
    .collect()
}
