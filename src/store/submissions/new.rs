//! A submission to be stored, and the statements of its batch that depend on its row.

use std::rc::Rc;

use super::super::queue::NewEntry;
use super::super::rate_limits::Gate;
use super::super::stats::Count;
use super::super::submission::Written;
use super::super::{Batch, answer_names, holds, queue, saved, search, stats, uploads};
use super::key::Key;
use model::Submission;
use model::analytics::answers::AnswerCounts;
use model::analytics::metrics::SAVED_SUBMIT;
use model::analytics::{Arrival, Visit};
use model::logic::holds::Hold;
use model::status::UNSAVED;

/// A submission to be stored.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// A fresh UUID.
    pub uuid: String,
    /// The submission; its id is ignored.
    pub submission: Submission,
    /// Whether the form keeps its submissions. Otherwise the row is deleted after its actions have succeeded, and no
    /// list shows it until then.
    pub saved: bool,
    /// Seconds since the visitor's first input, if the page sent them.
    pub seconds_taken: Option<i64>,
    /// Whether the visit began with an input, and whether that start is counted.
    pub visit: Visit,
    /// The key that identifies a repeat of the submit.
    pub key: Option<Key>,
    /// Keyed hashes of the email addresses in the answers, by which requests for personal data find the submission.
    pub address_hashes: Vec<String>,
    /// The counters of its answers.
    pub counted: AnswerCounts,
    /// The gates that the submission must pass.
    pub gates: Vec<Gate>,
    /// The actions to queue; withheld for spam.
    pub entries: Rc<[NewEntry]>,
    /// The holds of its answers.
    pub holds: Vec<Hold>,
    /// The id of the saved progress that the submission replaces.
    pub resumed: Option<String>,
    /// The revision that the form must have, if the form came from the cache.
    pub revision: Option<i64>,
}

impl NewSubmission {
    /// The holds that count: none while the submission is spam.
    pub(super) fn taken(&self) -> &[Hold] {
        if self.submission.is_spam {
            &[]
        } else {
            &self.holds
        }
    }

    pub(super) fn status(&self) -> &str {
        if self.saved {
            &self.submission.status
        } else {
            UNSAVED
        }
    }
}

/// Adds the statements that depend on the submission's row: gates, holds, index words, names of answers, file records,
/// queue entries and counters.
pub(super) fn add_dependents(batch: &mut Batch, new: &NewSubmission, gathered: i8) {
    let submission = &new.submission;
    for gate in &new.gates {
        gate.count(batch, submission.form_id, &new.uuid);
    }
    if !new.taken().is_empty() {
        holds::count_new(batch, &new.uuid, submission.form_id, new.taken());
    }
    let written = Written {
        uuid: &new.uuid,
        change_token: &new.uuid,
        gathered,
    };
    // An unsaved submission is indexed only if it has actions, so that requests for personal data find their logs.
    if new.saved || !new.entries.is_empty() && !submission.is_spam {
        let (dialect, hashes) = (batch.dialect(), &new.address_hashes);
        let words = search::row(dialect, submission, new.status(), written, hashes);
        search::add_rows(batch, vec![words], gathered);
    }
    if new.saved {
        answer_names::add(batch, &new.uuid, submission);
    }
    uploads::attach(batch, &new.uuid, &submission.files);
    if !submission.is_spam {
        let rows = queue::rows(written, &new.entries, batch.context.now());
        queue::add_rows(batch, rows, gathered);
    }
    let arrival = Arrival::of(submission, submission.is_spam).taking(new.seconds_taken);
    let counts = counts(new, &arrival);
    stats::add(batch, submission.submitted_at, counts, written);
}

fn counts<'n>(new: &'n NewSubmission, arrival: &'n Arrival) -> Vec<Count<'n>> {
    let submission = &new.submission;
    let mut counts = Count::arrival(arrival, submission.submitted_at, 1);
    counts.extend(Count::visit(new.visit, submission));
    counts.extend(Count::answers(&new.counted, submission.is_spam, 1));
    if new.saved {
        counts.push(Count::status(&submission.status, 1));
    }
    if new.resumed.is_some() {
        counts.push(Count::of(SAVED_SUBMIT, "", 1, true));
    }
    if !submission.is_spam && !new.entries.is_empty() {
        counts.push(Count::new_entries(new.entries.len()));
    }
    counts
}

/// Adds the last statements of the batch. They store the id with the key, or free the key if nothing was stored, and
/// delete replaced saved progress and an unsaved row without actions.
pub(super) fn settle(batch: &mut Batch, new: &NewSubmission) {
    if new.key.is_some() {
        batch.add(
            "DELETE FROM cf_submission_keys WHERE submission_uuid = ?1 \
             AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE uuid = ?1)",
            params![&new.uuid],
        );
        if new.saved {
            batch.add(
                "UPDATE cf_submission_keys SET submission_id = (SELECT id FROM cf_submissions WHERE uuid = ?1) \
                 WHERE submission_uuid = ?1",
                params![&new.uuid],
            );
        }
    }
    if let Some(saved_id) = &new.resumed {
        saved::add_removal(batch, saved_id, &new.uuid);
    }
    if !new.saved {
        batch.add(
            "DELETE FROM cf_submissions WHERE uuid = ?1 AND NOT EXISTS \
             (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = cf_submissions.id)",
            params![&new.uuid],
        );
    }
}
