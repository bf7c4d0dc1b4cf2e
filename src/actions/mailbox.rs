//! Mailboxes in action settings: `address` or `Name <address>`, several separated by commas.

use crate::logic::validate::is_email_address;
use crate::submissions::ascii_address;

/// The most recipients of one mail, copies included.
pub const MAX_RECIPIENTS: usize = 50;

/// Reads one mailbox of a setting. Its name and its address are rendered by themselves, so that a visitor's
/// answer can never change where one ends; an answer that holds more than one address is no address.
/// `Ok(None)` for nothing at all, `Err` with what is no address. Shown as a header has it (RFC 5322,
/// section 3.4), the name always quoted, the
/// domain in ASCII.
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
    let name: String = name.chars().filter(|own| !own.is_control()).collect();
    if name.is_empty() {
        return Ok(Some(address));
    }
    let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(Some(format!("\"{quoted}\" <{address}>")))
}

/// Splits a list of mailboxes at the commas and semicolons that are not in quotes.
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
