//! How much of what was sent is spam, and why.

use serde::Serialize;

use super::metrics::{SPAM, SPAM_REASON, SUBMIT, rate};
use super::{Counted, Span, count_of};

/// A day's spam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpamDay {
    /// A UTC day.
    pub date: String,
    /// Submissions that are spam.
    pub spam: i64,
    /// Submissions that are not.
    pub submissions: i64,
    /// Spam of both, in percent.
    pub spam_rate: f64,
}

/// How often a check spoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpamReason {
    /// The check's reason.
    pub reason: String,
    /// How often; one submission may have several reasons.
    pub count: i64,
}

/// The spam of some days.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpamTrends {
    /// How many days.
    pub days: i64,
    /// Submissions that are spam.
    pub total_spam: i64,
    /// Submissions that are not.
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
    let by_day: Vec<SpamDay> = span
        .days()
        .map(|date| {
            let spam = count_of(days, SPAM, &date);
            let submissions = count_of(days, SUBMIT, &date);
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
    by_reason.sort_by(|one, other| (other.count, &one.reason).cmp(&(one.count, &other.reason)));
    SpamTrends {
        days: span.length(),
        total_spam,
        total_submissions,
        spam_rate: rate(total_spam, total_spam + total_submissions),
        by_day,
        by_reason,
    }
}
