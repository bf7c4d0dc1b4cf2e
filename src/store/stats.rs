//! Counters: one table for every analytic. What is counted for a form is counted for the whole
//! site too, under form 0. Each counter is spread over shards, so that no row is hot.

use super::{Batch, Bindings, StoreError};

/// Over how many rows one counter is spread.
const SHARDS: u8 = 8;

/// A change of one counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Such as `status`, `submit`, `spam`.
    pub metric: &'static str,
    /// A UTC day, or empty for a running total.
    pub date: String,
    /// What the metric tells apart, or empty.
    pub label: String,
    /// By how much.
    pub by: i64,
}

impl Count {
    /// How many submissions have a status.
    pub(super) fn status(status: &str, by: i64) -> Count {
        Count {
            metric: "status",
            date: String::new(),
            label: status.to_owned(),
            by,
        }
    }

    /// What a UTC day brought: a submission, or spam.
    pub(super) fn arrival(is_spam: bool, date: &str, by: i64) -> Count {
        Count {
            metric: if is_spam { "spam" } else { "submit" },
            date: date.to_owned(),
            label: String::new(),
            by,
        }
    }
}

/// Adds what counts, on condition that the batch has written the submission: its `change_token` is
/// the given one.
pub(super) fn add(
    batch: &mut Batch<'_>,
    form_id: i64,
    counts: &[Count],
    submission_uuid: &str,
    change_token: &str,
) -> Result<(), StoreError> {
    let mut ordered: Vec<(i64, &Count)> = [0, form_id]
        .into_iter()
        .flat_map(|form| counts.iter().map(move |count| (form, count)))
        .collect();
    // All batches lock counters in one order, so that no two wait for each other.
    ordered.sort_by(|(form, count), (other_form, other)| {
        let key = (form, count.metric, &count.date, &count.label);
        key.cmp(&(other_form, other.metric, &other.date, &other.label))
    });
    let shard = i64::from(crate::random::byte()? % SHARDS);
    let mut bindings = Bindings::default();
    let rows: Vec<String> = ordered
        .into_iter()
        .map(|(form, count)| {
            format!(
                "({}, {}, {}, {}, {}, {})",
                bindings.integer(form),
                bindings.bind(count.metric),
                bindings.bind(count.date.as_str()),
                bindings.bind(count.label.as_str()),
                bindings.integer(shard),
                bindings.integer(count.by),
            )
        })
        .collect();
    let uuid = bindings.bind(submission_uuid);
    let token = bindings.bind(change_token);
    let sql = format!(
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT * FROM (VALUES {}) AS counted \
         WHERE EXISTS (SELECT 1 FROM cf_submissions WHERE uuid = {uuid} AND change_token = {token}) \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        rows.join(", ")
    );
    batch.add_composed(sql, bindings.values());
    Ok(())
}

/// Adds what takes a submission out of the count of its status, whatever that is by now, on
/// condition that the batch holds the row under the token.
pub(super) fn uncount_status(
    batch: &mut Batch<'_>,
    submission_uuid: &str,
    change_token: &str,
) -> Result<(), StoreError> {
    let shard = i64::from(crate::random::byte()? % SHARDS);
    batch.add(
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT scope.form_id, 'status', '', s.status, CAST(?3 AS BIGINT), -1 FROM cf_submissions s \
         JOIN (SELECT 0 AS form_id UNION ALL SELECT form_id FROM cf_submissions WHERE uuid = ?1) scope \
           ON scope.form_id IN (0, s.form_id) \
         WHERE s.uuid = ?1 AND s.change_token = ?2 AND s.status <> 'unsaved' \
         ORDER BY 1 \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        vec![submission_uuid.into(), change_token.into(), shard.into()],
    );
    Ok(())
}

/// Adds what takes a deleted form's submissions out of the site's counters. The form's own are
/// deleted with its other rows, after this.
pub(super) fn uncount_form(batch: &mut Batch<'_>, form_id: i64) {
    batch.add(
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
         SELECT 0, metric, date, label, 0, -SUM(count) FROM cf_stats \
         WHERE form_id = ?1 AND metric IN ('status', 'submit', 'spam') \
           AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1) \
         GROUP BY metric, date, label ORDER BY metric, date, label \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = cf_stats.count + excluded.count",
        vec![form_id.into()],
    );
}

/// Adds a read of how many submissions have each status, in a form or on the whole site.
pub(super) fn read_statuses(batch: &mut Batch<'_>, form_id: Option<i64>) -> usize {
    batch.add(
        "SELECT label, SUM(count) FROM cf_stats WHERE form_id = ?1 AND metric = 'status' AND date = '' \
         GROUP BY label",
        vec![form_id.unwrap_or(0).into()],
    )
}
