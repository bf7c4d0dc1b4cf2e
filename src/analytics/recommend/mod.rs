//! Recommendations for a form, derived from its numbers.
//!
//! Each rule of `rules.json` evaluates the evidence of four weeks, and applies only if there is enough of it.
//! `docs/analytics.md` explains each rule.

mod evidence;
mod measures;

pub use evidence::{Evidence, FieldEvidence, WINDOW_DAYS};

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::ordered;
use measures::{MEASURES, Measure};

/// The severity of a recommendation, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The form, or something that it depends on, seems broken.
    Critical,
    /// The form loses visitors.
    Warning,
    /// The form could be better.
    Info,
}

/// A recommendation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// The rule, such as `few_starts`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// A short title.
    pub title: &'static str,
    /// The observation and the recommendation.
    pub message: String,
    /// The name of the measure, such as `start_rate`.
    pub metric: &'static str,
    /// The measured value.
    pub value: f64,
    /// The threshold with which the rule compares the value.
    pub threshold: f64,
    /// The field, if the rule concerns one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// A rule: the threshold of its measure, and its message.
#[derive(Deserialize)]
struct Rule {
    code: String,
    severity: Severity,
    title: String,
    message: String,
    metric: String,
    applies: Side,
    threshold: f64,
}

/// The side of its threshold on which a rule applies.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    Below,
    From,
    Above,
}

/// All rules; rules of equal severity keep this order in the response.
static RULES: LazyLock<Vec<Rule>> =
    LazyLock::new(|| serde_json::from_str(include_str!("rules.json")).unwrap_or_default());

impl Rule {
    fn evaluate(&'static self, evidence: &Evidence) -> Option<Recommendation> {
        let (_, measuring) = MEASURES.iter().find(|(code, _)| *code == self.code)?;
        let measure = measuring(evidence)?;
        let (value, threshold) = (measure.value, self.threshold);
        let applies = match self.applies {
            Side::Below => value < threshold,
            Side::From => value >= threshold,
            Side::Above => value > threshold,
        };
        applies.then(|| Recommendation {
            code: &self.code,
            severity: self.severity,
            title: &self.title,
            message: self.message(&measure),
            metric: &self.metric,
            value,
            threshold,
            field: measure.field,
        })
    }

    fn message(&self, measure: &Measure) -> String {
        let value = measure.value.to_string();
        let mut message = self.message.replace("{value}", &value);
        for (place, number) in measure.numbers.iter().enumerate() {
            message = message.replace(&format!("{{{place}}}"), &number.to_string());
        }
        // The field's name comes last, since it may contain placeholders.
        message.replace("{field}", measure.field.as_deref().unwrap_or_default())
    }
}

/// Evaluates the rules and returns their recommendations, worst first.
pub fn recommend(evidence: &Evidence) -> Vec<Recommendation> {
    let advice = RULES.iter().filter_map(|rule| rule.evaluate(evidence));
    let mut advice: Vec<Recommendation> = advice.collect();
    ordered::sort_by(&mut advice, |one, other| one.severity.cmp(&other.severity));
    advice
}
