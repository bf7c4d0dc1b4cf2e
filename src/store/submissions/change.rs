//! Changes and deletes submissions. Changes use optimistic locking by `modified_at`: of two concurrent changes, the
//! second fails and must be repeated.

use super::super::queue::NewEntry;
use super::super::stats::Count;
use super::super::submission::Written;
use super::super::timeline::{self, Event};
use super::super::{
    Batch, Bindings, Dialect, Result, answer_names, holds, queue, search, stats, uploads,
};
use super::{StoredSubmission, select_where};
use crate::task::Context;
use model::analytics::Arrival;
use model::analytics::answers::AnswerCounts;
use model::ordered::Gather;
use model::status::{TRASH, is_spam_after};
use model::{Data, Labels, Submission};
use serde_json::{Map, Value};

/// New answers of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAnswers {
    /// The answers.
    pub data: Data,
    /// The labels of the chosen options.
    pub labels: Labels,
    /// The counters of the answers.
    pub counted: AnswerCounts,
    /// The unique values and the seats that the answers take, as `holds::stored` lists them.
    pub held: String,
    /// The form's revision against which the answers were checked.
    pub schema_revision: i64,
}

/// A change of a submission.
#[derive(Clone, Debug)]
pub struct Change {
    /// The submission as it was read.
    pub stored: StoredSubmission,
    /// The new status.
    pub status: String,
    /// Whether the submission is starred after the change.
    pub starred: bool,
    /// The new answers, if they change.
    pub data: Option<NewAnswers>,
    /// The login of the user who makes the change.
    pub user: String,
    /// The form's actions, if the submission's actions were withheld.
    pub entries: Vec<NewEntry>,
    /// Keyed hashes of the email addresses in current and former answers, by which requests for personal data find the
    /// submission.
    pub address_hashes: Vec<String>,
}

impl Change {
    /// The submission after the change, with its old version and status.
    fn after(&self) -> Submission {
        let before = &self.stored.submission;
        let answers = self.data.as_ref();
        Submission {
            starred: self.starred,
            data: answers.map_or(&before.data, |new| &new.data).clone(),
            labels: answers.map_or(&before.labels, |new| &new.labels).clone(),
            ..before.clone()
        }
    }

    /// The events that the change adds to the timeline.
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
        let edited = self.data.as_ref().map(|NewAnswers { data, .. }| {
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

    /// Builds the row of [`stats::add_rows`].
    fn counted(&self, written: Written<'_>) -> String {
        let before = &self.stored.submission;
        let is_spam = self.is_spam();
        let mut counts = vec![
            Count::status(&before.status, -1),
            Count::status(&self.status, 1),
        ];
        counts.extend(Count::starred(before.starred, &before.status, -1));
        counts.extend(Count::starred(self.starred, &self.status, 1));
        let arrivals = [before.is_spam, is_spam].map(|is_spam| Arrival::of(before, is_spam));
        if is_spam != before.is_spam {
            for (arrival, by) in arrivals.iter().zip([-1, 1]) {
                counts.extend(Count::arrival(arrival, before.submitted_at, by));
            }
        }
        let counted = self.stored.counted.as_ref();
        if let Some(counted) = counted {
            counts.extend(Count::answers(counted, before.is_spam, -1));
        }
        let after = self.data.as_ref().map(|new| &new.counted);
        if let Some(after) = after.or(counted) {
            counts.extend(Count::answers(after, is_spam, 1));
        }
        // Actions are withheld until the first change out of spam, so these entries are new.
        if self.releases_actions() && !self.entries.is_empty() {
            counts.push(Count::new_entries(self.entries.len()));
        }
        stats::row(before.submitted_at, counts, written)
    }

    /// Whether the submission's holds count before the change, and whether they count after it.
    fn holds(&self) -> (bool, bool) {
        let before = &self.stored.submission;
        let held = holds::is_holding(&before.status, before.is_spam);
        (held, holds::is_holding(&self.status, self.is_spam()))
    }

    /// Whether the submission's holds may change.
    fn moves_holds(&self) -> bool {
        let (before, after) = self.holds();
        before != after || self.data.is_some()
    }

    /// Whether the submission may get holds that it did not have before.
    pub fn gets_holds(&self) -> bool {
        self.holds().1 && self.moves_holds()
    }

    /// Whether the submission is spam after the change.
    pub fn is_spam(&self) -> bool {
        is_spam_after(&self.status, self.stored.submission.is_spam)
    }

    /// Whether the change queues the withheld actions.
    pub fn releases_actions(&self) -> bool {
        self.stored.actions_withheld && !self.is_spam()
    }
}

/// Applies changes of submissions in one batch. The number of statements is fixed, except that new answers add one for
/// each change. Returns for each change whether it took effect; false if another change came first. Updates counters,
/// queues withheld actions once, and withholds waiting queue entries of submissions that become spam.
pub async fn set_status(cx: &Context, changes: &[Change]) -> Result<Vec<bool>> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let token = crate::security::random::token(16)?;
    let ids = changes.iter().map(|change| change.stored.submission.id);
    lock(&mut batch, &ids.collect::<Vec<_>>());
    let moving = || changes.iter().filter(|change| change.moves_holds());
    let giving = moving().filter(|change| change.holds().0);
    let giving =
        giving.map(|change| json!([change.stored.uuid, change.stored.submission.modified_at]));
    holds::release(&mut batch, &giving.collect::<Vec<_>>());
    let changed = update_rows(&mut batch, changes, &token)?;
    let taking = moving().filter(|change| change.holds().1);
    let taking = taking.map(|change| change.stored.uuid.as_str());
    holds::take(&mut batch, &taking.collect::<Vec<_>>(), &token);
    let (mut counts, mut events, mut words, mut entries) = (vec![], vec![], vec![], vec![]);
    let (mut to_spam, mut from_spam) = (vec![], vec![]);
    for change in changes {
        let stored = &change.stored;
        let written = Written::alone(&stored.uuid, &token);
        counts.push(change.counted(written));
        for event in change.events(cx.now()) {
            events.push(timeline::row(written, &event));
        }
        let after = change.after();
        if change.data.is_some() {
            answer_names::add(&mut batch, written.uuid, &after);
        }
        let hashes = &change.address_hashes;
        words.push(search::row(
            dialect,
            &after,
            &change.status,
            written,
            hashes,
        ));
        match (stored.submission.is_spam, change.is_spam()) {
            (false, true) => to_spam.push(written.uuid),
            (true, false) => from_spam.push(written.uuid),
            _ => {}
        }
        if change.releases_actions() {
            entries.extend(queue::rows(written, &change.entries, cx.now()));
        }
    }
    stats::add_rows(&mut batch, counts, 0);
    timeline::add_rows(&mut batch, events);
    search::add_rows(&mut batch, words, 0);
    queue::withhold(&mut batch, &to_spam, &token);
    queue::resume(&mut batch, &from_spam, &token);
    queue::add_rows(&mut batch, entries, 0);
    let uuids: Vec<String> = batch.run().await?.rows(changed)?;
    let done = changes
        .iter()
        .map(|change| uuids.contains(&change.stored.uuid));
    Ok(done.collect())
}

/// Adds a statement that updates the rows which are unchanged since they were read, and returns their UUIDs.
fn update_rows(batch: &mut Batch, changes: &[Change], token: &str) -> Result<usize> {
    let now = batch.context.now();
    let mut rows = Vec::with_capacity(changes.len());
    for change in changes {
        let stored = &change.stored;
        let modified_at = stored.submission.modified_at;
        let data = change.data.as_ref();
        let former = match data {
            Some(_) => &change.address_hashes,
            None => &stored.former_addresses,
        };
        let text = data.map(|new| serde_json::to_string(&new.data));
        let counted = data.map(|new| serde_json::to_string(&new.counted));
        rows.push(json!([
            stored.uuid,
            modified_at,
            change.status,
            i64::from(change.is_spam()),
            i64::from(stored.actions_withheld && change.is_spam()),
            now.max(modified_at + 1),
            i64::from(change.starred),
            text.transpose()?,
            former.join(" "),
            counted.transpose()?,
            data.map(|new| new.schema_revision),
            (change.status == TRASH).then(|| stored.submission.trashed_at.unwrap_or(now)),
            data.map(|new| new.held.as_str()),
        ]));
    }
    let sql = format!(
        "UPDATE cf_submissions SET status = listed.value ->> 2, is_spam = CAST(listed.value ->> 3 AS BIGINT), \
           actions_withheld = CAST(listed.value ->> 4 AS BIGINT), change_token = CAST(?2 AS TEXT), \
           modified_at = CAST(listed.value ->> 5 AS BIGINT), starred = CAST(listed.value ->> 6 AS BIGINT), \
           data = COALESCE(listed.value ->> 7, cf_submissions.data), former_addresses = listed.value ->> 8, \
           counted = COALESCE(listed.value ->> 9, cf_submissions.counted), \
           schema_revision = COALESCE(CAST(listed.value ->> 10 AS BIGINT), cf_submissions.schema_revision), \
           trashed_at = CAST(listed.value ->> 11 AS BIGINT), \
           held = COALESCE(listed.value ->> 12, cf_submissions.held) \
         FROM {} WHERE cf_submissions.uuid = listed.value ->> 0 \
           AND cf_submissions.modified_at = CAST(listed.value ->> 1 AS BIGINT) RETURNING uuid",
        batch.dialect().listed_rows("?1")
    );
    let params = params![Value::from(rows).to_string(), token];
    Ok(batch.add(sql, params))
}

/// Limit on the submissions whose answers one step counts.
const COUNT_BATCH_SIZE: i64 = 200;

/// Reads one batch of submissions whose answers are not counted yet, since an older version of the engine stored them.
pub async fn uncounted(cx: &Context) -> Result<Vec<StoredSubmission>> {
    let condition = "s.counted = '' ORDER BY s.id LIMIT ?1";
    select_where(cx, condition, params![COUNT_BATCH_SIZE]).await
}

/// Counts the answers of [`uncounted`] submissions. Skips submissions that were changed or counted since they were
/// read.
pub async fn count_answers(
    cx: &Context,
    counted: &[(StoredSubmission, AnswerCounts)],
) -> Result<()> {
    let mut batch = Batch::new(cx);
    for (stored, counts) in counted {
        let token = crate::security::random::token(16)?;
        let uuid = &stored.uuid;
        batch.add(
            "UPDATE cf_submissions SET counted = ?3, change_token = ?4 \
             WHERE uuid = ?1 AND change_token = ?2 AND counted = ''",
            params![
                uuid,
                &stored.change_token,
                serde_json::to_string(counts)?,
                &token
            ],
        );
        let submission = &stored.submission;
        let counts = Count::answers(counts, submission.is_spam, 1);
        let written = Written::alone(uuid, &token);
        stats::add(
            &mut batch,
            submission.submitted_at,
            counts.collect(),
            written,
        );
    }
    batch.run().await.map(drop)
}

/// Adds a statement that locks submissions on PostgreSQL, always in the order of ids, so that batches cannot deadlock.
pub(in crate::store) fn lock(batch: &mut Batch, ids: &[i64]) {
    if batch.dialect() == Dialect::Postgres {
        let sql =
            "SELECT s.uuid FROM cf_submissions s WHERE s.id IN ({ids}) ORDER BY s.id FOR UPDATE";
        batch.add_of_ids(ids, sql);
    }
}

/// Deletes submissions in one batch, with their queue entries, logs, keys, index words and counts. The caller must
/// remove the files.
pub async fn delete(cx: &Context, submissions: &[StoredSubmission]) -> Result<()> {
    if submissions.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = submissions
        .iter()
        .map(|stored| stored.submission.id)
        .collect();
    let mut batch = Batch::new(cx);
    let token = mark_deleted(&mut batch, &ids)?;
    add_delete(&mut batch, &ids, &token);
    batch.run().await.map(drop)
}

/// Adds statements that lock submissions and mark them with a token, so that of two concurrent deletions only one
/// subtracts counts. Returns the token.
pub(in crate::store) fn mark_deleted(batch: &mut Batch, ids: &[i64]) -> Result<String> {
    lock(batch, ids);
    let token = crate::security::random::token(16)?;
    let mut bindings = Bindings::default();
    let listed = bindings.ids(batch.dialect(), ids.iter().copied());
    let place = bindings.bind(token.as_str());
    let sql = format!("UPDATE cf_submissions SET change_token = {place} WHERE id IN ({listed})");
    batch.add(sql, bindings.values());
    Ok(token)
}

/// Adds statements that delete submissions which the batch has marked.
pub(in crate::store) fn add_delete(batch: &mut Batch, ids: &[i64], token: &str) {
    stats::uncount(batch, ids, token);
    holds::release_deleted(batch, ids, token);
    search::delete(batch, ids);
    queue::delete_of_submissions(batch, ids);
    for sql in [
        "DELETE FROM cf_submission_events WHERE submission_id IN ({ids})",
        "DELETE FROM cf_submission_keys WHERE submission_uuid IN \
           (SELECT s.uuid FROM cf_submissions s WHERE s.id IN ({ids}))",
        "DELETE FROM cf_submissions WHERE id IN ({ids})",
    ] {
        batch.add_of_ids(ids, sql);
    }
    uploads::abandon(batch, ids);
}
