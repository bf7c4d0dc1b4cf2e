//! Analytics: what is counted, and what the counters say (contract, section 6). Everything here but
//! [`flush`] is pure; the counters are read in `src/store/counters.rs`. `docs/analytics.md` defines each number.

mod arrival;
pub mod attribution;
pub mod daily;
pub mod dropoff;
mod flush;
pub mod funnel;
pub mod gathered;
mod guard;
pub mod metrics;
pub mod overview;
mod rebuild;
pub mod recommend;
pub mod sketch;
pub mod spam;
mod span;
mod visitor;

pub use arrival::{Arrival, completion_bucket, median_seconds};
pub use flush::{flush, flush_events};
pub use gathered::Gathered;
pub use guard::{Guard, Verdict};
pub use rebuild::rebuild;
pub use sketch::Sketch;
pub use span::Span;
pub use visitor::{address_hash, is_bot, is_mobile, visitor_hash};

/// A sum of counters, as the store read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The metric, one of [`metrics`].
    pub metric: String,
    /// What the sum is for: a UTC day, a label, or nothing.
    pub key: String,
    /// The sum.
    pub count: i64,
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
