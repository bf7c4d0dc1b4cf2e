//! Decodes character references such as `&amp;` (HTML standard, 13.2.5.72 to 13.2.5.80).

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::ordered;

/// The named references of <https://html.spec.whatwg.org/entities.json>. Each line has one decoded text and its
/// names; lines are sorted by the text. A line begins with the distance of its character from the previous line's; a
/// distance of 1 is left out. The names follow, separated by commas. A dot after a name means that its `;` may be
/// missing. If the text has a second character, that comes last, after a space. Sorted by text, the list takes 7 KB
/// gzip; sorted by name, 11 KB.
const NAMED: &str = include_str!("entities.txt");

/// The length of the longest name whose `;` may be missing, in bytes.
const MAX_OPEN_NAME: usize = 6;

/// The characters for the numeric references 0x80 to 0x9F, which HTML decodes as windows-1252.
const WINDOWS_1252_FROM_80: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Decodes the references in an element's text.
pub fn unescape(text: &str) -> Cow<'_, str> {
    decode(text, false)
}

/// Decodes the references in an attribute's value.
pub fn unescape_attribute(value: &str) -> Cow<'_, str> {
    decode(value, true)
}

fn decode(text: &str, is_attribute: bool) -> Cow<'_, str> {
    let Some((before, after)) = text.split_once('&') else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(before);
    for part in after.split('&') {
        let rest = match part.strip_prefix('#') {
            Some(number) => push_number(&mut out, number),
            None => push_named(&mut out, part, is_attribute),
        };
        if rest.is_none() {
            out.push('&');
        }
        out.push_str(rest.unwrap_or(part));
    }
    Cow::Owned(out)
}

/// Appends the character of a numeric reference, and returns the text after the reference; `None` without digits.
fn push_number<'a>(out: &mut String, number: &'a str) -> Option<&'a str> {
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, radix) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
    let length = digits.find(|c: char| !c.is_digit(radix));
    let (digits, rest) = digits.split_at_checked(length.unwrap_or(digits.len()))?;
    if digits.is_empty() {
        return None;
    }
    // A number that overflows `u32` is not a character.
    let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
    let character = match code {
        0 => None,
        0x80..=0x9f => WINDOWS_1252_FROM_80.chars().nth(code as usize - 0x80),
        _ => char::from_u32(code),
    };
    out.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(rest.strip_prefix(';').unwrap_or(rest))
}

/// Appends the text of the longest reference name at the start of `part`, and returns the text after the reference;
/// `None` if `part` starts with no name.
fn push_named<'a>(out: &mut String, part: &'a str, is_attribute: bool) -> Option<&'a str> {
    let length = part.find(|c: char| !c.is_ascii_alphanumeric());
    let (word, behind) = part.split_at_checked(length.unwrap_or(part.len()))?;
    if let Some(rest) = behind.strip_prefix(';')
        && let Some(reference) = named(word)
    {
        reference.push(out);
        return Some(rest);
    }
    // In an attribute, no letter, digit or `=` may follow a name without `;`.
    if is_attribute && (word.len() > MAX_OPEN_NAME || behind.starts_with('=')) {
        return None;
    }
    let shortest = if is_attribute { word.len() } else { 2 };
    let mut lengths = (shortest..=word.len().min(MAX_OPEN_NAME)).rev();
    let (reference, rest) = lengths.find_map(|length| {
        let (name, rest) = part.split_at_checked(length)?;
        let reference = named(name).filter(|found| found.may_be_open)?;
        Some((reference, rest))
    })?;
    reference.push(out);
    Some(rest)
}

/// A named reference.
#[derive(Clone, Copy)]
struct Reference {
    name: &'static str,
    /// Whether the `;` after the name may be missing.
    may_be_open: bool,
    first: char,
    second: Option<char>,
}

impl Reference {
    fn push(self, out: &mut String) {
        out.push(self.first);
        out.extend(self.second);
    }
}

/// The most frequent references. They are found without parsing the list.
const FREQUENT: [(&str, char); 5] = [
    ("amp", '&'),
    ("gt", '>'),
    ("lt", '<'),
    ("nbsp", '\u{a0}'),
    ("quot", '"'),
];

fn named(name: &str) -> Option<Reference> {
    static LIST: LazyLock<Vec<Reference>> = LazyLock::new(read_list);
    if let Some((name, first)) = FREQUENT.into_iter().find(|(frequent, _)| *frequent == name) {
        return Some(Reference {
            name,
            may_be_open: true,
            first,
            second: None,
        });
    }
    let at = LIST.partition_point(|reference| reference.name < name);
    LIST.get(at).copied().filter(|found| found.name == name)
}

/// The references, sorted by name.
fn read_list() -> Vec<Reference> {
    let mut list = Vec::new();
    let mut code = 0;
    for line in NAMED.lines() {
        let (line, second) = line.split_once(' ').unwrap_or((line, ""));
        let names = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let distance = line.strip_suffix(names).unwrap_or_default();
        code += distance.parse().unwrap_or(1);
        let first = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let second = second.chars().next();
        list.extend(names.split(',').map(|written| {
            let name = written.trim_end_matches('.');
            Reference {
                name,
                may_be_open: name.len() < written.len(),
                first,
                second,
            }
        }));
    }
    ordered::sort_by(&mut list, |one, other| one.name.cmp(other.name));
    list
}
