//! Rules on how a form's numbers change.

use super::{Evidence, Recommendation, Severity};
use crate::analytics::metrics::rate;

const WEEK: usize = 7;

/// Nothing for a week, after at least fourteen in the three weeks before.
pub(super) fn submissions_stopped(evidence: &Evidence) -> Option<Recommendation> {
    const LEAST_BEFORE: i64 = 14;
    let (recent, before) = Evidence::split(&evidence.daily_submissions, WEEK);
    (recent == 0 && before >= LEAST_BEFORE).then(|| Recommendation {
        code: "submissions_stopped",
        severity: Severity::Critical,
        title: "Submissions have stopped",
        message: format!(
            "No submission came in the last 7 days; {before} came in the three weeks before. Look at the \
             page that holds the form, and send one yourself."
        ),
        metric: "submissions_last_7_days",
        value: 0.0,
        threshold: 1.0,
        field: None,
    })
}

/// Spam's share of the last week is at least a fifth, and twice that of the three weeks before.
pub(super) fn spam_rising(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 20.0;
    const LEAST_SPAM: i64 = 20;
    let (recent_spam, spam_before) = Evidence::split(&evidence.daily_spam, WEEK);
    let (recent, before) = Evidence::split(&evidence.daily_submissions, WEEK);
    let share = rate(recent_spam, recent_spam + recent);
    let share_before = rate(spam_before, spam_before + before);
    let rising = share >= THRESHOLD && share >= 2.0 * share_before;
    (recent_spam >= LEAST_SPAM && rising).then(|| Recommendation {
        code: "spam_rising",
        severity: Severity::Warning,
        title: "Spam is rising",
        message: format!(
            "{share} % of what was sent in the last 7 days is spam, against {share_before} % in the three \
             weeks before. Look through it for a pattern, and limit how often one address may send (the \
             setting rate_limit)."
        ),
        metric: "spam_rate_last_7_days",
        value: share,
        threshold: THRESHOLD,
        field: None,
    })
}

/// Half as many submissions as in the two weeks before, while as many visitors see the form.
pub(super) fn submissions_falling(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 50.0;
    const LEAST_BEFORE: i64 = 20;
    let (recent, before) = Evidence::split(&evidence.daily_submissions, 2 * WEEK);
    let (views, views_before) = Evidence::split(&evidence.daily_views, 2 * WEEK);
    let kept = rate(recent, before);
    let seen = views_before > 0 && rate(views, views_before) >= 80.0;
    (before >= LEAST_BEFORE && recent > 0 && seen && kept < THRESHOLD).then(|| Recommendation {
        code: "submissions_falling",
        severity: Severity::Warning,
        title: "Fewer submissions from as many visitors",
        message: format!(
            "{recent} submissions came in the last two weeks, against {before} in the two before, while the \
             form was seen as often. Look at what was changed on the form or its page."
        ),
        metric: "submissions_of_previous",
        value: kept,
        threshold: THRESHOLD,
        field: None,
    })
}
