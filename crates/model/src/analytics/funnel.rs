//! The funnel from viewing a form to submitting it.

use serde::Serialize;

use super::metrics::{
    ABANDON, COMPLETED, RESUMED, SAVED, SAVED_SUBMIT, SPAM, START, SUBMIT, VIEW, VISITOR, rate,
};
use super::{Counted, total};

/// The counts of a form's funnel, and the rates between them in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Funnel {
    /// Views.
    pub views: i64,
    /// Sum of the visitors of each day, estimated within 2.5 %. A visitor on two days counts twice.
    pub visitors: i64,
    /// Visits with a first input.
    pub starts: i64,
    /// Submissions that are not spam.
    pub submissions: i64,
    /// Submissions of visits that started.
    #[serde(skip)]
    pub completions: i64,
    /// Visits that ended after a start, without a submit.
    pub abandonments: i64,
    /// Submissions that are spam.
    pub spam: i64,
    /// Visitors who saved their progress. Only the funnel of a single form shows this count.
    #[serde(skip)]
    pub saved: i64,
    /// Number of times that saved progress was resumed. Only the funnel of a single form shows this count.
    #[serde(skip)]
    pub resumed: i64,
    /// Submissions by visitors who had resumed saved progress. Only the funnel of a single form shows this count.
    #[serde(skip)]
    pub saved_submissions: i64,
    /// Starts in percent of views.
    pub start_rate: f64,
    /// Submissions of visits that started, in percent of starts.
    pub completion_rate: f64,
    /// Abandonments in percent of starts.
    pub abandonment_rate: f64,
    /// Spam in percent of all submissions.
    pub spam_rate: f64,
}

impl Funnel {
    /// Computes the funnel from counters.
    pub fn of(counted: &[Counted]) -> Funnel {
        Funnel {
            views: total(counted, VIEW),
            visitors: total(counted, VISITOR),
            starts: total(counted, START),
            submissions: total(counted, SUBMIT),
            completions: total(counted, COMPLETED),
            abandonments: total(counted, ABANDON),
            spam: total(counted, SPAM),
            saved: total(counted, SAVED),
            resumed: total(counted, RESUMED),
            saved_submissions: total(counted, SAVED_SUBMIT),
            ..Funnel::default()
        }
        .with_rates()
    }

    /// Subtracts the counts of another funnel; no count goes below 0.
    pub fn without(self, other: &Funnel) -> Funnel {
        Funnel {
            views: (self.views - other.views).max(0),
            visitors: (self.visitors - other.visitors).max(0),
            starts: (self.starts - other.starts).max(0),
            submissions: (self.submissions - other.submissions).max(0),
            completions: (self.completions - other.completions).max(0),
            abandonments: (self.abandonments - other.abandonments).max(0),
            spam: (self.spam - other.spam).max(0),
            saved: (self.saved - other.saved).max(0),
            resumed: (self.resumed - other.resumed).max(0),
            saved_submissions: (self.saved_submissions - other.saved_submissions).max(0),
            ..self
        }
        .with_rates()
    }

    fn with_rates(self) -> Funnel {
        // Completions still include submissions that were deleted or became spam later; the other counts cap them.
        let completions = self.completions.min(self.submissions).min(self.starts);
        Funnel {
            start_rate: rate(self.starts, self.views),
            completion_rate: rate(completions, self.starts),
            abandonment_rate: rate(self.abandonments, self.starts),
            spam_rate: rate(self.spam, self.submissions + self.spam),
            ..self
        }
    }
}
