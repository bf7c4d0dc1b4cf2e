//! The metrics, and the reports from stored counters (contract, section 6).

pub mod answers;
mod arrival;
pub mod attribution;
pub mod funnel;
pub mod gathered;
pub mod metrics;
pub mod overview;
pub mod sketch;
mod span;
mod weighed;

use crate::FormSchema;

pub use arrival::{Arrival, Visit, completion_bucket, median_seconds};
pub use gathered::Gathered;
pub use sketch::Sketch;
pub use span::Span;

/// Whether a browser runs on a phone.
pub fn is_mobile(user_agent: &str) -> bool {
    user_agent.contains("Mobi") || user_agent.contains("iPhone")
}

/// A sum of counters, as read from the store.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Counted {
    /// The metric, one of [`metrics`].
    pub metric: String,
    /// The UTC day or the label that the sum covers; empty for the whole metric.
    pub key: String,
    /// The sum of the counters.
    pub count: i64,
}

/// Replaces former names of fields in the keys of counters by the current names.
pub fn under_current_names(schema: &FormSchema, counted: &mut [Counted]) {
    let former = schema.former_names();
    let of_fields = [
        metrics::ANSWER_NAME,
        metrics::FIELD_ABANDON,
        metrics::FIELD_INTERACTION,
    ];
    for counter in counted {
        if of_fields.contains(&counter.metric.as_str())
            && let Some(current) = former.get(counter.key.as_str())
        {
            counter.key = (*current).to_owned();
        }
    }
}

/// The sum of a metric. A correction may be stored before the count that it corrects; a negative sum therefore counts
/// as 0.
pub fn total(counted: &[Counted], metric: &str) -> i64 {
    let matching = counted.iter().filter(|counter| counter.metric == metric);
    matching.map(|counter| counter.count).sum::<i64>().max(0)
}

/// The sum of a metric for one key; a negative sum counts as 0.
pub fn count_of(counted: &[Counted], metric: &str, key: &str) -> i64 {
    let matching = counted
        .iter()
        .filter(|counter| counter.metric == metric && counter.key == key);
    matching.map(|counter| counter.count).sum::<i64>().max(0)
}
