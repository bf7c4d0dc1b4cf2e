//! Rules on single fields, and on where among the fields visitors leave.

use super::{Evidence, Recommendation, Severity};
use crate::analytics::metrics::rate;

/// Abandonments with a known field below which nothing is said about fields.
const LEAST_DROP_OFFS: i64 = 30;

/// A field where far more visitors leave than its share: at least 30 % of all, and more than twice
/// what each field would have if all were alike.
pub(super) fn field_drop_off(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 30.0;
    let all = evidence.drop_offs();
    let fair_share = rate(1, i64::try_from(evidence.fields.len()).ok()?);
    let worst = evidence.fields.iter().max_by_key(|field| field.drop_offs)?;
    let share = rate(worst.drop_offs, all);
    let outlying = share >= THRESHOLD && share > 2.0 * fair_share;
    (all >= LEAST_DROP_OFFS && outlying).then(|| Recommendation {
        code: "field_drop_off",
        severity: Severity::Warning,
        title: "Many visitors leave at one field",
        message: format!(
            "{share} % of the visitors who give up do so at “{}”. Ask whether you need it; if so, say why \
             you ask, show an example, or make it optional.",
            worst.name
        ),
        metric: "drop_off_share",
        value: share,
        threshold: THRESHOLD,
        field: Some(worst.name.clone()),
    })
}

/// A required field that fewer than six in ten of those who start fill in.
pub(super) fn required_field_skipped(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 60.0;
    const LEAST_STARTS: i64 = 50;
    // What nobody ever touches is prefilled, or the page cannot tell.
    let required = evidence
        .fields
        .iter()
        .filter(|field| field.required && field.interactions > 0);
    let worst = required.min_by_key(|field| field.interactions)?;
    let filled = rate(worst.interactions, evidence.funnel.starts);
    (evidence.funnel.starts >= LEAST_STARTS && filled < THRESHOLD).then(|| Recommendation {
        code: "required_field_skipped",
        severity: Severity::Warning,
        title: "Few visitors fill in a required field",
        message: format!(
            "Only {filled} % of the visitors who start reach and fill in “{}”, which is required. Make it \
             optional, or move it to where visitors are ready for it.",
            worst.name
        ),
        metric: "field_fill_rate",
        value: filled,
        threshold: THRESHOLD,
        field: Some(worst.name.clone()),
    })
}

/// The first field alone turns four in ten away: it asks for too much, too early.
pub(super) fn first_field_drop_off(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 40.0;
    let [first, _, _, ..] = evidence.fields.as_slice() else {
        return None;
    };
    let all = evidence.drop_offs();
    let share = rate(first.drop_offs, all);
    (all >= LEAST_DROP_OFFS && share >= THRESHOLD).then(|| Recommendation {
        code: "first_field_drop_off",
        severity: Severity::Warning,
        title: "Visitors leave at the first field",
        message: format!(
            "{share} % of the visitors who give up get no further than “{}”. Begin with the easiest \
             question, and leave personal ones for the end.",
            first.name
        ),
        metric: "first_field_drop_off_share",
        value: share,
        threshold: THRESHOLD,
        field: Some(first.name.clone()),
    })
}

/// Half of those who leave do so in the last third of a long form: they were willing, and tired.
pub(super) fn late_drop_off(evidence: &Evidence) -> Option<Recommendation> {
    const THRESHOLD: f64 = 50.0;
    const LEAST_FIELDS: usize = 6;
    let count = evidence.fields.len();
    let late = evidence.fields.iter().skip(count - count / 3);
    let all = evidence.drop_offs();
    let share = rate(late.map(|field| field.drop_offs).sum(), all);
    let enough = all >= LEAST_DROP_OFFS && count >= LEAST_FIELDS;
    (enough && share >= THRESHOLD).then(|| Recommendation {
        code: "late_drop_off",
        severity: Severity::Warning,
        title: "Visitors give up near the end",
        message: format!(
            "{share} % of the visitors who give up had come as far as the last third of the fields. Split the \
             form into steps, show how far it is to the end, and drop what you do not need."
        ),
        metric: "late_drop_off_share",
        value: share,
        threshold: THRESHOLD,
        field: None,
    })
}
