//! Rules on a form as a whole.

use super::{Evidence, Recommendation, Severity};
use crate::analytics::metrics::rate;

/// Visitors start, and not one submission arrives: the form is broken more likely than unwelcome.
pub(super) fn nothing_arrives(evidence: &Evidence) -> Option<Recommendation> {
    const LEAST_STARTS: i64 = 20;
    let funnel = &evidence.funnel;
    let nothing = funnel.submissions == 0 && funnel.spam == 0;
    (funnel.starts >= LEAST_STARTS && nothing).then(|| Recommendation {
        code: "nothing_arrives",
        severity: Severity::Critical,
        title: "Visitors start, but nothing arrives",
        message: format!(
            "{} visitors started this form and none could send it. Fill it in yourself: a required field \
             may be hidden, a pattern too strict, or the form closed.",
            funnel.starts
        ),
        metric: "submissions",
        value: 0.0,
        threshold: 1.0,
        field: None,
    })
}

/// At least one in ten runs of the form's actions failed in the last 24 hours, and five at least.
pub(super) fn failing_actions(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 10.0;
    const LEAST_FAILURES: i64 = 5;
    let failed = rate(evidence.failed_action_runs, evidence.action_runs);
    (evidence.failed_action_runs >= LEAST_FAILURES && failed >= THRESHOLD).then(|| {
        Recommendation {
            code: "failing_actions",
            severity: Severity::Critical,
            title: "Actions fail",
            message: format!(
                "{} of {} runs of this form's actions failed in the last 24 hours. What they said is in the \
                 log of actions.",
                evidence.failed_action_runs, evidence.action_runs
            ),
            metric: "action_failure_rate",
            value: failed,
            threshold: THRESHOLD,
            field: None,
        }
    })
}

/// Fewer than one in ten who see the form begin with it.
pub(super) fn few_starts(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 10.0;
    const LEAST_VIEWS: i64 = 200;
    let funnel = &evidence.funnel;
    let few = funnel.views >= LEAST_VIEWS && funnel.start_rate < THRESHOLD;
    few.then(|| Recommendation {
        code: "few_starts",
        severity: Severity::Warning,
        title: "Visitors see the form and pass on",
        message: format!(
            "Only {} % of the views become starts. Say above the form what visitors get for it, show fewer \
             fields at first, and begin with an easy one.",
            funnel.start_rate
        ),
        metric: "start_rate",
        value: funnel.start_rate,
        threshold: THRESHOLD,
        field: None,
    })
}

/// Fewer than one in four who begin send the form.
pub(super) fn few_completions(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 25.0;
    const LEAST_STARTS: i64 = 50;
    let funnel = &evidence.funnel;
    let few = funnel.starts >= LEAST_STARTS
        && funnel.submissions > 0
        && funnel.completion_rate < THRESHOLD;
    few.then(|| Recommendation {
        code: "few_completions",
        severity: Severity::Warning,
        title: "Most who start do not finish",
        message: format!(
            "Only {} % of the starts become submissions. The drop-off of the fields shows where visitors \
             stop; ask for less, and check what the validation refuses.",
            funnel.completion_rate
        ),
        metric: "completion_rate",
        value: funnel.completion_rate,
        threshold: THRESHOLD,
        field: None,
    })
}

/// More than twelve fields on a form that fewer than half finish.
pub(super) fn too_many_fields(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: usize = 12;
    const LEAST_STARTS: i64 = 50;
    let count = evidence.fields.len();
    let funnel = &evidence.funnel;
    let tired = funnel.starts >= LEAST_STARTS && funnel.completion_rate < 50.0;
    (count > THRESHOLD && tired).then(|| Recommendation {
        code: "too_many_fields",
        severity: Severity::Warning,
        title: "The form asks for a lot",
        message: format!(
            "The form has {count} fields, and {} % of the visitors who start finish it. Each field costs \
             visitors: drop what nobody uses, or split the form into steps.",
            funnel.completion_rate
        ),
        metric: "fields",
        value: count as f64,
        threshold: THRESHOLD as f64,
        field: None,
    })
}

/// The middle visitor needs more than five minutes.
pub(super) fn slow_completion(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: i64 = 300;
    const LEAST_TIMED: i64 = 30;
    let (seconds, timed) = evidence.completion?;
    (timed >= LEAST_TIMED && seconds > THRESHOLD).then(|| Recommendation {
        code: "slow_completion",
        severity: Severity::Info,
        title: "The form takes long to fill in",
        message: format!(
            "Half of the visitors need more than {} minutes. Prefill what is known, offer choices in place \
             of long texts, and let browsers fill in names and addresses (autocomplete).",
            THRESHOLD / 60
        ),
        metric: "median_completion_seconds",
        value: seconds as f64,
        threshold: THRESHOLD as f64,
        field: None,
    })
}

/// Phones finish less than seven tenths as often as other devices.
pub(super) fn mobile_gap(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 70.0;
    const LEAST_STARTS: i64 = 50;
    let other_starts = evidence.funnel.starts - evidence.mobile_starts;
    let other_submissions = evidence.funnel.submissions - evidence.mobile_submissions;
    let mobile = rate(evidence.mobile_submissions, evidence.mobile_starts);
    let other = rate(other_submissions, other_starts);
    let enough = evidence.mobile_starts >= LEAST_STARTS && other_starts >= LEAST_STARTS;
    let relative = if other > 0.0 {
        (mobile / other * 1000.0).round() / 10.0
    } else {
        100.0
    };
    (enough && relative < THRESHOLD).then(|| Recommendation {
        code: "mobile_gap",
        severity: Severity::Warning,
        title: "Phones finish less often",
        message: format!(
            "{mobile} % of the starts on phones become submissions, against {other} % elsewhere. Use the \
             field types email, tel, number and date, which bring up the right keyboard, and put fields \
             below each other."
        ),
        metric: "mobile_completion_of_other",
        value: relative,
        threshold: THRESHOLD,
        field: None,
    })
}

/// Four in ten of all that was sent is spam.
pub(super) fn much_spam(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 40.0;
    const LEAST_SENT: i64 = 50;
    let funnel = &evidence.funnel;
    let sent = funnel.submissions + funnel.spam;
    (sent >= LEAST_SENT && funnel.spam_rate >= THRESHOLD).then(|| Recommendation {
        code: "much_spam",
        severity: Severity::Info,
        title: "Much of what arrives is spam",
        message: format!(
            "{} % of what was sent is spam. It is kept apart and runs no actions; a limit per address (the \
             setting rate_limit) makes it more costly to send.",
            funnel.spam_rate
        ),
        metric: "spam_rate",
        value: funnel.spam_rate,
        threshold: THRESHOLD,
        field: None,
    })
}

/// Submissions without views: the page's script does not run, and no rate means anything.
pub(super) fn views_missing(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 50.0;
    const LEAST_SUBMISSIONS: i64 = 20;
    let funnel = &evidence.funnel;
    let seen = rate(funnel.views, funnel.submissions);
    (funnel.submissions >= LEAST_SUBMISSIONS && seen < THRESHOLD).then(|| Recommendation {
        code: "views_missing",
        severity: Severity::Info,
        title: "Views are not counted",
        message: format!(
            "{} submissions came with {} views. Where the form is embedded, its script is missing or \
             blocked; the funnel's rates say nothing until it runs.",
            funnel.submissions, funnel.views
        ),
        metric: "views_per_submission",
        value: seen,
        threshold: THRESHOLD,
        field: None,
    })
}
