//! Search index words that find submissions by a whole answer: hashes of an answer's name and value.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::security::random::hexadecimal;
use model::Submission;
use model::addresses::comparable_answer;
use model::words::{answer_word, former_answer_word};

/// Limit on the indexed answers of one submission.
const MAX_ANSWERS: usize = 500;

/// Length to which a hash is truncated, in bytes.
const KEPT_BYTES: usize = 8;

/// The words to search for an answer: this version's word, and the previous version's for submissions that are not
/// reindexed yet.
pub fn find_answer(name: &str, value: &str) -> [String; 2] {
    let hash = hash_of(name, value);
    [answer_word(&hash), former_answer_word(&hash)]
}

/// The hash of a trimmed answer. A domain in ASCII and its Unicode spelling have the same hash.
fn hash_of(name: &str, value: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([0]);
    hash.update(comparable_answer(value.trim()).as_bytes());
    let digest = hash.finalize();
    hexadecimal(digest.get(..KEPT_BYTES).unwrap_or_default())
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
        let word = answer_word(&hash_of(name, text));
        if !words.contains(&word) {
            words.push(word);
        }
    }
}
