//! The counters of a submission, in addition to its form's number of submissions.

use super::attribution::{campaign_label, referrer_label};
use super::metrics::{
    CAMPAIGN, COMPLETION_TIME, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, SUBMIT,
};
use super::{Counted, is_mobile};
use crate::Submission;
use crate::ordered;

/// The longest reason that is counted.
const MAX_REASON_CHARS: usize = 100;

/// The maximum number of reasons of one submission that are counted.
const MAX_REASONS: usize = 10;

/// The upper bounds of the buckets of completion times, in seconds.
const BUCKETS: [i64; 8] = [15, 30, 60, 120, 300, 600, 1_200, 3_600];

/// Whether the visit of a submission began with an input, according to the page and its events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visit {
    /// Neither an event nor the page reports a start: the page ran no script, or a program sent the answers.
    #[default]
    NotStarted,
    /// The visit started, and its start is counted.
    Started,
    /// The visit started, but its event never arrived.
    StartMissed,
}

/// The counters for a submission's UTC day: the metric and the label of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival(pub Vec<(&'static str, String)>);

impl Arrival {
    /// The counters of a stored submission while it is spam, or is not.
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

    /// Adds the time since the visitor's first input, which only the page knows.
    #[must_use]
    pub fn taking(mut self, seconds: Option<i64>) -> Arrival {
        let bucket = seconds.filter(|_| self.0.iter().any(|(metric, _)| *metric == SUBMIT));
        if let Some(bucket) = bucket.and_then(completion_bucket) {
            self.0.push((COMPLETION_TIME, bucket.to_string()));
        }
        self
    }
}

/// The upper bound of the bucket of a completion time, in seconds. `None` for an impossible time, and for more
/// than an hour, as the page was probably left open.
pub fn completion_bucket(seconds: i64) -> Option<i64> {
    let bucket = BUCKETS.into_iter().find(|bound| seconds <= *bound);
    bucket.filter(|_| seconds >= 0)
}

/// The upper bound of the bucket of the median completion time, in seconds, and how many submissions have a time;
/// `None` if none has.
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
