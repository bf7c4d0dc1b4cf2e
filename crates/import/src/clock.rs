//! Local times of other products.

use model::dates::{format_moment, parse_moment};

/// How to read times that name no zone.
#[derive(Clone, Copy)]
pub struct Clock<'c> {
    /// The zone's name; empty for UTC.
    pub zone: &'c str,
    /// The moments since when the zone's clocks have an offset, both in milliseconds, in order.
    pub offsets: &'c [(i64, i64)],
}

impl Clock<'_> {
    /// Whether there is such a zone.
    pub fn is_known(&self) -> bool {
        self.zone.is_empty() || !self.offsets.is_empty()
    }

    /// The zone's name, for people.
    pub fn name(&self) -> &str {
        if self.zone.is_empty() {
            "UTC"
        } else {
            self.zone
        }
    }

    /// The moment of a local time, both in milliseconds.
    pub fn utc(&self, local: i64) -> i64 {
        let later = self
            .offsets
            .partition_point(|(since, offset)| since.saturating_add(*offset) <= local);
        let offset = later.checked_sub(1).and_then(|at| self.offsets.get(at));
        let offset = offset.or(self.offsets.first());
        local.saturating_sub(offset.map_or(0, |(_, offset)| *offset))
    }

    /// The moment of a local time such as `2026-03-01 09:00`, as ISO 8601 UTC.
    pub fn moment(&self, local: &str) -> Option<String> {
        let moment = self.utc(parse_moment(local.trim())?);
        Some(format_moment(moment).replace(".000Z", "Z"))
    }
}
