//! The action queue's rows. An entry is written in the batch that stores its submission, so that
//! neither exists without the other.

use super::Batch;

/// An action that is to run for a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The action's type.
    pub action_type: String,
    /// Its place in the form's list of actions.
    pub action_index: i64,
    /// Its settings as JSON text, secrets as the form keeps them.
    pub settings: String,
    /// Lower runs first; 10 unless the action says otherwise.
    pub priority: i64,
}

/// How often a failed action is tried again, unless the entry says otherwise.
const MAX_RETRIES: i64 = 3;

/// Adds the entries of a submission to the batch that inserts it, or that takes it out of spam.
///
/// Nothing is added for a submission that was not stored, or that is taken for spam. A submission
/// and an action's place make the entry's idempotency key, so that a submission runs each of its
/// actions once, however often it leaves spam.
pub(crate) fn add_entries(
    batch: &mut Batch<'_>,
    submission_uuid: &str,
    form_id: i64,
    entries: &[NewEntry],
    now: i64,
) {
    for entry in entries {
        batch.add(
            "INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, \
               priority, attempts, abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, \
               scheduled_at, created_at) \
             SELECT CAST(?2 AS BIGINT), s.id, ?3, CAST(?4 AS BIGINT), ?5, 'pending', CAST(?6 AS BIGINT), 0, 0, \
               CAST(?7 AS BIGINT), '', ?8, ?9, '', CAST(?10 AS BIGINT), CAST(?10 AS BIGINT), CAST(?10 AS BIGINT) \
             FROM cf_submissions s WHERE s.uuid = ?1 AND s.is_spam = 0 \
             ON CONFLICT (idempotency_key) DO NOTHING",
            vec![
                submission_uuid.into(),
                form_id.into(),
                entry.action_type.as_str().into(),
                entry.action_index.into(),
                entry.settings.as_str().into(),
                entry.priority.into(),
                MAX_RETRIES.into(),
                format!("{submission_uuid}-{}", entry.action_index).into(),
                format!("{form_id}:{}", entry.action_index).into(),
                now.into(),
            ],
        );
    }
}

/// Adds to a batch what takes a submission's entries and logs away, and their counts with them.
pub(crate) fn delete_of_submission(batch: &mut Batch<'_>, submission_id: i64) {
    for sql in [
        // What is counted by form is counted for the site too, under form 0.
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT scope.form_id, 'action_log', '', counted.label, 0, -counted.logs FROM ( \
           SELECT form_id, action_type || ':' || status AS label, COUNT(*) AS logs \
           FROM cf_action_logs WHERE submission_id = ?1 GROUP BY form_id, action_type, status) counted \
         JOIN (SELECT 0 AS form_id UNION SELECT form_id FROM cf_action_logs WHERE submission_id = ?1) scope \
           ON scope.form_id IN (0, counted.form_id) \
         WHERE true \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT scope.form_id, 'action_queue', '', counted.status, 0, -counted.entries FROM ( \
           SELECT form_id, status, COUNT(*) AS entries FROM cf_action_queue \
           WHERE submission_id = ?1 AND status IN ('completed', 'failed') GROUP BY form_id, status) counted \
         JOIN (SELECT 0 AS form_id UNION SELECT form_id FROM cf_action_queue WHERE submission_id = ?1) scope \
           ON scope.form_id IN (0, counted.form_id) \
         WHERE true \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        "DELETE FROM cf_action_logs WHERE submission_id = ?1",
        "DELETE FROM cf_action_queue WHERE submission_id = ?1",
    ] {
        batch.add(sql, vec![submission_id.into()]);
    }
}

/// Adds to a batch what takes a form's entries and logs away. The form's own counters are taken
/// away with all others of the form; here they leave the site's sums, so call this first.
pub(crate) fn delete_of_form(batch: &mut Batch<'_>, form_id: i64) {
    for sql in [
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT 0, metric, date, label, 0, -SUM(count) FROM cf_stats \
         WHERE form_id = ?1 AND metric IN ('action_log', 'action_log_hour', 'action_queue') \
         GROUP BY metric, date, label \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        "DELETE FROM cf_action_logs WHERE form_id = ?1",
        "DELETE FROM cf_action_queue WHERE form_id = ?1",
    ] {
        batch.add(sql, vec![form_id.into()]);
    }
}
