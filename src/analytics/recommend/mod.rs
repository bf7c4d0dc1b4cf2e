//! What an experienced designer of forms would say about a form's numbers.
//!
//! Each rule looks at the same evidence, that of four weeks, and is silent until there is enough of
//! it. `docs/analytics.md` gives the reason of each.

mod evidence;
mod field_rules;
mod form_rules;
mod trend_rules;

pub use evidence::{Evidence, FieldEvidence, WINDOW_DAYS};

use serde::Serialize;

use crate::ordered;

/// How much it matters; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The form, or what hangs on it, seems broken.
    Critical,
    /// Visitors are lost.
    Warning,
    /// It could be better.
    Info,
}

/// A piece of advice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// The rule, such as `few_starts`.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// In a few words.
    pub title: &'static str,
    /// What was seen, and what helps.
    pub message: String,
    /// What was measured, such as `start_rate`.
    pub metric: &'static str,
    /// The measure.
    pub value: f64,
    /// Where the rule begins to speak.
    pub threshold: f64,
    /// The field that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

type Rule = fn(&Evidence) -> Option<Recommendation>;

/// Every rule; among those of one severity, the order of the answer.
const RULES: [Rule; 16] = [
    form_rules::nothing_arrives,
    trend_rules::submissions_stopped,
    form_rules::failing_actions,
    form_rules::few_starts,
    form_rules::few_completions,
    field_rules::field_drop_off,
    field_rules::required_field_skipped,
    field_rules::first_field_drop_off,
    field_rules::late_drop_off,
    form_rules::too_many_fields,
    form_rules::slow_completion,
    form_rules::mobile_gap,
    trend_rules::spam_rising,
    form_rules::much_spam,
    trend_rules::submissions_falling,
    form_rules::views_missing,
];

/// What the rules say about the evidence, worst first.
pub fn recommend(evidence: &Evidence) -> Vec<Recommendation> {
    let mut said: Vec<Recommendation> = RULES.iter().filter_map(|rule| rule(evidence)).collect();
    ordered::sort_by(&mut said, |one, other| one.severity.cmp(&other.severity));
    said
}
