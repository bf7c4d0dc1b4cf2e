//! A stored submission, as the parts of the store pass it on.

use model::Submission;
use model::analytics::answers::AnswerCounts;
use serde::{Deserialize, Deserializer};

use super::row::json_if_any;

/// The submission that later statements of a batch belong to: they take effect only if the batch has written it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// The submission's UUID.
    pub uuid: &'a str,
    /// The token of the batch's change.
    pub change_token: &'a str,
    /// The place of its statements among those that batches share ([`Batch::add_rows`]); 0 for none.
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

/// A submission with its internal columns. The members are in the order of `COLUMNS`.
#[derive(Clone, Debug, Deserialize)]
pub struct StoredSubmission {
    /// The submission.
    pub submission: Submission,
    /// The submission's UUID.
    pub uuid: String,
    /// Whether its actions are withheld, because it arrived as spam and was not marked otherwise since.
    pub actions_withheld: bool,
    /// Keyed hashes of addresses in former answers.
    #[serde(deserialize_with = "words")]
    pub former_addresses: Vec<String>,
    /// The token of the last change.
    pub change_token: String,
    /// The counters that its answers were added to; `None` until they are counted.
    #[serde(deserialize_with = "json_if_any")]
    pub counted: Option<AnswerCounts>,
}

fn words<'de, D: Deserializer<'de>>(column: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(column)?;
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// The filter by status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// All but spam and trash.
    Listed,
    /// All.
    Any,
    /// One of several.
    OneOf(Vec<String>),
}
