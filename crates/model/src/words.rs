//! The words by which submissions are found. Text is split and folded here, for what is stored
//! and for what is asked alike, so that every database finds the same.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Submission;
use crate::unicode::case::each_lower;
use crate::unicode::domain::with_unicode_labels;
use crate::unicode::fold::fold;

/// The most distinct words of one submission that are searched.
const MAX_WORDS: usize = 2_000;

/// The most words of one search; further ones are passed over.
const MAX_ASKED: usize = 20;

/// A longer word is cut, in what is stored and in what is searched.
const MAX_WORD_CHARS: usize = 64;

/// The distinct words of a submission's answers, with the labels of the options that they chose, and of its address.
/// The id joins them once it is known.
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
        words.len() < MAX_ASKED
    });
    words
}

/// A beginning of a word that takes more bytes is no term of its own. At [`MAX_WORDS`] the terms of a
/// submission stay within the megabyte that PostgreSQL lets a `tsvector` have.
const MAX_BEGINNING_BYTES: usize = 24;

/// A word of fewer characters is searched for as it is, not as the beginning of one: every
/// submission has a word that begins with some letter.
const MIN_BEGINNING_CHARS: usize = 2;

/// Whether a search for a word finds the words that begin with it as well.
pub fn is_beginning(word: &str) -> bool {
    !word.starts_with(MARK) && word.chars().nth(MIN_BEGINNING_CHARS - 1).is_some()
}

/// Whether a search for the beginning of words is a look for one of their [`terms`]; else for all that begin so.
pub fn is_term(beginning: &str) -> bool {
    beginning.len() <= MAX_BEGINNING_BYTES
}

/// The terms that a word is indexed under, where finding all words with a prefix would be slow:
/// each beginning that [`is_term`], and the word itself.
pub fn terms(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(MIN_BEGINNING_CHARS);
    let beginnings = ends.filter_map(|(end, _)| word.get(..end));
    beginnings
        .filter(|beginning| is_term(beginning))
        .chain([word])
}

/// A character for private use. It is neither a letter nor a digit, so no text and no search has a
/// word with it; and it is none that ends a word for a database.
const MARK: &str = "\u{e000}";

/// A word by which all submissions of a form are found, so that a search inside one form is a
/// look into the index as well.
pub fn form_word(form_id: i64) -> String {
    [MARK, "f", &form_id.to_string()].concat()
}

/// A word by which all submissions of a status are found.
pub fn status_word(status: &str) -> String {
    let mut word = [MARK, "s"].concat();
    for c in status.chars() {
        match c {
            'a'..='z' | '0'..='9' => word.push(c),
            // Databases fold capitals and end words at what a status of a plugin may have.
            _ => word.push_str(&format!("{MARK}{:x}{MARK}", u32::from(c))),
        }
    }
    word
}

/// The word by which all submissions that hold an address are found; nobody without the site's key can make it.
pub fn address_word(address_hash: &str) -> String {
    [MARK, "m", address_hash].concat()
}

/// The word by which all submissions with an answer are found, by the hash of its name and value.
pub fn answer_word(hash: &str) -> String {
    [MARK, "v", hash].concat()
}

/// What stands between the words of which a submission needs only one: no text has a word with it.
pub const OR: char = '|';

/// A search for any of these marks.
pub fn any_word(marks: impl Iterator<Item = String>) -> String {
    marks.collect::<Vec<_>>().join(&OR.to_string())
}

/// The word by which all submissions are found that are starred, or are not.
pub fn starred_word(starred: bool) -> String {
    [MARK, if starred { "k1" } else { "k0" }].concat()
}

/// The word by which all submissions are found that lists show unless asked for a status.
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

/// Passes on the words of a text until no more are wanted: runs of letters and digits, folded.
/// Scripts that are written without spaces give a word for each character.
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

/// The words of a folded text, in their whole length.
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

/// The words of a search as versions before the index held folded text would have split it: by these the submissions
/// are found that are not yet indexed anew.
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
    words.take(MAX_ASKED).collect()
}

/// Han, Hiragana, Katakana, Bopomofo and Thai.
pub fn is_written_without_spaces(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{312f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
