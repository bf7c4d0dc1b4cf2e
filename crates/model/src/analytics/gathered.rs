//! The counts of browser events, collected in memory until they are written to the database.

use std::collections::BTreeMap;

use super::Sketch;
use super::metrics::{ABANDON, FIELD_ABANDON, FIELD_INTERACTION, MOBILE_START, START, VIEW};

/// The maximum number of counters in memory. Beyond it, increases of further counters are dropped until the next write.
/// Visitors are still added.
const MAX_COUNTERS: usize = 20_000;

/// The identity of a counter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The id of the form.
    pub form_id: i64,
    /// One of [`super::metrics`].
    pub metric: &'static str,
    /// A UTC day.
    pub date: String,
    /// The label within the metric; empty for a metric without labels.
    pub label: String,
}

/// An event of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The form was in view.
    View,
    /// The visitor's first input.
    Start {
        /// Whether the browser runs on a phone.
        mobile: bool,
    },
    /// A field got input.
    FieldInteraction(&'a str),
    /// The page was left, with the name of the last field that got input, if known.
    Abandon(Option<&'a str>),
}

/// Counters and visitors that are not written yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// The increase of each counter.
    pub counts: BTreeMap<Key, i64>,
    /// The visitors of each form and UTC day, sorted.
    pub visitors: Vec<((i64, String), Sketch)>,
}

impl Gathered {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.visitors.is_empty()
    }

    /// Adds an event of a form's visitor on a UTC day.
    pub fn add(&mut self, form_id: i64, date: &str, event: Event<'_>, visitor: u64) {
        match event {
            Event::View => self.count(form_id, VIEW, date, ""),
            Event::Start { mobile } => {
                self.count(form_id, START, date, "");
                if mobile {
                    self.count(form_id, MOBILE_START, date, "");
                }
            }
            Event::FieldInteraction(field) => {
                self.count(form_id, FIELD_INTERACTION, date, field);
            }
            Event::Abandon(field) => {
                self.count(form_id, ABANDON, date, "");
                if let Some(field) = field {
                    self.count(form_id, FIELD_ABANDON, date, field);
                }
            }
        }
        let mut sketch = Sketch::default();
        sketch.add(visitor);
        self.merge((form_id, date.to_owned()), sketch);
    }

    /// Adds the visitors of a form on a UTC day.
    fn merge(&mut self, day: (i64, String), visitors: Sketch) {
        match self.visitors.binary_search_by(|(known, _)| known.cmp(&day)) {
            Ok(place) => {
                if let Some((_, known)) = self.visitors.get_mut(place) {
                    known.merge(&visitors);
                }
            }
            Err(place) => self.visitors.insert(place, (day, visitors)),
        }
    }

    fn count(&mut self, form_id: i64, metric: &'static str, date: &str, label: &str) {
        let key = Key {
            form_id,
            metric,
            date: date.to_owned(),
            label: label.to_owned(),
        };
        if self.counts.len() < MAX_COUNTERS || self.counts.contains_key(&key) {
            *self.counts.entry(key).or_default() += 1;
        }
    }

    /// Restores counts that could not be written.
    pub fn restore(&mut self, lost: Gathered) {
        for (key, count) in lost.counts {
            *self.counts.entry(key).or_default() += count;
        }
        for (day, sketch) in lost.visitors {
            self.merge(day, sketch);
        }
    }
}
