//! The guard against excessive events: a limit per sender and minute, and deduplication by event ids. The guard's state
//! stays in memory and is never stored.

use std::collections::{BTreeMap, BTreeSet};

const MINUTE_MS: i64 = 60_000;

/// Limit on an IP address's events for a form in a minute (contract, section 6).
const MAX_PER_MINUTE: i64 = 30;

/// Limit on the senders, and on the events, that are remembered for a minute. Beyond it, events of new senders are
/// ignored.
const MAX_REMEMBERED: usize = 50_000;

/// The state of the current minute and the previous one.
#[derive(Default)]
pub struct Guard {
    minute: i64,
    /// The numbers of events by form and sender, such as `7 1234`.
    senders: BTreeMap<String, i64>,
    /// The events by form, sender and id.
    events: BTreeSet<String>,
    events_before: BTreeSet<String>,
}

impl Guard {
    /// Whether an event counts: false for a repeated event, and for a sender above the limit. An event without an id is
    /// never a repeat.
    pub fn admit(&mut self, form_id: i64, sender: u64, event_id: &str, now: i64) -> bool {
        self.advance_to(now.div_euclid(MINUTE_MS));
        let sender = format!("{form_id} {sender}");
        let event = format!("{sender} {event_id}");
        let is_repeated = self.events.contains(&event) || self.events_before.contains(&event);
        let is_full = self.senders.len() >= MAX_REMEMBERED || self.events.len() >= MAX_REMEMBERED;
        let is_known = self.senders.contains_key(&sender);
        if is_repeated || is_full && !is_known {
            return false;
        }
        let sent = self.senders.entry(sender).or_default();
        if *sent >= MAX_PER_MINUTE {
            return false;
        }
        *sent += 1;
        if !event_id.is_empty() {
            self.events.insert(event);
        }
        true
    }

    fn advance_to(&mut self, minute: i64) {
        if minute == self.minute {
            return;
        }
        let events = std::mem::take(&mut self.events);
        self.events_before = if minute == self.minute + 1 {
            events
        } else {
            BTreeSet::new()
        };
        self.senders.clear();
        self.minute = minute;
    }
}
