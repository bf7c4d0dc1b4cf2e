//! The names of all answers that any submission of a form has ever had. An export takes its columns from them without
//! reading all submissions.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::submission::StoredSubmission;
use super::{Batch, Result, select};
use crate::task::Context;
use model::Submission;
use model::status::UNSAVED;

/// Limit on the forms whose names an instance caches.
const MAX_FORMS: usize = 256;
/// Limit on the cached names of one form.
const MAX_NAMES: usize = 500;

/// The recorded names that this instance knows, by form.
type KnownNames = Vec<(i64, BTreeSet<String>)>;

/// Adds a statement that records the names of a submission's answers, if the batch stores the submission. Cached names
/// need no statement.
pub(super) fn add(batch: &mut Batch, uuid: &str, submission: &Submission) {
    let names_of_forms = batch.context.state::<RefCell<KnownNames>>();
    let known = names_of_forms.borrow();
    let known = known.iter().find(|(id, _)| *id == submission.form_id);
    let names: Vec<&str> = submission
        .data
        .iter()
        .map(|(name, _)| name)
        .filter(|name| known.is_none_or(|(_, known)| !known.contains(*name)))
        .collect();
    if names.is_empty() {
        return;
    }
    // All batches insert names in the same order, so that they cannot deadlock.
    let listed = batch.dialect().listed("?2");
    let sql = format!(
        "INSERT INTO cf_answer_names (form_id, name, first_seen) \
         SELECT s.form_id, listed.value, s.submitted_at FROM cf_submissions s CROSS JOIN {listed} \
         WHERE s.uuid = ?1 ORDER BY listed.value ON CONFLICT (form_id, name) DO NOTHING"
    );
    let names = serde_json::Value::from(names).to_string();
    batch.add(sql, params![uuid, names]);
}

/// Records the answer names of submissions that an older version of the engine stored, except unsaved submissions.
pub async fn record(cx: &Context, stored: &[StoredSubmission]) -> Result<()> {
    let mut batch = Batch::new(cx);
    let saved = || {
        stored
            .iter()
            .filter(|stored| stored.submission.status != UNSAVED)
    };
    for stored in saved() {
        add(&mut batch, &stored.uuid, &stored.submission);
    }
    if batch.is_empty() {
        return Ok(());
    }
    batch.run().await?;
    for stored in saved() {
        remember(cx, &stored.submission);
    }
    Ok(())
}

/// Caches the names of a stored submission.
pub(super) fn remember(cx: &Context, submission: &Submission) {
    let names_of_forms = cx.state::<RefCell<KnownNames>>();
    let mut known = names_of_forms.borrow_mut();
    let form_id = submission.form_id;
    if !known.iter().any(|(id, _)| *id == form_id) {
        if known.len() >= MAX_FORMS {
            known.clear();
        }
        known.push((form_id, BTreeSet::new()));
    }
    let Some((_, names)) = known.iter_mut().find(|(id, _)| *id == form_id) else {
        return;
    };
    for (name, _) in submission.data.iter() {
        if names.len() < MAX_NAMES && !names.contains(name) {
            names.insert(name.to_owned());
        }
    }
}

/// The names of all answers that any submission of a form has had, the oldest first.
pub async fn read(cx: &Context, form_id: i64) -> Result<Vec<String>> {
    let sql = "SELECT name FROM cf_answer_names WHERE form_id = ?1 ORDER BY first_seen, name";
    select(cx, sql, params![form_id]).await
}
