//! Translates Unicode properties in patterns (`\p{L}`, `\P{Lu}`, `\p{Script=Greek}`), which regex-lite does not
//! support.
//!
//! A class of all letters has some 700 ranges, and each repetition would copy them. Therefore both the pattern and
//! each value that it is matched with are translated. Every character beyond ASCII becomes a representative of all
//! characters that the pattern cannot distinguish. Three facts determine a representative: the segment of the
//! character set, the properties such as scripts that the pattern names, and the general category. The characters
//! that the pattern names divide the set into segments. Translated in this way, a property has only a few ranges.
//! ASCII stays unchanged.

mod reader;

use reader::Reader;

use crate::ordered;
use crate::unicode::category::{CATEGORIES, CategorySet, Script, category};

/// The first representative.
const FIRST: u32 = 0x1_0000;

/// A character that no translated value contains, for a class that matches nothing.
const NONE: char = '\u{10ffff}';

/// The maximum number of representatives, which bounds the work for each property.
const MAX_REPRESENTATIVES: usize = 0x4000;

/// The longest translated pattern, in bytes.
const MAX_TRANSLATED_BYTES: usize = 64 * 1024;

/// The maximum number of scripts and other properties, except categories, that a pattern may name.
const MAX_TESTS: usize = 8;

/// The number of general categories.
const CATEGORY_COUNT: u32 = 30;

const TOO_LARGE: &str = "the pattern names too many characters beside \\p{…}";

/// The translation of characters to representatives for one pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Alphabet {
    /// The first characters of the segments, except the first segment.
    bounds: Vec<u32>,
    /// The properties other than categories. Each has a bit in a representative's number, in this order.
    tests: Vec<Test>,
}

/// A property that is not a general category.
#[derive(Clone, Copy, Debug)]
enum Test {
    Script(&'static Script),
    Of(fn(char) -> bool),
}

/// A property of a pattern.
#[derive(Clone, Copy, Debug)]
enum Property {
    Categories(CategorySet),
    /// The position in [`Alphabet::tests`].
    Test(usize),
    Ascii,
}

/// A piece of a pattern.
enum Piece {
    /// Text that is passed on unchanged.
    Text(String),
    /// A range of characters whose last character is beyond ASCII.
    Range(u32, u32),
    Property {
        property: Property,
        negated: bool,
    },
}

/// Translates a pattern with Unicode properties; `None` for any other pattern. The error names an unknown property,
/// or states that the result would be too large.
pub(super) fn translate(source: &str) -> Result<Option<(String, Alphabet)>, String> {
    if !source.contains("\\p") && !source.contains("\\P") {
        return Ok(None);
    }
    let mut reader = Reader::of(source);
    reader.read()?;
    let Reader {
        pieces,
        mut alphabet,
        ..
    } = reader;
    ordered::sort_by(&mut alphabet.bounds, u32::cmp);
    alphabet.bounds.dedup();
    if alphabet.length() > MAX_REPRESENTATIVES {
        return Err(TOO_LARGE.to_owned());
    }
    let mut translated = String::new();
    for (piece, is_in_class) in &pieces {
        match piece {
            Piece::Text(text) => translated.push_str(text),
            piece => {
                let class = alphabet.class(piece);
                let (open, close) = if *is_in_class { ("", "") } else { ("[", "]") };
                translated.push_str(&[open, &class, close].concat());
            }
        }
        if translated.len() > MAX_TRANSLATED_BYTES {
            return Err(TOO_LARGE.to_owned());
        }
    }
    Ok(Some((translated, alphabet)))
}

impl Alphabet {
    /// The value with its characters replaced by representatives.
    pub(super) fn translated(&self, value: &str) -> String {
        value.chars().map(|c| self.representative_of(c)).collect()
    }

    fn representative_of(&self, c: char) -> char {
        if c.is_ascii() {
            return c;
        }
        let tests = self.tests.iter().rev();
        let bits = tests.fold(0, |bits, test| bits * 2 + u32::from(test.holds(c)));
        let code = self.start(self.segment(u32::from(c))) + bits * CATEGORY_COUNT + category(c);
        char::from_u32(code).unwrap_or(NONE)
    }

    fn segment(&self, code: u32) -> usize {
        self.bounds.partition_point(|bound| *bound <= code)
    }

    /// The number of representatives of a segment.
    fn segment_length(&self) -> u32 {
        CATEGORY_COUNT << self.tests.len()
    }

    fn start(&self, segment: usize) -> u32 {
        let segment = u32::try_from(segment).unwrap_or(u32::MAX);
        FIRST.saturating_add(segment.saturating_mul(self.segment_length()))
    }

    /// The number of representatives.
    fn length(&self) -> usize {
        let of_segment = usize::try_from(self.segment_length()).unwrap_or(usize::MAX);
        of_segment.saturating_mul(self.bounds.len() + 1)
    }

    /// The content of a character class for a piece, without its brackets.
    fn class(&self, piece: &Piece) -> String {
        let mut ranges = Vec::new();
        match piece {
            Piece::Text(_) => {}
            Piece::Range(first, last) => {
                if *first < 0x80 {
                    ranges.push((*first, 0x7f));
                }
                let end = self.start(self.segment(*last) + 1);
                ranges.push((self.start(self.segment((*first).max(0x80))), end - 1));
            }
            Piece::Property { property, negated } => {
                let ascii = (0..0x80_u8).map(|byte| {
                    let has = self.has(*property, char::from(byte));
                    (u32::from(byte), has != *negated)
                });
                let representatives = (FIRST..self.start(self.bounds.len() + 1)).map(|code| {
                    let place = (code - FIRST) % self.segment_length();
                    let (bits, category) = (place / CATEGORY_COUNT, place % CATEGORY_COUNT);
                    let has = match property {
                        Property::Categories(set) => set >> category & 1 == 1,
                        Property::Test(test) => bits >> test & 1 == 1,
                        Property::Ascii => false,
                    };
                    (code, has != *negated)
                });
                push_ranges(&mut ranges, &mut ascii.chain(representatives));
            }
        }
        let hex = |code: u32| format!("\\u{{{code:x}}}");
        let ranges = ranges.into_iter().map(|(first, last)| match last - first {
            0 => hex(first),
            _ => [hex(first), hex(last)].join("-"),
        });
        let class: String = ranges.collect();
        if class.is_empty() {
            hex(u32::from(NONE))
        } else {
            class
        }
    }

    fn has(&self, property: Property, c: char) -> bool {
        match property {
            Property::Categories(set) => set >> category(c) & 1 == 1,
            Property::Test(test) => self.tests.get(test).is_some_and(|test| test.holds(c)),
            Property::Ascii => c.is_ascii(),
        }
    }

    /// The property with the name that was written between braces.
    fn property(&mut self, name: &str) -> Result<Property, String> {
        let unknown = || format!("\\p{{{name}}} is not supported");
        let (key, value) = name.split_once('=').unwrap_or(("", name));
        let test = match (key, value) {
            ("" | "gc" | "General_Category", value) if categories(value) != 0 => {
                return Ok(Property::Categories(categories(value)));
            }
            ("sc" | "Script", value) => Test::Script(Script::named(value).ok_or_else(unknown)?),
            ("", "Any") => return Ok(Property::Categories(CategorySet::MAX)),
            ("", "ASCII") => return Ok(Property::Ascii),
            ("", "Alphabetic" | "Alpha") => Test::Of(char::is_alphabetic),
            ("", "Lowercase" | "Lower") => Test::Of(char::is_lowercase),
            ("", "Uppercase" | "Upper") => Test::Of(char::is_uppercase),
            ("", "White_Space" | "space") => Test::Of(char::is_whitespace),
            _ => return Err(unknown()),
        };
        let known = self.tests.iter().position(|known| known.is(&test));
        let place = known.unwrap_or(self.tests.len());
        if known.is_none() {
            self.tests.push(test);
        }
        if self.tests.len() > MAX_TESTS {
            return Err(format!("the pattern names more than {MAX_TESTS} scripts"));
        }
        Ok(Property::Test(place))
    }
}

impl Test {
    fn holds(&self, c: char) -> bool {
        match self {
            Test::Script(script) => script.has(c),
            Test::Of(test) => test(c),
        }
    }

    /// Whether both tests are the same script. Other tests always count as different.
    fn is(&self, other: &Test) -> bool {
        matches!((self, other), (Test::Script(one), Test::Script(other)) if std::ptr::eq(*one, *other))
    }
}

/// The general categories with a name, or with the name of their group. Empty for an unknown name.
fn categories(name: &str) -> CategorySet {
    const GROUPS: [(&str, &str); 7] = [
        ("L", "Letter"),
        ("M", "Mark"),
        ("N", "Number"),
        ("P", "Punctuation"),
        ("S", "Symbol"),
        ("Z", "Separator"),
        ("C", "Other"),
    ];
    if ["LC", "Cased_Letter"].contains(&name) {
        return 0b111;
    }
    let group = GROUPS
        .iter()
        .find(|(short, long)| [*short, *long].contains(&name));
    let places = CATEGORIES.iter().enumerate();
    let matching = places.filter(|(_, (short, long))| match group {
        Some((group, _)) => short.starts_with(group),
        None => [*short, *long].contains(&name),
    });
    matching.fold(0, |set, (place, _)| set | 1 << place)
}

/// Adds the ranges of those codes whose flag is true.
fn push_ranges(ranges: &mut Vec<(u32, u32)>, codes: &mut dyn Iterator<Item = (u32, bool)>) {
    for (code, _) in codes.filter(|(_, is_in)| *is_in) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => ranges.push((code, code)),
        }
    }
}
