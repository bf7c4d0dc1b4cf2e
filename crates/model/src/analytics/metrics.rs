//! The metrics by their names in `cf_stats`, and the rate of two counts.
//!
//! Unless a comment says otherwise, each metric is counted per UTC day and in a running total (with an empty `date`).
//! "From the browser" marks a metric that browser events count. "With its transaction" marks a metric that the
//! transaction of the submission counts.

/// At least half of a form was in view for a second. From the browser.
pub const VIEW: &str = "view";
/// A visitor's first input. From the browser.
pub const START: &str = "start";
/// A field got input, once for each field and view; the label is the field. From the browser.
pub const FIELD_INTERACTION: &str = "field_interaction";
/// The page was left after a start and before a submit. From the browser.
pub const ABANDON: &str = "abandon";
/// An abandonment, by the last field that got input; the label is the field.
pub const FIELD_ABANDON: &str = "field_abandon";
/// A submission that is not spam. With its transaction.
pub const SUBMIT: &str = "submit";
/// A submission that is not spam, from a visit with a counted start. With its transaction.
pub const COMPLETED: &str = "completed";
/// A submission that is spam. With its transaction.
pub const SPAM: &str = "spam";
/// A submission that is spam, by spam reason; the label is the reason.
pub const SPAM_REASON: &str = "spam_reason";
/// A submission's campaign; the label is the JSON array `[source, medium, campaign]`.
pub const CAMPAIGN: &str = "campaign";
/// A submission's referrer; the label is a domain or `direct`.
pub const REFERRER: &str = "referrer";
/// Visitors with at least one event, estimated from the day's sketch.
pub const VISITOR: &str = "visitor";
/// A start on a phone. Days only.
pub const MOBILE_START: &str = "mobile_start";
/// A submission from a phone. Days only.
pub const MOBILE_SUBMIT: &str = "mobile_submit";
/// A submission by its completion time; the label is the bucket from [`super::completion_bucket`]. Days only.
pub const COMPLETION_TIME: &str = "completion_time";
/// The time of the last submission that is not spam, in milliseconds UTC; the only counter that keeps a maximum.
/// Running total only.
pub const LAST_SUBMISSION: &str = "last_submission";

/// A stored submission with an answer under a field name; the label is the name. Running total only.
pub const ANSWER_NAME: &str = "answer_name";
/// A part of the sum of a field's answers in submissions that are not spam. The label is the JSON array `[name,
/// part]`, see [`super::answers`]. Running total only.
pub const ANSWER: &str = "answer";

/// Progress that a visitor saved for the first time.
pub const SAVED: &str = "saved";
/// Saved progress that was resumed.
pub const RESUMED: &str = "resumed";
/// A submission by a visitor who had resumed saved progress. With its transaction.
pub const SAVED_SUBMIT: &str = "saved_submit";

/// The metrics of the funnel.
#[rustfmt::skip]
pub const FUNNEL: [&str; 10] =
    [ABANDON, COMPLETED, RESUMED, SAVED, SAVED_SUBMIT, SPAM, START, SUBMIT, VIEW, VISITOR];

/// The events in the daily statistics.
pub const EVENTS: [&str; 6] = [ABANDON, FIELD_INTERACTION, SPAM, START, SUBMIT, VIEW];

/// `part` in percent of `whole`, rounded to one decimal place, halves up. 0 if `whole` is 0.
pub fn rate(part: i64, whole: i64) -> f64 {
    if whole <= 0 {
        return 0.0;
    }
    let tenths = (i128::from(part.max(0)) * 1000 + i128::from(whole) / 2) / i128::from(whole);
    tenths as f64 / 10.0
}
