//! Converts telephone numbers with a country to E.164, such as `+4915112345678`. The visitor's script converts
//! numbers in the same way, with the same table (visitor/script/phone-number.ts). `scripts/phone-table.ts` generates
//! the table.

use std::collections::BTreeMap;

use crate::Field;
use crate::field_kinds::AnswerShape;
use crate::unicode::category::is_format;

/// The attribute with the country to which numbers without a calling code belong; empty for none.
pub const PHONE: &str = "data-phone";

/// The attribute with the countries to choose from.
pub const COUNTRIES: &str = "data-countries";

/// The part of an answer with the country that the visitor chose.
pub const COUNTRY: &str = "country";

/// The maximum number of digits of a number with its calling code.
const MAX_DIGITS: usize = 15;

/// The digit zero of each script in which visitors may write numbers.
const ZEROS: [u32; 5] = [0x30, 0x660, 0x6f0, 0x966, 0xff10];

static TABLE: &str = include_str!("../phones.txt");

/// A calling code with the facts about its numbers.
#[derive(Clone, Copy)]
struct Calling {
    code: &'static str,
    /// The prefix that people dial before national numbers, such as `0`; empty for none.
    trunk: &'static str,
    /// The possible lengths of a national number: bit `n` is set if `n` digits are possible.
    lengths: u32,
    /// The regions, with two letters for each.
    regions: &'static str,
}

/// The calling codes of the table.
fn all() -> impl Iterator<Item = Calling> {
    TABLE.lines().flat_map(|line| {
        let mut parts = line.split(' ');
        let trunk = parts.next().unwrap_or_default().trim_start_matches('-');
        let lengths = parts.next().unwrap_or_default();
        let lengths = u32::from_str_radix(lengths, 16).unwrap_or_default();
        parts.map(move |part| {
            let regions = part.trim_start_matches(|c: char| c.is_ascii_digit());
            Calling {
                code: part.strip_suffix(regions).unwrap_or_default(),
                trunk,
                lengths,
                regions,
            }
        })
    })
}

impl Calling {
    fn of_region(region: &str) -> Option<Calling> {
        all().find(|calling| calling.has(region))
    }

    /// The regions, the main one first.
    fn regions(&self) -> impl Iterator<Item = &'static str> {
        let regions = self.regions;
        (0..regions.len())
            .step_by(2)
            .filter_map(move |at| regions.get(at..at + 2))
    }

    fn has(&self, region: &str) -> bool {
        self.regions().any(|known| known == region)
    }

    fn is_possible(&self, number: &str) -> bool {
        let length = number.len();
        self.code.len() + length <= MAX_DIGITS && (self.lengths >> length) & 1 == 1
    }

    /// Removes the national prefix, or the calling code, that a visitor wrote before a national number.
    fn national<'n>(&self, number: &'n str) -> &'n str {
        let without = |prefix: &str| {
            let rest = number.strip_prefix(prefix);
            rest.filter(|rest| !prefix.is_empty() && self.is_possible(rest))
        };
        // In countries without a national prefix, a national number may begin with the digits of the calling code.
        let is_whole = self.trunk.is_empty() && self.is_possible(number);
        without(self.trunk)
            .or_else(|| without(self.code).filter(|_| !is_whole))
            .unwrap_or(number)
    }
}

/// The calling code of a country; `None` for an unknown one.
pub fn calling_code(region: &str) -> Option<&'static str> {
    Calling::of_region(region).map(|calling| calling.code)
}

/// The calling codes of all countries.
pub fn calling_codes() -> BTreeMap<&'static str, &'static str> {
    let mut codes = BTreeMap::new();
    for calling in all() {
        codes.extend(calling.regions().map(|region| (region, calling.code)));
    }
    codes
}

/// The countries that a field offers, in the order of the page; empty for all countries.
pub fn countries(field: &Field) -> impl Iterator<Item = &str> {
    let listed = field.attributes.get(COUNTRIES);
    listed.into_iter().flat_map(|list| list.split_whitespace())
}

/// A field's number in E.164; `None` for an invalid number. `country` is the country that the visitor chose.
pub fn stored(field: &Field, text: &str, country: Option<&str>) -> Option<String> {
    let (is_international, digits) = digits(text)?;
    let (calling, number) = if is_international {
        let calling = all().find(|calling| digits.starts_with(calling.code))?;
        let number = digits.strip_prefix(calling.code)?;
        let extra = Some(calling.trunk).filter(|trunk| *trunk == "0");
        let rest = extra.and_then(|zero| number.strip_prefix(zero));
        (calling, rest.unwrap_or(number))
    } else {
        let usual = field.attributes.get(PHONE).map(String::as_str);
        let chosen = country.filter(|country| !country.is_empty());
        let calling = Calling::of_region(chosen.or(usual)?)?;
        (calling, calling.national(&digits))
    };
    let mut offered = countries(field).peekable();
    let is_offered = offered.peek().is_none() || offered.any(|region| calling.has(region));
    (is_offered && calling.is_possible(number)).then(|| ["+", calling.code, number].concat())
}

/// The digits of a text, and whether they begin with a calling code. `None` if the text contains other characters
/// than digits and usual separators.
fn digits(text: &str) -> Option<(bool, String)> {
    let is_ignored = |c: &char| c.is_whitespace() || is_format(*c);
    let ascii = |c: char| {
        let digit = |zero: &u32| (c as u32).checked_sub(*zero).filter(|digit| *digit < 10);
        let digit = ZEROS.iter().find_map(digit);
        match digit.and_then(|digit| char::from_digit(digit, 10)) {
            Some(digit) => digit,
            None if c == '\u{ff0b}' => '+',
            None => c.to_ascii_lowercase(),
        }
    };
    let text: String = text.chars().filter(|c| !is_ignored(c)).map(ascii).collect();
    let text = text.strip_prefix("tel:").unwrap_or(&text);
    let text = text.trim_start_matches('(');
    let rest = text.strip_prefix('+').or_else(|| text.strip_prefix("00"));
    let without_zero = rest.map(|rest| rest.replace("(0)", ""));
    let number = without_zero.as_deref().unwrap_or(text);
    let number = number.replace(['.', '/', '(', ')', '-'], "");
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((rest.is_some(), number))
}

impl Field {
    /// Whether the field stores telephone numbers in E.164.
    pub fn is_phone(&self) -> bool {
        self.shape() == AnswerShape::Phone
    }
}
