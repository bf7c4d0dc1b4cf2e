//! Signs in the text of a label that mark a required field or a question.

use crate::unicode::case::lowercase;

/// The maximum number of words in a label that begins with a star. Beside a placeholder, a longer text is a note.
const MAX_STARRED_WORDS: usize = 3;

/// Parts of words that mean "required", in several languages. A text with a star and such a word explains the star.
const REQUIRED_WORDS: [&str; 9] = [
    "required",
    "mandatory",
    "pflicht",
    "obligat",
    "verplicht",
    "requis",
    "obrigat",
    "必須",
    "必填",
];

/// The signs that mark a required field.
const STARS: [char; 2] = ['*', '＊'];
/// The word that marks a required field, in any case.
const REQUIRED_WORD: &str = "(required)";

/// The colons that may end the text before a control.
const COLONS: [char; 2] = [':', '：'];

/// Removes the marker of a required field from its label: stars at the beginning, and stars or `(required)` at the
/// end. A colon after the label is removed together with the marker. The label of an optional field stays unchanged.
pub fn without_marker(label: &str, is_required: bool) -> &str {
    if !is_required {
        return label;
    }
    let text = label.trim_start_matches(STARS).trim();
    let has_star_before = label.starts_with(STARS);
    let before_colon = text.trim_end_matches(COLONS).trim_end();
    let bare = match without_last_marker(before_colon) {
        bare if bare.len() < before_colon.len() || has_star_before => bare,
        _ => without_last_marker(text),
    };
    if bare.trim_end_matches(COLONS).is_empty() {
        label
    } else {
        bare
    }
}

/// Removes the stars and words that mark a required field from the end of a text.
pub fn without_last_marker(text: &str) -> &str {
    let mut bare = text;
    loop {
        bare = bare.trim_end_matches(STARS).trim_end();
        let word = bare.len().checked_sub(REQUIRED_WORD.len());
        match word.and_then(|word| bare.split_at_checked(word)) {
            Some((rest, word)) if word.eq_ignore_ascii_case(REQUIRED_WORD) => {
                bare = rest.trim_end();
            }
            _ => return bare,
        }
    }
}

/// Removes the colon at the end of a text before a control.
pub fn without_colon(text: &str) -> &str {
    text.trim_end_matches(COLONS).trim_end()
}

/// Whether a text ends with a question mark or a colon, ignoring the marker of a required field.
pub fn is_question(text: &str) -> bool {
    without_last_marker(text).ends_with([':', '：', '?', '？', '؟'])
}

/// Whether a text that begins with a star is a note: it explains the star, or it is too long for a label.
pub fn is_note(text: &str, has_placeholder: bool) -> bool {
    let Some(rest) = text.strip_prefix(STARS) else {
        return false;
    };
    let rest = lowercase(rest);
    let says_required = REQUIRED_WORDS.iter().any(|word| rest.contains(word));
    let is_long = rest.split_whitespace().nth(MAX_STARRED_WORDS).is_some();
    says_required || (has_placeholder && is_long && !is_question(&rest))
}
