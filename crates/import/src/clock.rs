//! Converts local times in imported files to UTC.

use model::dates::{format_moment, parse_moment};

use crate::{ImportError, Options};

/// The time zone for times that do not name their own.
#[derive(Clone, Copy)]
pub struct Clock<'c> {
    /// The zone's name; empty for UTC.
    pub zone: &'c str,
    /// The changes of the zone's UTC offset in ascending order: the UTC time of each change and the new offset, both in
    /// milliseconds.
    pub offsets: &'c [(i64, i64)],
}

impl<'c> Clock<'c> {
    /// The clock for the caller's options. Fails if they name a zone without offsets, because the host did not know the
    /// zone.
    pub fn of(options: &'c Options) -> Result<Clock<'c>, ImportError> {
        let zone = options.time_zone.as_str();
        let offsets = options.offsets.as_deref().unwrap_or_default();
        if zone.is_empty() || !offsets.is_empty() {
            return Ok(Clock { zone, offsets });
        }
        Err(ImportError {
            code: "time_zone".to_owned(),
            message: format!("The time zone {zone} is not known."),
            ..ImportError::default()
        })
    }

    /// The zone's name to show to users; `UTC` if `zone` is empty.
    pub fn name(&self) -> &str {
        if self.zone.is_empty() {
            "UTC"
        } else {
            self.zone
        }
    }

    /// Converts a local time to UTC, both in milliseconds.
    pub fn utc(&self, local: i64) -> i64 {
        let later = self
            .offsets
            .partition_point(|(since, offset)| since.saturating_add(*offset) <= local);
        let offset = later.checked_sub(1).and_then(|at| self.offsets.get(at));
        let offset = offset.or(self.offsets.first());
        local.saturating_sub(offset.map_or(0, |(_, offset)| *offset))
    }

    /// Converts a local time such as `2026-03-01 09:00` to ISO 8601 in UTC.
    pub fn moment(&self, local: &str) -> Option<String> {
        let moment = self.utc(parse_moment(local.trim())?);
        Some(format_moment(moment).replace(".000Z", "Z"))
    }
}
