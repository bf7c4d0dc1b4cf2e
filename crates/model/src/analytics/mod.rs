//! The metrics, and the reports that stored counters are read into (contract, section 6).

pub mod answers;
mod arrival;
pub mod attribution;
pub mod funnel;
pub mod gathered;
pub mod metrics;
pub mod overview;
pub mod sketch;
mod span;

use crate::FormSchema;

pub use arrival::{Arrival, completion_bucket, median_seconds};
pub use gathered::Gathered;
pub use sketch::Sketch;
pub use span::Span;

/// Whether a browser runs on a phone.
pub fn is_mobile(user_agent: &str) -> bool {
    user_agent.contains("Mobi") || user_agent.contains("iPhone")
}

/// A sum of counters, as the store read it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Counted {
    /// The metric, one of [`metrics`].
    pub metric: String,
    /// The UTC day or the label of the sum; empty where it is of the metric alone.
    pub key: String,
    /// The sum of the counters.
    pub count: i64,
}

/// Counts what belongs to former names of fields under their names of today.
pub fn under_current_names(schema: &FormSchema, counted: &mut [Counted]) {
    let former = schema.former_names();
    let of_fields = [
        metrics::ANSWER_NAME,
        metrics::FIELD_ABANDON,
        metrics::FIELD_INTERACTION,
    ];
    for own in counted {
        if of_fields.contains(&own.metric.as_str())
            && let Some(current) = former.get(own.key.as_str())
        {
            own.key = (*current).to_owned();
        }
    }
}

/// The sum of a metric; 0 where nothing was counted. A correction that came before what it corrects
/// never shows as less than nothing.
pub fn total(counted: &[Counted], metric: &str) -> i64 {
    let own = counted.iter().filter(|own| own.metric == metric);
    own.map(|own| own.count).sum::<i64>().max(0)
}

/// The sum of a metric for a key.
pub fn count_of(counted: &[Counted], metric: &str, key: &str) -> i64 {
    let own = counted
        .iter()
        .filter(|own| own.metric == metric && own.key == key);
    own.map(|own| own.count).sum::<i64>().max(0)
}
