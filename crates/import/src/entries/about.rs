//! Reads facts about a submission, such as its time and status, from the columns of a CSV file.

use super::Context;
use super::moments::moment;
use super::taker::Style;
use crate::SubmissionDraft;
use crate::values::put;
use model::status::{NEW, READ, SPAM};
use serde_json::{Map, Value};

/// The prefix that Flamingo adds to cells that a spreadsheet could run as a formula.
pub const SECURITY_ALERT: &str = "(Security Alert: ";

/// The known columns about a submission: the lowercase heading and the fact. A fact with `@` may also be chosen in the
/// caller's mapping; a column with an empty fact is ignored.
pub const ABOUT: [(&str, &str); 30] = [
    ("entry id", "key"),
    ("entry_id", "key"),
    ("submission id", "key"),
    ("#", "key"),
    ("entry date", "@submitted_at"),
    ("submitted_at", "@submitted_at"),
    ("date submitted", "@submitted_at"),
    ("submission time", "@submitted_at"),
    ("submission date", "@submitted_at"),
    ("created_at", "@submitted_at"),
    ("timestamp", "@submitted_at"),
    ("entry notes", "note"),
    ("type", "type"),
    ("entry_status", "type"),
    ("viewed", "viewed"),
    ("starred", "starred"),
    ("user agent", "user_agent"),
    ("user ip", "@ip_address"),
    ("ip address", "@ip_address"),
    ("ip", "@ip_address"),
    ("source url", "referer"),
    ("created by (user id)", ""),
    ("date updated", ""),
    ("last updated", ""),
    ("transaction id", "payment"),
    ("payment amount", "payment"),
    ("payment date", "payment"),
    ("payment status", "payment"),
    ("post id", ""),
    ("score", ""),
];

/// The headings of columns whose fact has an `@`, each with that fact, as a proposed mapping.
pub fn of_headings(header: &[String], format: &str) -> Map<String, Value> {
    let mut facts = Map::new();
    for heading in header {
        let lower = heading.trim().to_ascii_lowercase();
        let known = ABOUT.iter().find(|(name, _)| *name == lower);
        if let Some((_, fact)) = known.filter(|(_, fact)| fact.starts_with('@')) {
            put(&mut facts, heading, (*fact).into());
        }
    }
    if format == "flamingo"
        && let Some(last) = header.last()
    {
        put(&mut facts, last, "@submitted_at".into());
    }
    facts
}

/// Detects the format of CSV by its headings.
pub fn format_of(header: &[String], content: &str) -> &'static str {
    let has = |name: &str| header.iter().any(|cell| cell.trim() == name);
    let is_quoted = content.starts_with('"');
    if has("Entry Id") && has("Entry Date") && has("Source Url") {
        "gravity-entries"
    } else if has("Entry ID") && has("Entry Date") {
        "wpforms-entries"
    } else if header.first().is_some_and(|cell| cell == "Timestamp") && !has("Last Updated") {
        "google-forms-responses"
    } else if is_quoted && header.last().is_some_and(|cell| cell == "Date") {
        "flamingo"
    } else {
        "submissions-csv"
    }
}

/// Removes the prefix that an export adds to cells that look like formulas.
pub fn plain<'c>(cell: &'c str, format: &str) -> &'c str {
    let cell = cell.trim();
    if format == "flamingo"
        && let Some(rest) = cell.strip_prefix(SECURITY_ALERT)
    {
        return rest.split_once(") ").map_or(rest, |(_, text)| text);
    }
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
        _ => cell,
    }
}

/// Sets a fact about a submission; returns the name of a remark if the value is unreadable.
pub fn set(
    draft: &mut SubmissionDraft,
    about: &str,
    cell: &str,
    style: &Style,
    context: &Context<'_>,
    is_local: &mut bool,
) -> Option<&'static str> {
    match about {
        "key" => cell.clone_into(&mut draft.key),
        "@submitted_at" => match moment(cell, style.order, &context.clock) {
            Some((at, has_zone)) => {
                draft.submitted_at = Some(at);
                *is_local |= !has_zone;
                if draft.key.is_empty() {
                    cell.clone_into(&mut draft.key);
                }
            }
            None => return Some("no_date/line"),
        },
        "@ip_address" => cell.clone_into(&mut draft.ip_address),
        "@status" | "type" => match cell.to_ascii_lowercase().as_str() {
            "spam" => SPAM.clone_into(&mut draft.status),
            "read" => READ.clone_into(&mut draft.status),
            _ => {}
        },
        "viewed" if cell == "Yes" && draft.status == NEW => READ.clone_into(&mut draft.status),
        "starred" => draft.starred = cell == "Yes",
        "note" => cell.clone_into(&mut draft.note),
        "user_agent" => cell.clone_into(&mut draft.user_agent),
        "referer" => cell.clone_into(&mut draft.referer_url),
        "payment"
            if !cell.is_empty() && !draft.left_behind.iter().any(|part| part == "payments") =>
        {
            draft.left_behind.push("payments".to_owned());
        }
        _ => {}
    }
    None
}
