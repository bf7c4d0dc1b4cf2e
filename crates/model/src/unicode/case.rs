//! Lower and upper case. The standard library's tables take 10 KB gzip, the table here 1 KB. `clippy.toml` therefore
//! forbids the standard library's functions.

use std::sync::LazyLock;

use super::Numbers;
use super::category::{CategorySet, is_in};

/// Characters that have the same distance to their counterparts: all characters from `first` to `last`, or every
/// second one.
struct Run {
    first: u32,
    last: u32,
    step: u32,
    distance: u32,
}

/// The runs for conversion to lower case and to upper case, each sorted by character.
static RUNS: LazyLock<[Vec<Run>; 2]> = LazyLock::new(|| {
    let mut numbers = Numbers::of(include_bytes!("cases.bin"));
    [runs(&mut numbers), runs(&mut numbers)]
});

fn runs(numbers: &mut Numbers<'_>) -> Vec<Run> {
    let count = numbers.number();
    let mut last = 0;
    let run = |_| {
        let first = last + numbers.number();
        let length_and_step = numbers.number();
        let step = length_and_step % 2 + 1;
        last = first + length_and_step / 2 * step;
        let distance = numbers.from(0);
        Run {
            first,
            last,
            step,
            distance,
        }
    };
    (0..count).map(run).collect()
}

fn mapped(c: char, runs: &[Run]) -> char {
    let code = u32::from(c);
    let at = runs.partition_point(|run| run.last < code);
    let includes = |run: &&Run| run.first <= code && (code - run.first).is_multiple_of(run.step);
    let run = runs.get(at).filter(includes);
    run.and_then(|run| char::from_u32(code.wrapping_add(run.distance)))
        .unwrap_or(c)
}

/// Calls `visit` with the lower case of a character: with two characters for `\u{130}`, with one for all others.
pub fn each_lower(c: char, visit: &mut dyn FnMut(char)) {
    let [lower, _] = &*RUNS;
    match c {
        c if c.is_ascii() => visit(c.to_ascii_lowercase()),
        '\u{130}' => "i\u{307}".chars().for_each(visit),
        c => visit(mapped(c, lower)),
    }
}

/// Converts a text to lower case. A capital sigma at the end of a word becomes a final sigma.
pub fn lowercase(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut lower = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut is_behind_letter = false;
    while let Some(c) = rest.next() {
        if c == 'Σ' && is_behind_letter && !begins_with_letter(rest.clone()) {
            lower.push('ς');
        } else {
            each_lower(c, &mut |c| lower.push(c));
        }
        if !is_inside_word(c) {
            is_behind_letter = is_cased(c);
        }
    }
    lower
}

/// Capitalises the first letter of a text, if its script has capitals.
pub fn capitalized(text: &str) -> String {
    let [_, upper] = &*RUNS;
    let mut letters = text.chars();
    let first = letters.next().map(|first| match first {
        first if first.is_ascii() => first.to_ascii_uppercase(),
        first => mapped(first, upper),
    });
    first.into_iter().chain(letters).collect()
}

fn begins_with_letter(mut rest: std::str::Chars<'_>) -> bool {
    rest.find(|c| !is_inside_word(*c)).is_some_and(is_cased)
}

/// Whether a character is a letter of a script with two cases.
fn is_cased(c: char) -> bool {
    /// `Lu`, `Ll` and `Lt`.
    const CASED: CategorySet = 0b111;
    is_in(c, CASED)
}

/// Whether a character neither begins nor ends a word, such as an apostrophe or an accent.
fn is_inside_word(c: char) -> bool {
    /// `Lm`, `Mn`, `Me`, `Sk` and `Cf`.
    const IGNORED: CategorySet = 1 << 3 | 1 << 5 | 1 << 7 | 1 << 20 | 1 << 26;
    matches!(
        c,
        '\'' | '.' | ':' | '\u{b7}' | '\u{2018}' | '\u{2019}' | '\u{2024}' | '\u{2027}'
    ) || is_in(c, IGNORED)
}
