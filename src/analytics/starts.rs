//! Counted starts of the current day that no submit has followed yet, so that a submit does not count its start again.
//! The state stays in memory for one day and is never stored.

use std::collections::BTreeMap;

/// Limit on the remembered visitors.
const MAX_VISITORS: usize = 50_000;

/// The numbers of open starts of a day, by form and visitor.
#[derive(Default)]
pub struct Starts {
    day: String,
    open: BTreeMap<(i64, u64), u32>,
}

impl Starts {
    /// Remembers a counted start of a visitor.
    pub fn add(&mut self, form_id: i64, visitor: u64, day: &str) {
        if self.day != day {
            day.clone_into(&mut self.day);
            self.open.clear();
        }
        let key = (form_id, visitor);
        if self.open.len() < MAX_VISITORS || self.open.contains_key(&key) {
            let starts = self.open.entry(key).or_default();
            *starts = starts.saturating_add(1);
        }
    }

    /// Whether no start is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Closes one open start of a visitor; returns whether there was one.
    pub fn take(&mut self, form_id: i64, visitor: u64) -> bool {
        let key = (form_id, visitor);
        let Some(starts) = self.open.get_mut(&key) else {
            return false;
        };
        *starts -= 1;
        if *starts == 0 {
            self.open.remove(&key);
        }
        true
    }
}
