//! Types for stored submissions that several parts of the store share.

use model::Submission;
use model::analytics::answers::AnswerCounts;
use serde::{Deserialize, Deserializer};

use super::row::json_if_any;

/// Identifies a submission that a batch writes. Statements that depend on it take effect only if the batch has written
/// it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// The submission's UUID.
    pub uuid: &'a str,
    /// The token of the batch's change.
    pub change_token: &'a str,
    /// The position of its statements among those that batches share ([`Batch::add_rows`]); 0 if they are not shared.
    pub gathered: i8,
}

impl<'a> Written<'a> {
    /// A submission whose batch shares no statements.
    pub(super) fn alone(uuid: &'a str, change_token: &'a str) -> Written<'a> {
        let gathered = 0;
        Written {
            uuid,
            change_token,
            gathered,
        }
    }
}

/// A submission with its internal columns. A row is deserialized by position, so the members are in the order of
/// `COLUMNS`.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredSubmission {
    /// The submission.
    pub submission: Submission,
    /// The submission's UUID.
    pub uuid: String,
    /// Whether its actions are withheld, because the submission arrived as spam and has not left spam since.
    pub actions_withheld: bool,
    /// Keyed hashes of email addresses in former answers.
    #[serde(deserialize_with = "words")]
    pub former_addresses: Vec<String>,
    /// The token of the last change.
    pub change_token: String,
    /// The counters that its answers were added to; `None` if the answers are not counted yet.
    #[serde(deserialize_with = "json_if_any")]
    pub counted: Option<AnswerCounts>,
}

fn words<'de, D: Deserializer<'de>>(column: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(column)?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// The filter of a list by status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// All submissions but spam and trash.
    Listed,
    /// All submissions, including spam and trash, but without unsaved ones.
    Any,
    /// Submissions with one of these statuses.
    OneOf(Vec<String>),
}
