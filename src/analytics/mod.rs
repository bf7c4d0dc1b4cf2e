//! Analytics: counting events, and reports of the counters (contract, section 6). Only [`flush`] uses the database
//! here; `src/store/counters.rs` reads the counters. `docs/analytics.md` defines each number.

mod flush;
mod guard;
pub mod recommend;
pub(crate) mod reports;
mod starts;
mod visitor;

pub use flush::{flush, flush_events};
pub use guard::Guard;
pub use model::analytics::{
    Arrival, Counted, Gathered, Sketch, Span, Visit, answers, attribution, completion_bucket,
    count_of, funnel, gathered, is_mobile, median_seconds, metrics, overview, sketch, total,
    under_current_names,
};
pub use starts::Starts;
pub use visitor::{address_hash, is_bot, visitor_hash};
