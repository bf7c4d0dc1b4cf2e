//! Changing and deleting submissions. A change counts on the version that was read
//! (`modified_at`); whoever comes second reads again.

use super::super::queue::NewEntry;
use super::super::stats::Count;
use super::super::timeline::{self, Event};
use super::super::{
    Batch, Bindings, Dialect, StoreError, answer_names, queue, search, select, stats, uploads,
};
use super::{COLUMNS, StoredSubmission, Written, submission};
use crate::task::Context;
use model::analytics::Arrival;
use model::analytics::answers::AnswerCounts;
use model::ordered::Gather;
use model::status::is_spam_after;
use model::{Data, Submission};
use serde_json::{Map, Value, json};

/// What becomes of a submission.
#[derive(Clone, Debug)]
pub struct Change {
    /// The submission as it was read.
    pub stored: StoredSubmission,
    /// Its new status.
    pub status: String,
    /// Whether it is starred then.
    pub starred: bool,
    /// Its new answers, where they change, and what they count towards.
    pub data: Option<(Data, AnswerCounts)>,
    /// The login of who changes it.
    pub user: String,
    /// The form's actions, for a submission whose actions were withheld.
    pub entries: Vec<NewEntry>,
    /// Keyed hashes of the email addresses that its answers have or had, by which their owners find it.
    pub address_hashes: Vec<String>,
}

impl Change {
    /// The submission as it is then, its version and its status left out.
    fn after(&self) -> Submission {
        let before = &self.stored.submission;
        Submission {
            starred: self.starred,
            data: self
                .data
                .as_ref()
                .map_or(&before.data, |(data, _)| data)
                .clone(),
            ..before.clone()
        }
    }

    /// What its time line tells of the change.
    fn events(&self, now: i64) -> Vec<Event> {
        let before = &self.stored.submission;
        let event = |kind: &str, detail| Event {
            kind: kind.to_owned(),
            user: self.user.clone(),
            detail,
            at: now,
        };
        let status = (before.status != self.status)
            .then(|| event("status", json!({"from": before.status, "to": self.status})));
        let edited = self.data.as_ref().map(|(data, _)| {
            let mut names: Vec<&str> = before.data.iter().map(|(name, _)| name).collect();
            names.extend(data.iter().map(|(name, _)| name));
            names.retain(|name| before.data.get(name) != data.get(name));
            let previous = names
                .into_iter()
                .map(|name| (name.to_owned(), json!(before.data.get(name))));
            event(
                "edited",
                json!({"previous": previous.gather::<Map<String, Value>>()}),
            )
        });
        status.into_iter().chain(edited).collect()
    }

    /// Whether the submission is spam then.
    pub fn is_spam(&self) -> bool {
        is_spam_after(&self.status, self.stored.submission.is_spam)
    }

    /// Whether the withheld actions are to run now.
    pub fn releases_actions(&self) -> bool {
        self.stored.actions_withheld && !self.is_spam()
    }
}

/// Gives submissions their new statuses in one batch. Answers for each whether it took effect:
/// false where another change was first. Counters follow; withheld actions are
/// queued once, and those that wait in the queue are withheld while a submission is spam.
pub async fn set_status(cx: &Context, changes: &[Change]) -> Result<Vec<bool>, StoreError> {
    let mut batch = Batch::new(cx);
    let mut places = Vec::with_capacity(changes.len());
    for change in changes {
        places.push(add_change(&mut batch, change, cx.now())?);
    }
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let results = batch.run().await?;
    let done = places.into_iter().map(|place| results.changes(place) > 0);
    Ok(done.collect())
}

fn add_change(batch: &mut Batch<'_>, change: &Change, now: i64) -> Result<usize, StoreError> {
    let StoredSubmission {
        submission, uuid, ..
    } = &change.stored;
    let is_spam = change.is_spam();
    let withheld = change.stored.actions_withheld && is_spam;
    let token = crate::security::random::token(16)?;
    let json = |(data, counted): &(Data, AnswerCounts)| {
        Ok::<_, serde_json::Error>((
            serde_json::to_string(data)?,
            serde_json::to_string(counted)?,
        ))
    };
    let (data, counted) = change.data.as_ref().map(json).transpose()?.unzip();
    let former = match data {
        Some(_) => change.address_hashes.join(" "),
        None => change.stored.former_addresses.join(" "),
    };
    let place = batch.add(
        "UPDATE cf_submissions SET status = ?3, is_spam = ?4, actions_withheld = ?5, change_token = ?6, \
           modified_at = ?7, starred = ?8, data = COALESCE(CAST(?9 AS TEXT), data), former_addresses = ?10, counted = COALESCE(CAST(?11 AS TEXT), counted) \
         WHERE uuid = ?1 AND modified_at = ?2",
        vec![
            uuid.as_str().into(),
            submission.modified_at.into(),
            change.status.as_str().into(),
            is_spam.into(),
            withheld.into(),
            token.as_str().into(),
            now.max(submission.modified_at + 1).into(),
            change.starred.into(),
            data.into(),
            former.into(),
            counted.into(),
        ],
    );
    let mut counts = vec![
        Count::status(&submission.status, -1),
        Count::status(&change.status, 1),
    ];
    if is_spam != submission.is_spam {
        let (was, becomes) = (
            Arrival::of(submission, submission.is_spam),
            Arrival::of(submission, is_spam),
        );
        counts.extend(Count::arrival(&was, submission.submitted_at, -1));
        counts.extend(Count::arrival(&becomes, submission.submitted_at, 1));
    }
    if let Some(counted) = &change.stored.counted {
        let after = change.data.as_ref().map_or(counted, |(_, after)| after);
        counts.extend(Count::answers(counted, submission.is_spam, -1));
        counts.extend(Count::answers(after, is_spam, 1));
    } else if let Some((_, after)) = &change.data {
        counts.extend(Count::answers(after, is_spam, 1));
    }
    // Actions are withheld until the first change out of spam, so that these are new.
    if change.releases_actions() && !change.entries.is_empty() {
        counts.push(Count::new_entries(change.entries.len()));
    }
    let written = Written {
        uuid,
        change_token: &token,
        gathered: false,
    };
    stats::add(batch, submission.form_id, &counts, written);
    for event in change.events(now) {
        timeline::add(batch, uuid, &token, &event);
    }
    let after = change.after();
    if change.data.is_some() {
        answer_names::add(batch, uuid, &after);
    }
    let addresses = &change.address_hashes;
    search::write(batch, &after, &change.status, written, addresses);
    if is_spam != submission.is_spam {
        let (uuid, token) = (uuid.as_str(), token.as_str());
        if is_spam {
            queue::withhold(batch, uuid, token);
        } else {
            queue::resume(batch, uuid, token);
        }
    }
    if change.releases_actions() {
        queue::add_entries(batch, written, submission.form_id, &change.entries, now);
    }
    Ok(place)
}

/// How many submissions are counted at once.
const COUNTED_AT_ONCE: i64 = 200;

/// Some submissions whose answers are not counted yet, since an older version of the engine stored them.
pub async fn uncounted(cx: &Context) -> Result<Vec<StoredSubmission>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM cf_submissions s WHERE s.counted = '' ORDER BY s.id LIMIT ?1"
    );
    let rows = select(cx, sql, vec![COUNTED_AT_ONCE.into()]).await?;
    rows.into_iter().map(|row| submission(cx, row)).collect()
}

/// Counts the answers of such submissions, but of those that were changed or counted meanwhile.
pub async fn count_answers(
    cx: &Context,
    counted: &[(StoredSubmission, AnswerCounts)],
) -> Result<(), StoreError> {
    let mut batch = Batch::new(cx);
    for (stored, counts) in counted {
        let token = crate::security::random::token(16)?;
        let uuid = &stored.uuid;
        batch.add(
            "UPDATE cf_submissions SET counted = ?3, change_token = ?4 \
             WHERE uuid = ?1 AND change_token = ?2 AND counted = ''",
            vec![
                uuid.as_str().into(),
                stored.change_token.as_str().into(),
                serde_json::to_string(counts)?.into(),
                token.as_str().into(),
            ],
        );
        let counts = Count::answers(counts, stored.submission.is_spam, 1);
        let written = Written {
            uuid,
            change_token: &token,
            gathered: false,
        };
        stats::add(&mut batch, stored.submission.form_id, &counts, written);
    }
    batch.run().await.map(drop)
}

/// Deletes submissions in one batch, with their entries of the queue, logs, keys, words and
/// counts. The files are the caller's to remove.
pub async fn delete(cx: &Context, submissions: &[StoredSubmission]) -> Result<(), StoreError> {
    if submissions.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = submissions.iter().map(|own| own.submission.id).collect();
    let mut batch = Batch::new(cx);
    add_delete(&mut batch, &ids, cx.now())?;
    batch.run().await.map(drop)
}

/// Adds what deletes submissions: as many statements for many as for one.
pub(in crate::store) fn add_delete(
    batch: &mut Batch<'_>,
    ids: &[i64],
    now: i64,
) -> Result<(), StoreError> {
    // In one order, so that no two batches wait for each other.
    if batch.dialect() == Dialect::Postgres {
        let sql =
            "SELECT s.uuid FROM cf_submissions s WHERE s.id IN ({ids}) ORDER BY s.id FOR UPDATE";
        batch.add_of_ids(ids, sql);
    }
    // Locks the rows and marks them as this batch's, so that of two deletions one counts.
    let token = crate::security::random::token(16)?;
    let mut bindings = Bindings::default();
    let listed = bindings.ids(batch.dialect(), ids.iter().copied());
    let token_place = bindings.bind(token.as_str());
    batch.add(
        format!("UPDATE cf_submissions SET change_token = {token_place} WHERE id IN ({listed})"),
        bindings.values(),
    );
    stats::uncount(batch, ids, &token);
    search::delete(batch, ids);
    timeline::delete(batch, ids);
    queue::delete_of_submissions(batch, ids, now);
    for sql in [
        "DELETE FROM cf_submission_keys WHERE submission_uuid IN \
           (SELECT s.uuid FROM cf_submissions s WHERE s.id IN ({ids}))",
        "DELETE FROM cf_submissions WHERE id IN ({ids})",
    ] {
        batch.add_of_ids(ids, sql);
    }
    uploads::abandon(batch, ids);
    Ok(())
}
