//! The email addresses that a submission holds, by which its sender can have it shown and erased.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Submission;

/// The most addresses of one submission that it is found by.
const MAX_ADDRESSES: usize = 100;

/// The longest address (RFC 5321).
const MAX_BYTES: usize = 320;

/// An address as it is compared: without white space around it, in lower case. `None` for a text that
/// is no address.
pub fn folded_address(text: &str) -> Option<String> {
    let text = text.trim();
    let (local, host) = text.rsplit_once('@')?;
    let is_one = !local.is_empty()
        && !host.is_empty()
        && text.len() <= MAX_BYTES
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    is_one.then(|| text.to_lowercase())
}

/// The answers that are an address, whatever their field's type, and the addresses of answers that
/// are a comma list of them. An address inside another text is not the sender's.
pub fn addresses_of(submission: &Submission) -> BTreeSet<String> {
    let mut addresses = BTreeSet::new();
    for (_, answer) in submission.data.iter() {
        collect(answer, &mut addresses);
    }
    addresses
}

fn collect(value: &Value, addresses: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.contains('@') && text.len() <= MAX_ADDRESSES * MAX_BYTES => {
            let found: Option<Vec<String>> = text.split(',').map(folded_address).collect();
            let found = found.unwrap_or_default();
            let room = MAX_ADDRESSES.saturating_sub(addresses.len());
            addresses.extend(found.into_iter().take(room));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, addresses)),
        Value::Object(members) => members.values().for_each(|item| collect(item, addresses)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Data;
    use serde_json::json;

    #[test]
    fn answers_that_are_addresses_are_found_in_any_case_and_texts_that_mention_one_are_not() {
        let submission = Submission {
            data: Data(vec![
                ("mail".to_owned(), json!(" Ada@Example.ORG ")),
                (
                    "others".to_owned(),
                    json!(["b@example.org", "c@example.org, d@example.org"]),
                ),
                ("deep".to_owned(), json!({"first": "e@example.org"})),
                ("note".to_owned(), json!("ask f@example.org about it")),
                ("handle".to_owned(), json!("@nobody")),
            ]),
            ..Submission::default()
        };
        let found: Vec<String> = addresses_of(&submission).into_iter().collect();
        let letters = ["ada", "b", "c", "d", "e"];
        assert_eq!(found, letters.map(|name| format!("{name}@example.org")));
    }
}
