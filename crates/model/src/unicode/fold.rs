//! Folds text for comparison. Thus searches and deny lists match in upper and lower case, with or without accents,
//! and in any Unicode composition.
//!
//! A text is decomposed (NFKD) and converted to lower case, and marks are dropped. Some letters get their usual
//! replacements: `ß` becomes `ss`, `ø` becomes `o`. Vowel signs of scripts that write vowels as marks (Devanagari,
//! Thai and others) are kept, because they are not accents. Hangul stays composed.

use std::sync::LazyLock;

use super::Numbers;
use super::case::each_lower;
use super::category::is_mark;

/// The characters that can be decomposed, and their decompositions.
struct Decompositions {
    codes: Vec<u32>,
    /// The end of each character's decomposition in `becomes`.
    ends: Vec<usize>,
    becomes: Vec<char>,
}

static DECOMPOSITIONS: LazyLock<Decompositions> = LazyLock::new(|| {
    let mut numbers = Numbers::of(include_bytes!("decompositions.bin"));
    let count = numbers.number();
    let mut last = 0;
    let codes: Vec<u32> = (0..count)
        .map(|_| {
            last += numbers.number() + 1;
            last
        })
        .collect();
    let lengths: Vec<u8> = (0..count).map(|_| numbers.byte()).collect();
    let mut first = 0;
    let firsts: Vec<u32> = (0..count)
        .map(|_| {
            first = numbers.from(first);
            first
        })
        .collect();
    let (mut ends, mut becomes) = (Vec::new(), Vec::new());
    for (length, mut code) in lengths.into_iter().zip(firsts) {
        becomes.extend(char::from_u32(code));
        for _ in 1..length {
            code = numbers.from(code);
            becomes.extend(char::from_u32(code));
        }
        ends.push(becomes.len());
    }
    Decompositions {
        codes,
        ends,
        becomes,
    }
});

impl Decompositions {
    /// The decomposition at a position of the table.
    fn at(&self, place: usize) -> Option<&[char]> {
        let end = *self.ends.get(place)?;
        let start = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        self.becomes.get(start.copied().unwrap_or(0)..end)
    }

    /// The decomposition of a lower-case character; `None` if the table lacks the character.
    fn of(&self, c: char) -> Option<&[char]> {
        self.at(self.codes.binary_search(&u32::from(c)).ok()?)
    }
}

/// Folds a text for comparison: lower case, without accents and other marks.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    each_decomposed(text, &mut |c| match c {
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' => folded.push('d'),
        // `I` is the capital of both `i` and `ı`.
        'ı' => folded.push('i'),
        'ς' => folded.push('σ'),
        c if is_ignored(c) => {}
        c => push_hangul(&mut folded, c),
    });
    folded
}

/// Converts a text to lower case and composes it (NFKC), as needed to compare domain names.
pub fn composed(text: &str) -> String {
    let mut decomposed = Vec::new();
    each_decomposed(text, &mut |c| decomposed.push(c));
    let mut composed = String::with_capacity(text.len());
    let mut rest = decomposed.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let marks = behind.iter().take_while(|c| is_mark(**c)).count();
        let longest = (1..=marks).rev().find_map(|marks| {
            let cluster = rest.get(..=marks)?;
            Some((composition(cluster)?, marks))
        });
        let (c, marks) = longest.unwrap_or((*first, 0));
        push_hangul(&mut composed, c);
        rest = behind.get(marks..).unwrap_or_default();
    }
    composed
}

fn each_decomposed(text: &str, visit: &mut dyn FnMut(char)) {
    for c in text.chars() {
        if c.is_ascii() {
            visit(c.to_ascii_lowercase());
            continue;
        }
        each_lower(c, &mut |lower| match DECOMPOSITIONS.of(lower) {
            Some(characters) => characters.iter().for_each(|c| visit(*c)),
            None => visit(lower),
        });
    }
}

/// Whether folding drops a character: an invisible character, or a mark that is not a vowel sign.
fn is_ignored(c: char) -> bool {
    match c {
        // Soft hyphen, tatweel, joiners and the byte order mark.
        '\u{ad}' | '\u{640}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' => true,
        // From Devanagari on, alphabetic marks are vowel signs.
        c => is_mark(c) && !(c >= '\u{900}' && c.is_alphabetic()),
    }
}

/// Composes a letter and its marks to one character, in scripts that are usually written composed. Other scripts stay
/// decomposed.
fn composition(cluster: &[char]) -> Option<char> {
    let all = &*DECOMPOSITIONS;
    let mut codes = all.codes.iter().enumerate();
    let (_, code) = codes.find(|(place, code)| {
        matches!(code, 0xc0..0x900 | 0x1e00..0x2000 | 0x3040..0x3100)
            && all.at(*place) == Some(cluster)
    })?;
    char::from_u32(*code)
}

/// Appends a character. A Hangul vowel or final consonant joins the syllable before it.
fn push_hangul(text: &mut String, c: char) {
    const SYLLABLES: u32 = 0xac00;
    let last = text.chars().next_back().map_or(0, u32::from);
    let syllable = match (last, u32::from(c)) {
        (lead @ 0x1100..0x1113, vowel @ 0x1161..0x1176) => {
            SYLLABLES + ((lead - 0x1100) * 21 + vowel - 0x1161) * 28
        }
        (open @ SYLLABLES..0xd7a4, tail @ 0x11a8..0x11c3)
            if (open - SYLLABLES).is_multiple_of(28) =>
        {
            open + tail - 0x11a7
        }
        _ => return text.push(c),
    };
    text.pop();
    text.extend(char::from_u32(syllable));
}
