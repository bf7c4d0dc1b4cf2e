//! How much of what was sent is spam, and why.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Counted, Span};
use crate::ordered::{self, Gather};
use model::analytics::metrics::{SPAM, SPAM_REASON, SUBMIT, rate};

/// A day's spam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpamDay {
    /// A UTC day.
    pub date: String,
    pub spam: i64,
    /// What is not spam.
    pub submissions: i64,
    /// Spam of both, in percent.
    pub spam_rate: f64,
}

/// How often a check spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpamReason {
    pub reason: String,
    /// How often; one submission may have several reasons.
    pub count: i64,
}

/// The spam of some days.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpamTrends {
    pub days: i64,
    pub total_spam: i64,
    /// What is not spam.
    pub total_submissions: i64,
    /// Spam of both, in percent.
    pub spam_rate: f64,
    /// Every day, the oldest first.
    pub by_day: Vec<SpamDay>,
    /// The reasons, most first.
    pub by_reason: Vec<SpamReason>,
}

/// The trends of these counters: of days, and of reasons.
pub fn spam_trends(span: &Span, days: &[Counted], reasons: &[Counted]) -> SpamTrends {
    let counts: BTreeMap<(&str, &str), i64> = days
        .iter()
        .map(|own| ((own.metric.as_str(), own.key.as_str()), own.count))
        .gather();
    let count =
        |metric: &str, date: &str| counts.get(&(metric, date)).map_or(0, |own| *own.max(&0));
    let by_day: Vec<SpamDay> = span
        .days()
        .map(|date| {
            let (spam, submissions) = (count(SPAM, &date), count(SUBMIT, &date));
            SpamDay {
                spam_rate: rate(spam, spam + submissions),
                date,
                spam,
                submissions,
            }
        })
        .collect();
    let total_spam = by_day.iter().map(|day| day.spam).sum();
    let total_submissions = by_day.iter().map(|day| day.submissions).sum();
    let mut by_reason: Vec<SpamReason> = reasons
        .iter()
        .filter(|own| own.metric == SPAM_REASON && own.count > 0)
        .map(|own| SpamReason {
            reason: own.key.clone(),
            count: own.count,
        })
        .collect();
    ordered::sort_by(&mut by_reason, |one, other| {
        (other.count, &one.reason).cmp(&(one.count, &other.reason))
    });
    SpamTrends {
        days: span.length(),
        total_spam,
        total_submissions,
        spam_rate: rate(total_spam, total_spam + total_submissions),
        by_day,
        by_reason,
    }
}
