//! Patterns written by form authors, with the meaning of the HTML `pattern` attribute: the whole
//! value must match.
//!
//! They run on regex-lite, whose time grows with (value length × program size) and never
//! exponentially, and all three sizes are bounded here. Unicode properties (`\p{L}`) are translated for it
//! (`properties.rs`). What it cannot compile (lookaround, backreferences, set operations, other properties than those)
//! is refused when the form is saved. Known differences
//! from a browser's `v` flag: `\s` and `\w` are ASCII; `.` also matches a carriage return; and
//! patterns that only older browsers accept, such as `[\w-]`, are enforced here.

use std::cell::RefCell;

use regex_lite::{Regex, RegexBuilder};

use super::properties::{Alphabet, translate};

/// The longest pattern accepted, in characters.
pub const MAX_PATTERN_CHARS: usize = 1_000;

/// The longest value compared with a pattern, in bytes; a longer one does not match.
pub const MAX_VALUE_BYTES: usize = 10_000;

/// The largest compiled program, in bytes. It bounds the time of one comparison: about 4 ms for
/// the longest value.
const PROGRAM_BYTES: usize = 64 * 1024;

/// How many compiled patterns are kept.
const CACHED_PATTERNS: usize = 128;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    whole_value: Regex,
    /// What characters of values become, for a pattern that names Unicode properties.
    alphabet: Option<Alphabet>,
}

impl Pattern {
    /// Compiles a pattern, or takes it from a small cache of the thread. An error says why it is refused:
    /// it is too long, is no pattern, needs a feature without a linear-time meaning, or grows too large when
    /// its repetitions are written out.
    pub fn of(source: &str) -> Result<Pattern, String> {
        thread_local! {
            static COMPILED: RefCell<Vec<(String, Pattern)>> = const { RefCell::new(Vec::new()) };
        }
        COMPILED.with_borrow_mut(|compiled| {
            if let Some((_, pattern)) = compiled.iter().find(|(own, _)| own == source) {
                return Ok(pattern.clone());
            }
            let pattern = Pattern::compile(source)?;
            if compiled.len() >= CACHED_PATTERNS {
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
        // `a)(b` is no pattern, but would become one inside the anchoring group.
        build(source)?;
        let whole_value = build(&format!("^(?:{source})$"))?;
        Ok(Pattern {
            whole_value,
            alphabet,
        })
    }

    /// Whether the whole value matches. Never for a value longer than [`MAX_VALUE_BYTES`].
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
        .size_limit(PROGRAM_BYTES)
        .build()
        .map_err(|error| unusable(error.to_string()))
}

fn unusable(reason: String) -> String {
    format!("the pattern cannot be used: {reason}")
}
