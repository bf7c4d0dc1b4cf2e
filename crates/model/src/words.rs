//! The words by which submissions are indexed and searched. The same code splits and folds stored and searched text,
//! so that every database finds the same submissions.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Submission;
use crate::unicode::domain::with_unicode_labels;
use crate::unicode::fold::fold;

/// The maximum number of distinct words of one submission that are indexed.
const MAX_WORDS: usize = 2_000;

/// The maximum number of words in one search; further words are ignored.
const MAX_SEARCH_WORDS: usize = 20;

/// The longest word, in characters. Longer words are cut, in both stored and searched text.
const MAX_WORD_CHARS: usize = 64;

/// The distinct words of a submission's answers, of the labels of its chosen options, and of the visitor's IP
/// address. The store adds the id once it is known.
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

/// The longest prefix that is indexed as a term, in bytes. With [`MAX_WORDS`] words, the terms of a submission stay
/// within PostgreSQL's limit of one megabyte for a `tsvector`.
const MAX_BEGINNING_BYTES: usize = 24;

/// The shortest word that is searched as a prefix, in characters. A single letter is searched only as a whole word,
/// because nearly every submission has a word that begins with the letter.
const MIN_BEGINNING_CHARS: usize = 2;

/// Whether a search for a word also finds longer words that begin with the word.
pub fn is_beginning(word: &str) -> bool {
    let is_mark = !word.starts_with(char::is_alphanumeric);
    !is_mark && word.chars().nth(MIN_BEGINNING_CHARS - 1).is_some()
}

/// Whether a prefix is short enough to be one of the indexed [`terms`]. A search for a longer prefix needs a range of
/// terms.
pub fn is_term(beginning: &str) -> bool {
    beginning.len() <= MAX_BEGINNING_BYTES
}

/// The terms under which a word is indexed in databases with slow prefix searches: the word itself, and its prefixes of
/// at least two characters for which [`is_term`] holds.
pub fn terms(word: &str) -> impl Iterator<Item = &str> {
    let ends = word.char_indices().skip(MIN_BEGINNING_CHARS);
    let beginnings = ends.filter_map(|(end, _)| word.get(..end));
    beginnings
        .filter(|beginning| is_term(beginning))
        .chain([word])
}

/// A private-use character at the start of words that stand for facts such as the form or the status. No word from a
/// text or a search contains it, because it is neither a letter nor a digit. Databases treat it as part of a word.
const MARK: &str = "\u{e000}";

/// The word that all submissions of a form have, so that a search within one form uses the index too.
pub fn form_word(form_id: i64) -> String {
    [MARK, "f", &form_id.to_string()].concat()
}

/// The word that all submissions with a status have.
pub fn status_word(status: &str) -> String {
    let mut word = [MARK, "s"].concat();
    for c in status.chars() {
        match c {
            'a'..='z' | '0'..='9' => word.push(c),
            // A plugin's status may contain capitals, which databases fold, and characters at which databases end a
            // word.
            _ => word.push_str(&format!("{MARK}{:x}{MARK}", u32::from(c))),
        }
    }
    word
}

/// The word that all submissions with an email address have. The hash of the address needs the site's key.
pub fn address_word(address_hash: &str) -> String {
    hash_word(ADDRESSES, address_hash)
}

/// The word that all submissions with an answer have, from the hash of the field's name and the value.
pub fn answer_word(hash: &str) -> String {
    hash_word(ANSWERS, hash)
}

/// The word that the previous version indexed for an email address.
pub fn former_address_word(address_hash: &str) -> String {
    [MARK, "m", address_hash].concat()
}

/// The word that the previous version indexed for an answer.
pub fn former_answer_word(hash: &str) -> String {
    [MARK, "v", hash].concat()
}

/// The first characters of two private-use planes of Unicode. Words from texts contain no characters of these planes.
const ANSWERS: u32 = 0xf_0000;
const ADDRESSES: u32 = 0x10_0000;

/// Writes the first 64 bits of a hash as a word of four characters, with 16 bits each.
fn hash_word(plane: u32, hash: &str) -> String {
    let digits = (0..16).step_by(4).filter_map(|at| hash.get(at..at + 4));
    let bits = digits.filter_map(|digits| u32::from_str_radix(digits, 16).ok());
    bits.filter_map(|bits| char::from_u32(plane + bits))
        .collect()
}

/// Whether a word stands for the hash of an answer or of an address.
pub fn is_hash(word: &str) -> bool {
    word.starts_with(|first| u32::from(first) >= ANSWERS)
}

/// The separator between alternative words. Words from texts do not contain it.
pub const OR: char = '|';

/// Joins words to a search for submissions with at least one of them.
pub fn any_word(marks: impl Iterator<Item = String>) -> String {
    marks.collect::<Vec<_>>().join(&OR.to_string())
}

/// The word that all starred submissions have, or the word that all others have.
pub fn starred_word(starred: bool) -> String {
    [MARK, if starred { "k1" } else { "k0" }].concat()
}

/// The word that a submission has if lists without a status filter show the submission.
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

/// Passes the folded words of a text to the callback, until it returns false. Words are runs of letters and digits;
/// in scripts without spaces, each character is a word.
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

/// The words of a folded text, at full length.
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

/// Whether a character is Han, Hiragana, Katakana, Bopomofo or Thai.
pub fn is_written_without_spaces(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{312f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
