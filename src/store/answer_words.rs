//! The words of the index that find submissions by a whole answer: a hash of its name and value.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::security::random::hexadecimal;
use model::Submission;
use model::addresses::comparable_answer;
use model::words::answer_word;

/// The most answers of one submission that it is found by.
const MAX_ANSWERS: usize = 500;

/// How many bytes of a hash are kept.
const KEPT_BYTES: usize = 8;

/// The word of an answer, whose text counts without white space around it. Of an email address either spelling of its
/// domain counts.
pub fn word_of_answer(name: &str, value: &str) -> String {
    former_word_of_answer(name, &comparable_answer(value.trim()))
}

/// The word of an answer in the index of the version before, where only the spelling that was typed counted.
pub fn former_word_of_answer(name: &str, value: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([0]);
    hash.update(value.trim().as_bytes());
    let digest = hash.finalize();
    answer_word(&hexadecimal(digest.get(..KEPT_BYTES).unwrap_or_default()))
}

/// The words of a submission's answers. Each choice of a list is an answer of its own; the parts of a
/// name or an address are answers to `name.part`.
pub fn words_of_answers(submission: &Submission) -> Vec<String> {
    let mut words = Vec::new();
    for (name, value) in submission.data.iter() {
        collect(name, value, &mut words);
    }
    words
}

fn collect(name: &str, value: &Value, words: &mut Vec<String>) {
    let text = match value {
        Value::Null => return,
        Value::String(text) => text,
        Value::Array(items) => return items.iter().for_each(|item| collect(name, item, words)),
        Value::Object(parts) => {
            return parts
                .iter()
                .for_each(|(part, value)| collect(&[name, ".", part].concat(), value, words));
        }
        other => &other.to_string(),
    };
    if words.len() < MAX_ANSWERS {
        let word = word_of_answer(name, text);
        if !words.contains(&word) {
            words.push(word);
        }
    }
}
