//! The words of the search for submissions. Stored and searched text is split and folded by the same code, so that
//! every database finds the same submissions.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Submission;
use crate::unicode::case::each_lower;
use crate::unicode::domain::with_unicode_labels;
use crate::unicode::fold::fold;

/// The maximum number of distinct words of one submission that are indexed.
const MAX_WORDS: usize = 2_000;

/// The maximum number of words of one search; further ones are ignored.
const MAX_SEARCH_WORDS: usize = 20;

/// The longest word; longer ones are cut, in stored and searched text.
const MAX_WORD_CHARS: usize = 64;

/// The distinct words of a submission's answers, of the labels of its chosen options, and of its address. The id
/// is added once it is known.
pub fn words_of(submission: &Submission) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    collect(&submission.ip_address, &mut words);
    for (_, labels) in &submission.labels.0 {
        collect(labels, &mut words);
    }
    for (_, value) in submission.data.iter() {
        collect_value(value, &mut words);
    }
    words
}

/// The words of a search.
pub fn search_words(search: &str) -> Vec<String> {
    let mut words = Vec::new();
    split(search, &mut |word| {
        words.push(word);
        words.len() < MAX_SEARCH_WORDS
    });
    words
}

/// The longest prefix that is indexed as a term. With [`MAX_WORDS`] words, the terms of a submission stay within
/// PostgreSQL's limit of one megabyte for a `tsvector`.
const MAX_BEGINNING_BYTES: usize = 24;

/// The shortest word that is searched as a prefix. A single letter is searched as a whole word: nearly every
/// submission has a word that begins with it.
const MIN_BEGINNING_CHARS: usize = 2;

/// Whether a search for a word also finds the words that begin with it.
pub fn is_beginning(word: &str) -> bool {
    !word.starts_with(MARK) && word.chars().nth(MIN_BEGINNING_CHARS - 1).is_some()
}

/// Whether a prefix is itself an indexed [`terms`] entry; otherwise a search needs a range of terms.
pub fn is_term(beginning: &str) -> bool {
    beginning.len() <= MAX_BEGINNING_BYTES
}

/// The terms under which a word is indexed, for databases with slow prefix searches: each prefix that [`is_term`], and
/// the word itself.
pub fn terms(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(MIN_BEGINNING_CHARS);
    let beginnings = ends.filter_map(|(end, _)| word.get(..end));
    beginnings
        .filter(|beginning| is_term(beginning))
        .chain([word])
}

/// A private-use character. The character is neither a letter nor a digit, so no word of a text or search contains it.
/// Databases do not end a word at it.
const MARK: &str = "\u{e000}";

/// The word of all submissions of a form, so that a search inside one form uses the index too.
pub fn form_word(form_id: i64) -> String {
    [MARK, "f", &form_id.to_string()].concat()
}

/// The word of all submissions of a status.
pub fn status_word(status: &str) -> String {
    let mut word = [MARK, "s"].concat();
    for c in status.chars() {
        match c {
            'a'..='z' | '0'..='9' => word.push(c),
            // Databases fold capitals, and end words at some characters that a plugin's status may have.
            _ => word.push_str(&format!("{MARK}{:x}{MARK}", u32::from(c))),
        }
    }
    word
}

/// The word of all submissions with an address; making it needs the site's key.
pub fn address_word(address_hash: &str) -> String {
    [MARK, "m", address_hash].concat()
}

/// The word of all submissions with an answer, by the hash of its name and value.
pub fn answer_word(hash: &str) -> String {
    [MARK, "v", hash].concat()
}

/// The separator between alternative words; no text has a word with it.
pub const OR: char = '|';

/// A search for any of these words.
pub fn any_word(marks: impl Iterator<Item = String>) -> String {
    marks.collect::<Vec<_>>().join(&OR.to_string())
}

/// The word of all submissions that are starred, or that are not.
pub fn starred_word(starred: bool) -> String {
    [MARK, if starred { "k1" } else { "k0" }].concat()
}

/// The word of all submissions that lists show without a status filter.
pub fn listed_word() -> String {
    [MARK, "l"].concat()
}

fn collect_value(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => collect(text, words),
        Value::Number(number) => collect(&number.to_string(), words),
        Value::Array(items) => items.iter().for_each(|item| collect_value(item, words)),
        Value::Object(members) => members.values().for_each(|item| collect_value(item, words)),
        Value::Null | Value::Bool(_) => {}
    }
}

fn collect(text: &str, words: &mut BTreeSet<String>) {
    split(text, &mut |word| {
        let has_room = words.len() < MAX_WORDS;
        if has_room {
            words.insert(word);
        }
        has_room
    });
}

/// Passes the words of a text, runs of letters and digits, folded, to the callback until it returns false. In scripts
/// without spaces each character is a word.
fn split(text: &str, is_more_wanted: &mut dyn FnMut(String) -> bool) {
    let text = with_unicode_labels(text);
    if text.is_ascii() {
        let runs = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        let mut words = runs.filter(|run| !run.is_empty()).map(|run| {
            let run = run.get(..MAX_WORD_CHARS).unwrap_or(run);
            String::from_utf8(run.to_ascii_lowercase()).unwrap_or_default()
        });
        words.all(is_more_wanted);
        return;
    }
    let folded = fold(&text);
    let mut words = runs(&folded).map(cut);
    words.all(is_more_wanted);
}

/// The words of a folded text, uncut.
pub fn runs(folded: &str) -> impl Iterator<Item = &str> {
    let mut rest = folded;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = rest.chars().next()?;
        let length = if is_written_without_spaces(first) {
            first.len_utf8()
        } else {
            let is_behind = |c: char| !c.is_alphanumeric() || is_written_without_spaces(c);
            rest.find(is_behind).unwrap_or(rest.len())
        };
        let (word, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(word)
    })
}

fn cut(word: &str) -> String {
    word.chars().take(MAX_WORD_CHARS).collect()
}

/// The words of a search as versions with an unfolded index split it. They find the submissions that are not
/// reindexed yet.
pub fn former_search_words(search: &str) -> Vec<String> {
    let runs = search.split(|c: char| !c.is_alphanumeric());
    let words = runs.flat_map(self::runs).map(|word| {
        let mut lower = String::with_capacity(word.len());
        word.chars()
            .for_each(|c| each_lower(c, &mut |c| lower.push(c)));
        lower
            .chars()
            .filter(|c| c.is_alphanumeric())
            .take(MAX_WORD_CHARS)
            .collect()
    });
    words.take(MAX_SEARCH_WORDS).collect()
}

/// Whether a character is Han, Hiragana, Katakana, Bopomofo or Thai.
pub fn is_written_without_spaces(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{312f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
