//! The overview of all forms.

use serde::Serialize;

use super::funnel::Funnel;
use super::metrics::LAST_SUBMISSION;
use super::{Counted, total};
use crate::dates;
use crate::ordered;

/// The maximum number of forms in the overview.
pub const SHOWN_FORMS: usize = 50;

/// A form in the overview.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormOverview {
    /// The id of the form.
    pub form_id: i64,
    /// The title.
    pub title: String,
    /// The funnel of all time.
    #[serde(flatten)]
    pub funnel: Funnel,
    /// The time of the last submission that is not spam, in ISO 8601.
    pub last_submission_at: Option<String>,
}

/// The overview.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overview {
    /// The funnel of all forms, including forms beyond the listed ones.
    pub totals: Funnel,
    /// The forms, those with the most submissions first.
    pub forms: Vec<FormOverview>,
}

impl FormOverview {
    /// Builds a form's entry from its counters.
    pub fn of(form_id: i64, title: String, counted: &[Counted]) -> FormOverview {
        let last = total(counted, LAST_SUBMISSION);
        FormOverview {
            form_id,
            title,
            funnel: Funnel::of(counted),
            last_submission_at: (last > 0).then(|| dates::format_moment(last)),
        }
    }
}

impl Overview {
    /// Builds the overview, and sorts the forms.
    pub fn of(totals: Funnel, mut forms: Vec<FormOverview>) -> Overview {
        let rank = |form: &FormOverview| (form.funnel.submissions, form.form_id);
        ordered::sort_by(&mut forms, |one, other| rank(other).cmp(&rank(one)));
        Overview { totals, forms }
    }
}
