//! Links in the text of a consent, written `I accept the [terms](https://example.com/terms)`. Brackets within a link's
//! text must be balanced: `[[terms]](/terms)`.

use std::borrow::Cow;

/// The maximum number of links in a text; further links stay plain text.
pub const MAX_LINKS: usize = 20;

/// The schemes of allowed addresses. Addresses within the site need no scheme.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Plain text.
    Text(&'t str),
    /// The text of a link and its address, which may be unsafe ([`is_safe_address`]).
    Link(&'t str, &'t str),
}

/// Splits a text into its links and the text between them.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    for _ in 0..MAX_LINKS {
        let Some((before, words, address, after)) = next_link(rest) else {
            break;
        };
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

/// The text before the first link, the link's text, its address, and the text after it.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut open = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '[' => open.push(at),
            ']' => {
                let Some(opening) = open.pop() else {
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

/// Replaces each link in a text by the link's text.
pub fn without_links(text: &str) -> Cow<'_, str> {
    if !text.contains("](") {
        return Cow::Borrowed(text);
    }
    let words = pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(words) | Piece::Link(words, _) => words,
    });
    Cow::Owned(words.collect())
}

/// Replaces each unsafe link in a text by the link's text.
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

/// Whether an address leads to a web page, a path of the site, a mail or a call, and can be written as a link in a
/// text.
pub fn is_safe_address(address: &str) -> bool {
    let has_scheme = SCHEMES.iter().any(|scheme| {
        let beginning = address.get(..scheme.len());
        beginning.is_some_and(|text| text.eq_ignore_ascii_case(scheme))
            && address.len() > scheme.len()
    });
    let first_part = address.split(['/', '?', '#']).next().unwrap_or_default();
    let is_of_site = !address.is_empty() && !first_part.contains(':') && !address.starts_with("//");
    (has_scheme || is_of_site)
        && !address
            .contains(|c: char| c.is_control() || c.is_whitespace() || "\\()\"<>".contains(c))
}

/// Writes an HTML link in the notation of this module; `None` if its address is unsafe, or its text contains another
/// link. If the text has unmatched brackets, only the longest part between them becomes the link.
pub fn link_of(words: &str, href: &str) -> Option<String> {
    let (mut open, mut lone) = (Vec::new(), Vec::new());
    for (at, character) in words.char_indices() {
        match character {
            '[' => open.push(at),
            ']' if open.pop().is_none() => lone.push(at),
            _ => {}
        }
    }
    lone.extend(open);
    let starts = std::iter::once(0).chain(lone.iter().map(|at| at + 1));
    let ends = lone.iter().copied().chain([words.len()]);
    let (start, end) = starts.zip(ends).max_by_key(|(start, end)| end - start)?;
    let (before, behind) = (words.get(..start)?, words.get(end..)?);
    let words = words.get(start..end)?;
    let is_link = !words.trim().is_empty() && !words.contains("](");
    let address = address_of(href).filter(|_| is_link)?;
    Some([before, "[", words, "](", &address, ")", behind].concat())
}

/// The address of an HTML link, encoded for the notation of this module; `None` if the address is unsafe.
fn address_of(href: &str) -> Option<String> {
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
