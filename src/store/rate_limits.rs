//! Gates: a submission is stored only when it passes all of its form's.
//!
//! A gate is a row of `cf_rate_limits`. The batch that inserts a submission first locks the rows
//! of its gates by writing them, so that on PostgreSQL, where each statement sees what others have
//! committed meanwhile, the insert that follows counts on numbers that nobody else can change.

use super::row::IntegerText;
use super::{Batch, Bindings, Result, Results};
use crate::task::Context;
use model::dates::{DAY_MS, HOUR_MS};

/// How much later than now a window may begin: what runs side by side is not of one moment. One that
/// begins later is over: a clock that was ahead began it.
const AHEAD_MS: i64 = 60_000;

/// The bucket of a form's gate on the number of its submissions. Its own count is not used.
const TOTAL: &str = "total";

/// Why a gate refuses a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The form has as many submissions as it takes.
    LimitReached,
    /// The address has sent the form too often.
    RateLimited {
        /// After how many milliseconds it may try again.
        retry_after_ms: i64,
    },
    /// The address has sent the same answers before.
    Duplicate,
}

/// A condition on storing a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The form takes so many submissions, spam and trash not counted.
    Total {
        /// How many.
        limit: i64,
        /// Whether the form keeps its submissions. If not, all that were ever sent count.
        saved: bool,
    },
    /// The same answers come from an address once a day.
    Duplicate {
        /// A keyed hash of the address and the answers.
        hash: String,
    },
    /// An address sends so many in an hour, counted from its first.
    Rate {
        /// How many.
        limit: i64,
        /// A keyed hash of the address.
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

    /// Whether it counts all of the form's submissions.
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

    /// Adds what locks the gate's row, and begins a new window where the last one is over. A form
    /// that is gone gets no rows. Batches that share it lock in one order.
    pub(super) fn lock(&self, batch: &mut Batch, form_id: i64, gathered: i8) {
        let now = batch.context.now();
        let begin = format!(
            "excluded.window_start - {} AND excluded.window_start + {AHEAD_MS}",
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

    /// The SQL condition that the gate is open. Holds only inside the batch that locked it.
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

    /// Adds a look at the gate: whether it is open, and since when its window counts.
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

    /// The refusal of a gate that was read, if it is closed. A window that is over refuses nothing.
    fn verdict(&self, open: bool, window_start: i64, now: i64) -> Option<Refusal> {
        let left = window_start + self.window_ms() - now;
        let counts = left > 0 && left <= self.window_ms() + AHEAD_MS;
        match self {
            Gate::Total { .. } => (!open).then_some(Refusal::LimitReached),
            Gate::Duplicate { .. } => (!open && counts).then_some(Refusal::Duplicate),
            Gate::Rate { .. } => (!open && counts).then_some(Refusal::RateLimited {
                retry_after_ms: left,
            }),
        }
    }

    /// Adds what counts a submission, once it is stored.
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

/// Adds `by` to the hourly count of each bucket of a form (0: of the site), where an hour begins with
/// its first; returns the counts. Two batches that count the same buckets name them in the same order.
pub(crate) async fn count(cx: &Context, buckets: &[(i64, String)], by: i64) -> Result<Vec<i64>> {
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
            let (begin, end) = (now - HOUR_MS + 1, now + AHEAD_MS);
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

/// Adds a read of each gate of a form.
pub(super) fn add_looks(batch: &mut Batch, gates: &[Gate], form_id: i64) -> Vec<usize> {
    let looks = gates.iter().map(|gate| gate.look(batch, form_id));
    looks.collect()
}

/// The first refusal among the gates that were read.
pub(super) fn refusal(
    gates: &[Gate],
    looks: &[usize],
    results: &mut Results,
    now: i64,
) -> Result<Option<Refusal>> {
    for (gate, place) in gates.iter().zip(looks) {
        let look: Option<(bool, IntegerText)> = results.first(*place)?;
        let refusal = look.and_then(|(open, start)| gate.verdict(open, start.0, now));
        if refusal.is_some() {
            return Ok(refusal);
        }
    }
    Ok(None)
}
