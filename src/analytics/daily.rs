//! The events of each day.

use serde::Serialize;

use super::Counted;
use crate::ordered;

/// How many days one request may ask for.
pub const MAX_DAYS: i64 = 366;

/// How often an event came on a day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DailyCount {
    /// A UTC day.
    pub date: String,
    /// One of the six events.
    pub event_type: String,
    /// At least 1.
    pub count: i64,
}

/// By day, then event; what did not come is left out.
pub fn daily(counted: Vec<Counted>) -> Vec<DailyCount> {
    let mut days: Vec<DailyCount> = counted
        .into_iter()
        .filter(|own| own.count > 0)
        .map(|own| DailyCount {
            date: own.key,
            event_type: own.metric,
            count: own.count,
        })
        .collect();
    ordered::sort_by(&mut days, Ord::cmp);
    days
}
