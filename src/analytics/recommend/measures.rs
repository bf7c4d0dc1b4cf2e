//! The measure of each rule, if there is enough evidence.

use super::Evidence;
use crate::analytics::metrics::rate;

/// A measured value, with the numbers that the rule's message quotes.
#[derive(Default)]
pub(super) struct Measure {
    pub(super) value: f64,
    pub(super) field: Option<String>,
    /// The numbers for `{0}` and `{1}`.
    pub(super) numbers: Vec<f64>,
}

/// A measure with numbers, if there is enough evidence for it.
fn measured(is_enough: bool, value: f64, numbers: &[f64]) -> Option<Measure> {
    is_enough.then(|| Measure {
        value,
        numbers: numbers.to_vec(),
        ..Measure::default()
    })
}

/// A measure of one field, if there is enough evidence for it.
fn of_field(is_enough: bool, value: f64, field: &str) -> Option<Measure> {
    is_enough.then(|| Measure {
        value,
        field: Some(field.to_owned()),
        ..Measure::default()
    })
}

/// Minimum number of abandonments whose last touched field is known. With fewer, the rules about drop-offs have no
/// measure.
const MIN_DROP_OFFS: i64 = 30;

/// Minimum number of starts for the rules `few_completions`, `required_field_skipped` and `too_many_fields`. The rule
/// `mobile_gap` needs as many starts on phones, and as many elsewhere.
const MIN_STARTS: i64 = 50;

const WEEK: usize = 7;

type Measuring = fn(&Evidence) -> Option<Measure>;

/// The measure of each rule of `rules.json`.
pub(super) const MEASURES: [(&str, Measuring); 16] = [
    ("nothing_arrives", |evidence| {
        let funnel = &evidence.funnel;
        let is_enough = funnel.starts >= 20 && funnel.spam == 0;
        let starts = funnel.starts as f64;
        measured(is_enough, funnel.submissions as f64, &[starts])
    }),
    ("submissions_stopped", |evidence| {
        let (recent, before) = Evidence::split(&evidence.daily_submissions, WEEK);
        measured(before >= 14, recent as f64, &[before as f64])
    }),
    ("failing_actions", |evidence| {
        let (failed, runs) = (evidence.failed_action_runs, evidence.action_runs);
        let share = rate(failed, runs);
        measured(failed >= 5, share, &[failed as f64, runs as f64])
    }),
    ("few_starts", |evidence| {
        let funnel = &evidence.funnel;
        measured(funnel.views >= 200, funnel.start_rate, &[])
    }),
    ("few_completions", |evidence| {
        let funnel = &evidence.funnel;
        let is_enough = funnel.starts >= MIN_STARTS && funnel.submissions > 0;
        measured(is_enough, funnel.completion_rate, &[])
    }),
    ("field_drop_off", |evidence| {
        let all = evidence.drop_offs();
        let worst = evidence.fields.iter().max_by_key(|field| field.drop_offs)?;
        let share = rate(worst.drop_offs, all);
        // The share must exceed twice the average share of a field.
        let fair_share = rate(1, i64::try_from(evidence.fields.len()).ok()?);
        let is_enough = all >= MIN_DROP_OFFS && share > 2.0 * fair_share;
        of_field(is_enough, share, &worst.name)
    }),
    ("required_field_skipped", |evidence| {
        // A field without any interaction is prefilled, or the page cannot observe it.
        let fields = evidence.fields.iter();
        let required = fields.filter(|field| field.required && field.interactions > 0);
        let worst = required.min_by_key(|field| field.interactions)?;
        let starts = evidence.funnel.starts;
        let filled = rate(worst.interactions, starts);
        of_field(starts >= MIN_STARTS, filled, &worst.name)
    }),
    ("first_field_drop_off", |evidence| {
        let [first, _, _, ..] = evidence.fields.as_slice() else {
            return None;
        };
        let all = evidence.drop_offs();
        let share = rate(first.drop_offs, all);
        of_field(all >= MIN_DROP_OFFS, share, &first.name)
    }),
    ("late_drop_off", |evidence| {
        let count = evidence.fields.len();
        let late = evidence.fields.iter().skip(count - count / 3);
        let all = evidence.drop_offs();
        let share = rate(late.map(|field| field.drop_offs).sum(), all);
        measured(all >= MIN_DROP_OFFS && count >= 6, share, &[])
    }),
    ("too_many_fields", |evidence| {
        let funnel = &evidence.funnel;
        let is_tired = funnel.starts >= MIN_STARTS && funnel.completion_rate < 50.0;
        let count = evidence.fields.len() as f64;
        measured(is_tired, count, &[funnel.completion_rate])
    }),
    ("slow_completion", |evidence| {
        let (seconds, timed) = evidence.completion?;
        measured(timed >= 30, seconds as f64, &[])
    }),
    ("mobile_gap", |evidence| {
        let (funnel, starts) = (&evidence.funnel, evidence.mobile_starts);
        let other_starts = funnel.starts - starts;
        let mobile = rate(evidence.mobile_submissions, starts);
        let other_submissions = funnel.submissions - evidence.mobile_submissions;
        let other = rate(other_submissions, other_starts);
        let is_enough = starts >= MIN_STARTS && other_starts >= MIN_STARTS && other > 0.0;
        let relative = (mobile / other * 1000.0).round() / 10.0;
        measured(is_enough, relative, &[mobile, other])
    }),
    ("spam_rising", |evidence| {
        let (spam, spam_before) = Evidence::split(&evidence.daily_spam, WEEK);
        let (recent, before) = Evidence::split(&evidence.daily_submissions, WEEK);
        let share = rate(spam, spam + recent);
        let share_before = rate(spam_before, spam_before + before);
        let is_rising = spam >= 20 && share >= 2.0 * share_before;
        measured(is_rising, share, &[share_before])
    }),
    ("much_spam", |evidence| {
        let funnel = &evidence.funnel;
        let sent = funnel.submissions + funnel.spam;
        measured(sent >= 50, funnel.spam_rate, &[])
    }),
    ("submissions_falling", |evidence| {
        let (recent, before) = Evidence::split(&evidence.daily_submissions, 2 * WEEK);
        let (views, views_before) = Evidence::split(&evidence.daily_views, 2 * WEEK);
        let is_seen = views_before > 0 && rate(views, views_before) >= 80.0;
        let is_enough = before >= 20 && recent > 0 && is_seen;
        let kept = rate(recent, before);
        measured(is_enough, kept, &[recent as f64, before as f64])
    }),
    ("views_missing", |evidence| {
        let (views, submissions) = (evidence.funnel.views, evidence.funnel.submissions);
        let seen = rate(views, submissions);
        measured(submissions >= 20, seen, &[submissions as f64, views as f64])
    }),
];
