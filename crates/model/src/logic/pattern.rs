//! Patterns of form authors, which work like the HTML attribute `pattern`: the whole value must match.
//!
//! Patterns run on regex-lite, which takes time proportional to (value length × program size) at most. Both sizes are
//! bounded here. `properties/` translates Unicode properties (`\p{L}`) for regex-lite. Patterns that regex-lite
//! cannot compile (lookaround, backreferences, set operations, other properties) are rejected when the form is saved.
//! Known differences from a browser's `v` flag: `\s` and `\w` are ASCII; `.` also matches a carriage return; and
//! patterns that only older browsers accept, such as `[\w-]`, are enforced here.

use std::cell::RefCell;

use regex_lite::{Regex, RegexBuilder};

use super::properties::{Alphabet, translate};

/// The longest allowed pattern, in characters.
pub const MAX_PATTERN_CHARS: usize = 1_000;

/// The longest value that is matched with a pattern, in bytes. A longer value never matches.
pub const MAX_VALUE_BYTES: usize = 10_000;

/// The largest compiled program, in bytes. It bounds the time of one comparison: about 4 ms for the longest value.
const MAX_PROGRAM_BYTES: usize = 64 * 1024;

/// The maximum number of cached patterns.
const MAX_CACHED_PATTERNS: usize = 128;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    whole_value: Regex,
    /// The translation that values need before a pattern with Unicode properties is matched.
    alphabet: Option<Alphabet>,
}

impl Pattern {
    /// Compiles a pattern, or takes it from a small cache of the thread. The error says why the pattern is rejected:
    /// it is too long or invalid, needs a feature that takes more than linear time, or grows too large when its
    /// repetitions are expanded.
    pub fn of(source: &str) -> Result<Pattern, String> {
        thread_local! {
            static COMPILED: RefCell<Vec<(String, Pattern)>> = const { RefCell::new(Vec::new()) };
        }
        COMPILED.with_borrow_mut(|compiled| {
            if let Some((_, pattern)) = compiled.iter().find(|(known, _)| known == source) {
                return Ok(pattern.clone());
            }
            let pattern = Pattern::compile(source)?;
            if compiled.len() >= MAX_CACHED_PATTERNS {
                compiled.clear();
            }
            compiled.push((source.to_owned(), pattern.clone()));
            Ok(pattern)
        })
    }

    fn compile(source: &str) -> Result<Pattern, String> {
        if source.chars().count() > MAX_PATTERN_CHARS {
            return Err(format!(
                "the pattern is longer than {MAX_PATTERN_CHARS} characters"
            ));
        }
        let translated = translate(source).map_err(unusable)?;
        let (translated, alphabet) = translated.unzip();
        let source = translated.as_deref().unwrap_or(source);
        // `a)(b` is invalid, but would become valid inside the anchoring group.
        build(source)?;
        let whole_value = build(&format!("^(?:{source})$"))?;
        Ok(Pattern {
            whole_value,
            alphabet,
        })
    }

    /// Whether the whole value matches. A value longer than [`MAX_VALUE_BYTES`] never matches.
    pub fn matches(&self, value: &str) -> bool {
        if value.len() > MAX_VALUE_BYTES {
            return false;
        }
        match &self.alphabet {
            Some(alphabet) => self.whole_value.is_match(&alphabet.translated(value)),
            None => self.whole_value.is_match(value),
        }
    }
}

fn build(source: &str) -> Result<Regex, String> {
    RegexBuilder::new(source)
        .size_limit(MAX_PROGRAM_BYTES)
        .build()
        .map_err(|error| unusable(error.to_string()))
}

fn unusable(reason: String) -> String {
    format!("the pattern cannot be used: {reason}")
}
