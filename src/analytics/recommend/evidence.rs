//! The numbers that the rules for recommendations evaluate.

use crate::analytics::funnel::Funnel;
use crate::analytics::metrics::{
    FIELD_ABANDON, FIELD_INTERACTION, MOBILE_START, MOBILE_SUBMIT, SPAM, SUBMIT, VIEW,
};
use crate::analytics::{Counted, Span, count_of, median_seconds, total};
use crate::forms::FormSchema;

/// The number of days that the rules consider, today included.
pub const WINDOW_DAYS: i64 = 28;

/// The numbers of one answer field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldEvidence {
    /// The name of the field.
    pub name: String,
    /// Whether the field is required and has no conditions that may hide it.
    pub required: bool,
    /// Visits with input in the field.
    pub interactions: i64,
    /// Unfinished visits whose last input was in the field.
    pub drop_offs: i64,
}

/// The numbers of a form's last four weeks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Views, starts, submissions and spam, with their rates.
    pub funnel: Funnel,
    /// Starts on phones.
    pub mobile_starts: i64,
    /// Submissions from phones.
    pub mobile_submissions: i64,
    /// The bucket, in seconds, of the median completion time, and the number of timed submissions.
    pub completion: Option<(i64, i64)>,
    /// The answer fields, in order.
    pub fields: Vec<FieldEvidence>,
    /// Views of each day, the oldest first.
    pub daily_views: Vec<i64>,
    /// Submissions of each day.
    pub daily_submissions: Vec<i64>,
    /// Spam of each day.
    pub daily_spam: Vec<i64>,
    /// Runs of the form's actions in the last 24 hours.
    pub action_runs: i64,
    /// Failed runs in the last 24 hours.
    pub failed_action_runs: i64,
}

impl Evidence {
    /// Computes the evidence from a form's counters in a span: by day, and by label. The caller adds the action runs.
    pub fn of(
        schema: &FormSchema,
        span: &Span,
        by_day: &[Counted],
        by_label: &[Counted],
    ) -> Evidence {
        let days: Vec<String> = span.days().collect();
        let daily = |metric: &str| -> Vec<i64> {
            let counts = days.iter().map(|day| count_of(by_day, metric, day));
            counts.collect()
        };
        Evidence {
            funnel: Funnel::of(by_day),
            mobile_starts: total(by_label, MOBILE_START),
            mobile_submissions: total(by_label, MOBILE_SUBMIT),
            completion: median_seconds(by_label),
            fields: schema
                .answer_fields()
                .map(|field| FieldEvidence {
                    name: field.name.clone(),
                    required: field.required && field.conditions.is_empty(),
                    interactions: count_of(by_label, FIELD_INTERACTION, &field.name),
                    drop_offs: count_of(by_label, FIELD_ABANDON, &field.name),
                })
                .collect(),
            daily_views: daily(VIEW),
            daily_submissions: daily(SUBMIT),
            daily_spam: daily(SPAM),
            action_runs: 0,
            failed_action_runs: 0,
        }
    }

    /// Abandonments whose last touched field is known.
    pub fn drop_offs(&self) -> i64 {
        self.fields.iter().map(|field| field.drop_offs).sum()
    }

    /// The counts of the last `recent` days, and of the days before.
    pub(super) fn split(daily: &[i64], recent: usize) -> (i64, i64) {
        let (before, after) = daily.split_at(daily.len().saturating_sub(recent));
        (after.iter().sum(), before.iter().sum())
    }
}
