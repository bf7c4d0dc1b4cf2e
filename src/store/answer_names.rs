//! Which answers the submissions of each form have ever had: the columns of an export, known without
//! reading them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::submissions::StoredSubmission;
use super::{Batch, Result, select};
use crate::task::Context;
use model::Submission;
use model::status::UNSAVED;

/// The most forms, and names of one form, that an instance remembers.
const MAX_FORMS: usize = 256;
const MAX_NAMES: usize = 500;

/// The names that this instance knows to be recorded, by form.
type KnownNames = Vec<(i64, BTreeSet<String>)>;

/// Adds the record of the names that a submission's answers have, if the batch stores it. Names that
/// are known to be recorded cost nothing.
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
    // In order, so that two batches never wait for each other.
    let listed = batch.dialect().listed("?2");
    let sql = format!(
        "INSERT INTO cf_answer_names (form_id, name, first_seen) \
         SELECT s.form_id, listed.value, s.submitted_at FROM cf_submissions s CROSS JOIN {listed} \
         WHERE s.uuid = ?1 ORDER BY listed.value ON CONFLICT (form_id, name) DO NOTHING"
    );
    let names = serde_json::Value::from(names).to_string();
    batch.add(sql, params![uuid, names]);
}

/// Records the names that submissions of an older version of the engine have, a few at a time.
pub async fn record(cx: &Context, stored: &[StoredSubmission]) -> Result<()> {
    let mut batch = Batch::new(cx);
    let saved = || stored.iter().filter(|own| own.submission.status != UNSAVED);
    for own in saved() {
        add(&mut batch, &own.uuid, &own.submission);
    }
    if batch.is_empty() {
        return Ok(());
    }
    batch.run().await?;
    for own in saved() {
        remember(cx, &own.submission);
    }
    Ok(())
}

/// Caches the names of a submission that was stored.
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

/// The names of the answers that a form's submissions have ever had, the oldest first.
pub async fn read(cx: &Context, form_id: i64) -> Result<Vec<String>> {
    let sql = "SELECT name FROM cf_answer_names WHERE form_id = ?1 ORDER BY first_seen, name";
    select(cx, sql, params![form_id]).await
}
