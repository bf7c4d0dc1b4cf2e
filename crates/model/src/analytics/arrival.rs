//! The counters of a submission, in addition to its form's number of submissions.

use super::attribution::{campaign_label, referrer_label};
use super::metrics::{
    CAMPAIGN, COMPLETION_TIME, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, SUBMIT,
};
use super::{Counted, is_mobile};
use crate::Submission;
use crate::ordered;

/// The longest part of a spam reason that is counted, in characters.
const MAX_REASON_CHARS: usize = 100;

/// The maximum number of spam reasons of one submission that are counted.
const MAX_REASONS: usize = 10;

/// The upper bounds of the buckets of completion times, in seconds.
const BUCKETS: [i64; 8] = [15, 30, 60, 120, 300, 600, 1_200, 3_600];

/// Whether the visit that led to a submission had a start (the visitor's first input), and whether that start is
/// counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visit {
    /// Neither an event nor the submitted page reports a start: the page ran no script, or a program sent the
    /// answers.
    #[default]
    NotStarted,
    /// The visit started, and its event was counted.
    Started,
    /// The visit started, but its event never arrived.
    StartMissed,
}

/// The counters to raise for a submission on its UTC day, as pairs of metric and label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival(pub Vec<(&'static str, String)>);

impl Arrival {
    /// The counters of a submission, which depend on whether it is spam.
    pub fn of(submission: &Submission, is_spam: bool) -> Arrival {
        if is_spam {
            let reasons = submission.spam_reasons.iter().take(MAX_REASONS);
            let labels = reasons.map(|reason| reason.chars().take(MAX_REASON_CHARS).collect());
            let mut labels: Vec<String> = labels.collect();
            ordered::sort_by(&mut labels, Ord::cmp);
            labels.dedup();
            let mut counters = vec![(SPAM, String::new())];
            counters.extend(labels.into_iter().map(|label| (SPAM_REASON, label)));
            return Arrival(counters);
        }
        let mut counters = vec![
            (SUBMIT, String::new()),
            (CAMPAIGN, campaign_label(&submission.page_url)),
            (REFERRER, referrer_label(&submission.referer_url)),
        ];
        if is_mobile(&submission.user_agent) {
            counters.push((MOBILE_SUBMIT, String::new()));
        }
        Arrival(counters)
    }

    /// Adds the time from the visitor's first input to the submit, in seconds. Only the page knows this time. Spam
    /// has no completion time.
    #[must_use]
    pub fn taking(mut self, seconds: Option<i64>) -> Arrival {
        let bucket = seconds.filter(|_| self.0.iter().any(|(metric, _)| *metric == SUBMIT));
        if let Some(bucket) = bucket.and_then(completion_bucket) {
            self.0.push((COMPLETION_TIME, bucket.to_string()));
        }
        self
    }
}

/// The upper bound of a completion time's bucket, in seconds. `None` for a negative time. Also `None` for more than
/// an hour, because the page was then probably left open.
pub fn completion_bucket(seconds: i64) -> Option<i64> {
    let bucket = BUCKETS.into_iter().find(|bound| seconds <= *bound);
    bucket.filter(|_| seconds >= 0)
}

/// The upper bound of the bucket with the median completion time, in seconds, and the number of submissions that have
/// a time. `None` if no submission has one.
pub fn median_seconds(counted: &[Counted]) -> Option<(i64, i64)> {
    let mut buckets: Vec<(i64, i64)> = counted
        .iter()
        .filter(|counter| counter.metric == COMPLETION_TIME && counter.count > 0)
        .filter_map(|counter| Some((counter.key.parse().ok()?, counter.count)))
        .collect();
    ordered::sort_by(&mut buckets, Ord::cmp);
    let timed: i64 = buckets.iter().map(|(_, count)| count).sum();
    let mut before = 0;
    let middle = buckets.into_iter().find(|(_, count)| {
        before += count;
        before * 2 >= timed
    });
    middle.map(|(bound, _)| (bound, timed))
}
