//! The data about a visit that a submission stores: the IP address, the browser and the pages.

use crate::forms::settings::Settings;
use crate::security::shortened_address;

/// Limit on a stored browser's name, in characters.
const MAX_USER_AGENT_CHARS: usize = 500;

/// Limit on a stored URL of a page, in characters.
const MAX_ADDRESS_CHARS: usize = 2_000;

/// Limit on a stored IP address, in characters.
const MAX_VISITOR_CHARS: usize = 100;

/// The visitor's IP address: complete, shortened or empty, depending on the form's settings.
pub fn kept_address(settings: &Settings, address: &str) -> String {
    match (settings.store_ip, settings.shorten_ip) {
        (true, false) => one_line(address, MAX_VISITOR_CHARS),
        (true, true) => one_line(&shortened_address(address), MAX_VISITOR_CHARS),
        (false, _) => String::new(),
    }
}

/// The first characters of a text, without control characters.
fn one_line(text: &str, max_chars: usize) -> String {
    let shown = text.chars().filter(|c| !c.is_control());
    shown.take(max_chars).collect()
}

/// The name of the visitor's browser; empty if the form does not store it.
pub fn kept_user_agent(settings: &Settings, name: &str) -> String {
    if !settings.store_user_agent {
        return String::new();
    }
    one_line(name, MAX_USER_AGENT_CHARS)
}

/// Returns a text if it is the URL of a page and not too long; otherwise an empty text.
pub fn page_address(text: &str) -> String {
    let is_page = text.starts_with("https://") || text.starts_with("http://");
    let is_short = text.chars().count() <= MAX_ADDRESS_CHARS;
    if is_page && is_short && !text.contains(char::is_control) {
        text.to_owned()
    } else {
        String::new()
    }
}
