//! Gates: a submission is stored only if it passes all gates of its form.
//!
//! A gate is a row of `cf_rate_limits`. The batch that inserts a submission first locks the rows of its gates by
//! writing them. On PostgreSQL, each statement sees newly committed rows, so the locks must keep the counts unchanged
//! until the insert.

use super::row::IntegerText;
use super::{Batch, Bindings, Result, Results};
use crate::task::Context;
use model::dates::{DAY_MS, HOUR_MS};

/// Limit on how far in the future a window may begin. A window that begins later came from a skewed clock and counts as
/// expired.
const MAX_CLOCK_SKEW_MS: i64 = 60_000;

/// The bucket of the gate on the number of a form's submissions. The row only serves as a lock; its count is not used.
const TOTAL: &str = "total";

/// The reason why a gate rejects a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateRejection {
    /// The form has reached its limit of submissions.
    LimitReached,
    /// The IP address has sent the form too often.
    RateLimited {
        /// Milliseconds until the IP address may try again.
        retry_after_ms: i64,
    },
    /// The IP address has sent the same answers before.
    Duplicate,
}

/// A condition on storing a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// A limit on the form's submissions, spam and trash not counted.
    Total {
        /// The limit.
        limit: i64,
        /// Whether the form keeps its submissions. Otherwise the limit counts all submissions ever accepted.
        saved: bool,
    },
    /// An IP address may send the same answers once a day.
    Duplicate {
        /// A keyed hash of the IP address and the answers.
        hash: String,
    },
    /// A limit on the submissions from an IP address within an hour, which begins with the first.
    Rate {
        /// The limit.
        limit: i64,
        /// A keyed hash of the IP address.
        hash: String,
    },
}

impl Gate {
    fn bucket(&self) -> String {
        match self {
            Gate::Total { .. } => TOTAL.to_owned(),
            Gate::Duplicate { hash } => format!("duplicate:{hash}"),
            Gate::Rate { hash, .. } => format!("rate:{hash}"),
        }
    }

    /// Whether the gate counts all of the form's submissions.
    pub(super) fn counts_all(&self) -> bool {
        matches!(self, Gate::Total { .. })
    }

    fn limit(&self) -> i64 {
        match self {
            Gate::Total { limit, .. } | Gate::Rate { limit, .. } => *limit,
            Gate::Duplicate { .. } => 1,
        }
    }

    fn window_ms(&self) -> i64 {
        match self {
            Gate::Rate { .. } => HOUR_MS,
            Gate::Total { .. } | Gate::Duplicate { .. } => DAY_MS,
        }
    }

    /// Adds a statement that locks the gate's row, and begins a new window if the last one has expired. A deleted form
    /// gets no rows. Batches that share the statement lock rows in the same order.
    pub(super) fn lock(&self, batch: &mut Batch, form_id: i64, gathered: i8) {
        let now = batch.context.now();
        let begin = format!(
            "excluded.window_start - {} AND excluded.window_start + {MAX_CLOCK_SKEW_MS}",
            self.window_ms() - 1
        );
        let sql = format!(
            "INSERT INTO cf_rate_limits (form_id, bucket, window_start, count) \
             SELECT f.id, listed.value ->> 1, MAX(CAST(listed.value ->> 2 AS BIGINT)), 0 \
             FROM {} JOIN cf_forms f ON f.id = CAST(listed.value ->> 0 AS BIGINT) GROUP BY 1, 2 ORDER BY 1, 2 \
             ON CONFLICT (form_id, bucket) DO UPDATE SET \
               count = CASE WHEN cf_rate_limits.window_start BETWEEN {begin} THEN cf_rate_limits.count ELSE 0 END, \
               window_start = CASE WHEN cf_rate_limits.window_start BETWEEN {begin} THEN cf_rate_limits.window_start \
                 ELSE excluded.window_start END",
            batch.dialect().listed_rows("?1"),
        );
        let row = row![form_id, &self.bucket(), now];
        batch.add_rows(sql.into(), vec![row], gathered);
    }

    /// The SQL condition that the gate is open. It is reliable only in the batch that has locked the gate.
    pub(super) fn is_open(&self, bindings: &mut Bindings, form_id: i64) -> String {
        let form = bindings.bind(form_id);
        let limit = bindings.integer(self.limit());
        let used = match self {
            Gate::Total { saved: true, .. } => format!(
                "(SELECT COALESCE(SUM(count), 0) FROM cf_stats WHERE form_id = {form} \
                 AND metric = 'status' AND date = '' AND label NOT IN ('spam', 'trash'))"
            ),
            Gate::Total { saved: false, .. } => format!(
                "(SELECT COALESCE(SUM(count), 0) FROM cf_stats WHERE form_id = {form} \
                 AND metric = 'submit' AND date = '')"
            ),
            Gate::Duplicate { .. } | Gate::Rate { .. } => format!(
                "(SELECT COALESCE(MAX(count), 0) FROM cf_rate_limits WHERE form_id = {form} AND bucket = {})",
                bindings.bind(self.bucket())
            ),
        };
        format!("{used} < {limit}")
    }

    /// Adds a statement that reads whether the gate is open, and the start of its window.
    fn look(&self, batch: &mut Batch, form_id: i64) -> usize {
        let mut bindings = Bindings::default();
        let open = self.is_open(&mut bindings, form_id);
        let form = bindings.bind(form_id);
        let bucket = bindings.bind(self.bucket());
        let sql = format!(
            "SELECT CASE WHEN {open} THEN 1 ELSE 0 END AS is_open, CAST(COALESCE((SELECT window_start \
             FROM cf_rate_limits WHERE form_id = {form} AND bucket = {bucket}), 0) AS TEXT) AS window_start"
        );
        batch.add(sql, bindings.values())
    }

    /// The rejection if the gate is closed. A gate whose window has expired rejects nothing.
    fn verdict(&self, open: bool, window_start: i64, now: i64) -> Option<GateRejection> {
        let left = window_start + self.window_ms() - now;
        let counts = left > 0 && left <= self.window_ms() + MAX_CLOCK_SKEW_MS;
        match self {
            Gate::Total { .. } => (!open).then_some(GateRejection::LimitReached),
            Gate::Duplicate { .. } => (!open && counts).then_some(GateRejection::Duplicate),
            Gate::Rate { .. } => (!open && counts).then_some(GateRejection::RateLimited {
                retry_after_ms: left,
            }),
        }
    }

    /// Adds a statement that counts a submission if the batch stores it.
    pub(super) fn count(&self, batch: &mut Batch, form_id: i64, submission_uuid: &str) {
        if self.counts_all() {
            return;
        }
        batch.add(
            "UPDATE cf_rate_limits SET count = count + 1 WHERE form_id = ?1 AND bucket = ?2 \
             AND EXISTS (SELECT 1 FROM cf_submissions WHERE uuid = ?3)",
            params![form_id, self.bucket(), submission_uuid],
        );
    }
}

/// Adds `by` to the hourly count of each bucket, and returns the new counts. A bucket is a form's id (0 for the site)
/// and a name. An hour begins with its first event. Callers must pass the same buckets in the same order, so that
/// batches cannot deadlock.
pub(crate) async fn count(cx: &Context, buckets: &[(i64, String)], by: i64) -> Result<Vec<i64>> {
    count_within(cx, buckets, by, HOUR_MS).await
}

/// Counts like [`count`], in a window of another length of at most a day.
pub(crate) async fn count_within(
    cx: &Context,
    buckets: &[(i64, String)],
    by: i64,
    window_ms: i64,
) -> Result<Vec<i64>> {
    const CURRENT: &str = "cf_rate_limits.window_start BETWEEN ?5 AND ?6";
    let now = cx.now();
    let mut batch = Batch::new(cx);
    let places: Vec<usize> = buckets
        .iter()
        .map(|(form_id, bucket)| {
            let sql = format!(
                "INSERT INTO cf_rate_limits (form_id, bucket, window_start, count) \
                 VALUES (?1, ?2, CAST(?3 AS BIGINT), CAST(?4 AS BIGINT)) ON CONFLICT (form_id, bucket) DO UPDATE SET \
                   count = CASE WHEN {CURRENT} THEN cf_rate_limits.count + excluded.count ELSE excluded.count END, \
                   window_start = CASE WHEN {CURRENT} THEN cf_rate_limits.window_start ELSE excluded.window_start END \
                 RETURNING count"
            );
            let (begin, end) = (now - window_ms + 1, now + MAX_CLOCK_SKEW_MS);
            let values = params![*form_id, bucket, now, by, begin, end];
            batch.add(sql, values)
        })
        .collect();
    let mut results = batch.run().await?;
    let counts = places
        .into_iter()
        .filter_map(|place| results.first(place).transpose());
    counts.collect()
}

/// Adds a statement that reads each gate of a form.
pub(super) fn add_looks(batch: &mut Batch, gates: &[Gate], form_id: i64) -> Vec<usize> {
    let looks = gates.iter().map(|gate| gate.look(batch, form_id));
    looks.collect()
}

/// Returns the first rejection by one of the gates, from the results of [`add_looks`].
pub(super) fn rejection(
    gates: &[Gate],
    looks: &[usize],
    results: &mut Results,
    now: i64,
) -> Result<Option<GateRejection>> {
    for (gate, place) in gates.iter().zip(looks) {
        let look: Option<(bool, IntegerText)> = results.first(*place)?;
        let rejection = look.and_then(|(open, start)| gate.verdict(open, start.0, now));
        if rejection.is_some() {
            return Ok(rejection);
        }
    }
    Ok(None)
}
