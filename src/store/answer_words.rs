//! The words of the index that find submissions by a whole answer: a hash of its name and value.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::security::random::hexadecimal;
use model::Submission;
use model::addresses::comparable_answer;
use model::words::answer_word;

/// Limit on the answers of one submission that the index holds.
const MAX_ANSWERS: usize = 500;

/// Length to which a hash is truncated, in bytes.
const KEPT_BYTES: usize = 8;

/// The word of an answer, trimmed. Both spellings of an email address's domain give the same word.
pub fn word_of_answer(name: &str, value: &str) -> String {
    former_word_of_answer(name, &comparable_answer(value.trim()))
}

/// The word of an answer in the previous version's index, which kept the spelling that was typed.
pub fn former_word_of_answer(name: &str, value: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([0]);
    hash.update(value.trim().as_bytes());
    let digest = hash.finalize();
    answer_word(&hexadecimal(digest.get(..KEPT_BYTES).unwrap_or_default()))
}

/// The words of a submission's answers. Each choice of a list counts as a separate answer; the parts of a name or
/// an address count as answers to `name.part`.
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
