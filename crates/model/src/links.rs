//! Links in the text of a consent, written `I accept the [terms](https://example.com/terms)`.

use std::borrow::Cow;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Text as it stands.
    Text(&'t str),
    /// Words that lead to an address, which may be unsafe ([`is_safe_address`]).
    Link(&'t str, &'t str),
}

/// Splits a text into its links and what stands between them.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, words, address, after)) = next_link(rest) {
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Link(words, address));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// The text before the first link, its words, its address, and the text after it.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut opening = None;
    for (at, character) in text.char_indices() {
        match character {
            '[' => opening = Some(at),
            ']' => {
                let Some(opening) = opening.take() else {
                    continue;
                };
                let words = text.get(opening + 1..at)?;
                let Some(address) = text.get(at + 1..)?.strip_prefix('(') else {
                    continue;
                };
                if !words.trim().is_empty() {
                    let (address, after) = address.split_once(')')?;
                    return Some((text.get(..opening)?, words, address, after));
                }
            }
            _ => {}
        }
    }
    None
}

/// A text with its links' words in their places.
pub fn without_links(text: &str) -> Cow<'_, str> {
    if !text.contains("](") {
        return Cow::Borrowed(text);
    }
    let words = pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(words) | Piece::Link(words, _) => words,
    });
    Cow::Owned(words.collect())
}

/// A text with its safe links as they stand, and of the others their words.
pub fn with_safe_links(text: &str) -> Cow<'_, str> {
    if !text.contains("](") {
        return Cow::Borrowed(text);
    }
    let pieces = pieces(text).into_iter().map(|piece| match piece {
        Piece::Link(words, address) if is_safe_address(address) => {
            ["[", words, "](", address, ")"].concat()
        }
        Piece::Text(words) | Piece::Link(words, _) => words.to_owned(),
    });
    Cow::Owned(pieces.collect())
}

/// Whether an address is of the web, or a path of the site, and can stand in a text as a link's.
pub fn is_safe_address(address: &str) -> bool {
    let is_web = ["https://", "http://"].iter().any(|scheme| {
        let own = address.get(..scheme.len());
        own.is_some_and(|own| own.eq_ignore_ascii_case(scheme)) && address.len() > scheme.len()
    });
    let is_path = address.starts_with('/') && !address.starts_with("//");
    (is_web || is_path)
        && !address
            .contains(|c: char| c.is_control() || c.is_whitespace() || "\\()\"<>".contains(c))
}

/// The address of a link in HTML as a text may hold it; `None` for one that is not safe.
pub fn address_of(href: &str) -> Option<String> {
    let href = href.trim();
    let href = match href.strip_prefix("//") {
        Some(host) => ["https://", host].concat(),
        None => href.to_owned(),
    };
    let href = href
        .replace('(', "%28")
        .replace(')', "%29")
        .replace(' ', "%20");
    is_safe_address(&href).then_some(href)
}
