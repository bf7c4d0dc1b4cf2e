//! Mailboxes in action settings: `address` or `Name <address>`, several separated by commas.

use std::fmt;

/// The most recipients of one mail, copies included.
pub const MAX_RECIPIENTS: usize = 50;

/// The longest address (RFC 5321, section 4.5.3.1.3).
const MAX_ADDRESS_BYTES: usize = 254;

/// A mailbox whose parts have been rendered and checked. Shown as a header has it (RFC 5322,
/// section 3.4), the name always quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    name: String,
    address: String,
}

impl Mailbox {
    /// Reads one mailbox of a setting. Its name and its address are rendered by themselves, so
    /// that a visitor's answer can never change where one ends; an answer that holds more than
    /// one address is no address. `Ok(None)` for nothing at all, `Err` with what is no address.
    pub fn read(
        template: &str,
        render: impl Fn(&str) -> String,
    ) -> Result<Option<Mailbox>, String> {
        let (name, address) = match template
            .trim()
            .strip_suffix('>')
            .and_then(|text| text.rsplit_once('<'))
        {
            Some((name, address)) => (name.trim().trim_matches('"'), address),
            None => ("", template),
        };
        let address = render(address.trim()).trim().to_owned();
        if address.is_empty() {
            return Ok(None);
        }
        if !is_address(&address) {
            return Err(address);
        }
        let name = render(name)
            .chars()
            .filter(|character| !character.is_control())
            .collect();
        Ok(Some(Mailbox { name, address }))
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() {
            return formatter.write_str(&self.address);
        }
        let quoted = self.name.replace('\\', "\\\\").replace('"', "\\\"");
        write!(formatter, "\"{quoted}\" <{}>", self.address)
    }
}

/// The items of a list of mailboxes: separated by commas or semicolons that are not in quotes.
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

/// Whether a text is one address, as the HTML Standard has it for `type=email`; domains may be
/// written in any script.
pub fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let in_local = |character: char| {
        character.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(character)
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .chars()
                .all(|character| character.is_alphanumeric() || character == '-')
    };
    text.len() <= MAX_ADDRESS_BYTES
        && !local.is_empty()
        && local.chars().all(in_local)
        && domain.split('.').all(is_label)
}
