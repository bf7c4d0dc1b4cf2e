//! Finds submissions in JSON, and the facts about them.

use crate::SubmissionDraft;
use crate::values::{is_on, is_set, member, text, text_or_number, values};
use model::status::{NEW, READ, SPAM, TRASH};
use serde_json::Value;

/// The submissions of a file.
pub fn of<'f>(file: &'f Value, format: &str) -> Vec<&'f Value> {
    let list = match format {
        "gravity-entries" => file.get("entries"),
        "typeform-responses" => file.get("items"),
        "jotform-submissions" => file.get("content"),
        "tally-submissions" => file.get("submissions"),
        _ => None,
    };
    // A response for a single entry is the entry itself.
    if list.is_none() && file.get("form_id").is_some() {
        return vec![file];
    }
    values(list.unwrap_or(file))
        .into_iter()
        .filter(|document| document.is_object())
        .collect()
}

/// The id of a submission's form; empty if the submission has none.
pub fn form_of(document: &Value, format: &str) -> String {
    match format {
        "tally-submissions" => text_or_number(document, "formId"),
        "typeform-responses" => String::new(),
        _ => text_or_number(document, "form_id"),
    }
}

/// The facts about a submission, without its answers.
pub fn about(document: &Value, format: &str) -> SubmissionDraft {
    let metadata = member(document, "metadata");
    let is_read = text(document, "status") == "read" || is_on(document, "is_read");
    let status = match text(document, "status") {
        "spam" => SPAM,
        "trash" | "trashed" => TRASH,
        _ if is_read => READ,
        _ => NEW,
    };
    let first = |names: &[&str], record: &Value| -> String {
        names
            .iter()
            .map(|name| text_or_number(record, name))
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    };
    let referer = match format {
        "typeform-responses" => text(metadata, "referer").to_owned(),
        _ => text(document, "source_url").to_owned(),
    };
    let is_paid = ["payment_status", "payment_amount", "transaction_id"]
        .iter()
        .any(|name| is_set(member(document, name)))
        || values(member(document, "answers"))
            .into_iter()
            .any(|answer| text(answer, "type") == "payment");
    SubmissionDraft {
        left_behind: is_paid.then(|| "payments".to_owned()).into_iter().collect(),
        key: first(&["id", "response_id", "token"], document),
        status: status.to_owned(),
        starred: is_on(document, "is_starred")
            || is_on(document, "is_favourite")
            || is_on(document, "flag"),
        note: text(document, "notes").to_owned(),
        ip_address: text(document, "ip").to_owned(),
        user_agent: match text(metadata, "user_agent") {
            "" => first(&["user_agent", "browser"], document),
            agent => agent.to_owned(),
        },
        referer_url: referer,
        ..SubmissionDraft::default()
    }
}

/// A string, number or boolean as text.
pub fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}

/// Joins the cells of each row of a list field with `|`.
pub fn listed(value: &Value) -> Value {
    let row = |row: &Value| match row {
        Value::Object(_) => {
            let cells: Vec<String> = values(row).into_iter().filter_map(word).collect();
            Value::from(cells.join("|"))
        }
        other => other.clone(),
    };
    match value {
        Value::Array(rows) => rows.iter().map(row).collect(),
        other => other.clone(),
    }
}
