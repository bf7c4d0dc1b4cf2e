//! Counters: one table for all analytics. Most counts of a day are also added to a running total. Running totals for
//! the overview also exist for the whole site, as form 0.

use super::submission::Written;
use super::{Batch, Bindings, Composed, Dialect, composed};
use crate::task::SqlValue;
use model::Submission;
use model::analytics::answers::AnswerCounts;
use model::analytics::gathered::Key;
use model::analytics::metrics::{
    ABANDON, ANSWER, ANSWER_NAME, CAMPAIGN, COMPLETED, COMPLETION_TIME, LAST_SUBMISSION,
    MOBILE_START, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, START, SUBMIT, VIEW, VISITOR,
};
use model::analytics::{Arrival, Visit, is_mobile};
use model::dates;
use model::ordered;
use model::status::{SPAM as SPAM_STATUS, TRASH};
use model::values::list_of_lists;

/// The metric for submissions by status.
const STATUS: &str = "status";

/// The metric for starred submissions that are neither spam nor trash.
const STARRED: &str = "starred";

/// The metric for queue entries by state; see [`super::queue`].
pub(super) const QUEUE: &str = "action_queue";

/// The metrics that also have a running total of the whole site.
pub(super) const SITE: [&str; 9] = [
    ABANDON, COMPLETED, SPAM, STARRED, START, STATUS, SUBMIT, VIEW, VISITOR,
];

/// The metrics that can be recomputed from a submission's row.
pub(super) const SUBMITTED: [&str; 6] =
    [CAMPAIGN, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, SUBMIT];

/// The metrics that are counted only by day, without a running total.
const DAYS_ONLY: [&str; 3] = [COMPLETION_TIME, MOBILE_START, MOBILE_SUBMIT];

/// The metrics whose labels visitors choose. Beyond [`MAX_LABELS`], new labels are counted as [`REST`].
const OPEN: [&str; 2] = [CAMPAIGN, REFERRER];
/// Limit on the labels of such a metric in a form.
const MAX_LABELS: usize = 1_000;
pub(super) const REST: &str = "other";

/// The condition that selects the counters of the form `?1`, unless the form is in the trash. For the site (0), it
/// selects the site's counters and the counters of trashed forms, which [`COUNT`] subtracts.
pub(super) const OF_SCOPE: &str = "form_id IN (SELECT CAST(?1 AS BIGINT) AS id WHERE NOT EXISTS \
    (SELECT 1 FROM cf_forms t WHERE t.id = ?1 AND t.trashed_at > 0) \
    UNION ALL SELECT t.id FROM cf_forms t WHERE t.trashed_at > 0 AND CAST(?1 AS BIGINT) = 0)";

/// The sum of the counters that [`OF_SCOPE`] selects.
pub(super) const COUNT: &str =
    "CAST(SUM(CASE WHEN form_id = CAST(?1 AS BIGINT) THEN count ELSE -count END) AS BIGINT)";

/// Adds a statement that upserts counters from the rows of a query: form, metric, date, label, shard and count.
pub(super) fn add_query(batch: &mut Batch, query: &str, params: Vec<SqlValue>) {
    batch.add(statement(query), params);
}

/// The statement that upserts the rows of a query. Counts are added to existing counters; a `last_submission` counter
/// keeps the maximum.
fn statement(query: &str) -> String {
    format!(
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) {query} \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = CASE \
           WHEN cf_stats.metric <> '{LAST_SUBMISSION}' THEN cf_stats.count + excluded.count \
           WHEN cf_stats.count < excluded.count THEN excluded.count ELSE cf_stats.count END"
    )
}

/// Limit on the counters that one statement changes.
const MAX_ROWS: usize = 1_000;

/// A change of the counters of one metric and label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count<'c> {
    /// One of `analytics::metrics`, or [`STATUS`], [`STARRED`] or [`QUEUE`].
    metric: &'static str,
    /// The label within the metric, or empty.
    label: &'c str,
    /// The increase of the counters; below 0 for a decrease.
    by: i64,
    /// Whether the change also affects the counter of a UTC day.
    is_of_day: bool,
}

/// The bits of [`Count::counters`]: the form's running total, the form's count of the day, the site's running total.
const OF_FORM: i64 = 1;
const OF_DAY: i64 = 2;
const OF_SITE: i64 = 4;

impl<'c> Count<'c> {
    pub(super) fn of(metric: &'static str, label: &'c str, by: i64, is_of_day: bool) -> Count<'c> {
        Count {
            metric,
            label,
            by,
            is_of_day,
        }
    }

    /// A change of the number of submissions with a status.
    pub(super) fn status(status: &'c str, by: i64) -> Count<'c> {
        Count::of(STATUS, status, by, false)
    }

    /// A change of the number of starred submissions; `None` if the submission is not counted because it is not
    /// starred, or is spam or trash.
    pub(super) fn starred(starred: bool, status: &str, by: i64) -> Option<Count<'c>> {
        let is_counted = starred && ![SPAM_STATUS, TRASH].contains(&status);
        is_counted.then(|| Count::of(STARRED, "", by, false))
    }

    /// A change of the number of queue entries that have not failed yet.
    pub(super) fn new_entries(by: usize) -> Count<'c> {
        let by = i64::try_from(by).unwrap_or(i64::MAX);
        Count::of(QUEUE, "pending", by, false)
    }

    /// The changes of the day's counters and the running totals for a new submission.
    pub(super) fn arrival(arrival: &'c Arrival, submitted_at: i64, by: i64) -> Vec<Count<'c>> {
        let mut counts = Vec::with_capacity(16);
        for (metric, label) in &arrival.0 {
            counts.push(Count::of(metric, label, by, true));
            if *metric == SUBMIT && by > 0 {
                counts.push(Count::of(LAST_SUBMISSION, "", submitted_at, false));
            }
        }
        counts
    }

    /// The changes of counters for the visit of a new submission.
    pub(super) fn visit(visit: Visit, submission: &Submission) -> Vec<Count<'c>> {
        let mut counts = Vec::new();
        if visit != Visit::NotStarted && !submission.is_spam {
            counts.push(Count::of(COMPLETED, "", 1, true));
        }
        if visit == Visit::StartMissed {
            counts.push(Count::of(START, "", 1, true));
            if is_mobile(&submission.user_agent) {
                counts.push(Count::of(MOBILE_START, "", 1, true));
            }
        }
        counts
    }

    /// The changes of counters for a submission's answers. For spam, only the names of answers are counted.
    pub(super) fn answers(
        counts: &'c AnswerCounts,
        is_spam: bool,
        sign: i64,
    ) -> impl Iterator<Item = Count<'c>> {
        let counts = counts.iter().map(move |(metric, label, by)| {
            let is_name = metric == ANSWER_NAME;
            let metric = if is_name { ANSWER_NAME } else { ANSWER };
            Count::of(metric, label, sign * by, false)
        });
        counts.filter(move |count| count.metric == ANSWER_NAME || !is_spam)
    }

    /// The changes of all affected counters.
    fn changes(&self, form_id: i64, day: &str) -> Vec<Change> {
        let change = |scope, date: &str| {
            let (date, label) = (date.to_owned(), self.label.to_owned());
            (scope, self.metric, date, label, self.by, form_id)
        };
        let all = [
            (OF_SITE, 0, ""),
            (OF_FORM, form_id, ""),
            (OF_DAY, form_id, day),
        ];
        let moved = all
            .iter()
            .filter(|counter| self.counters() & counter.0 != 0);
        moved.map(|(_, scope, date)| change(*scope, date)).collect()
    }

    /// The affected counters, as a sum of their bits.
    fn counters(&self) -> i64 {
        let is_of_site = SITE.contains(&self.metric) || self.metric == QUEUE;
        i64::from(!DAYS_ONLY.contains(&self.metric)) * OF_FORM
            + i64::from(self.is_of_day) * OF_DAY
            + i64::from(is_of_site) * OF_SITE
    }
}

/// The shard that deletions of queue entries, logs and forms subtract from, so that they never wait for a submit.
pub(super) const DELETED: i64 = -1;

/// The SQL for the shard that a batch adds to. PostgreSQL's writers wait for each other's rows, so connections are
/// spread over eight shards. SQLite has only one writer.
fn shard(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "CAST(0 AS BIGINT)",
        Dialect::Postgres => "CAST(pg_backend_pid() % 8 AS BIGINT)",
    }
}

/// Adds a statement that changes counters if the batch has written the submission. Batches that share the statement add
/// equal changes in one write.
pub(super) fn add(batch: &mut Batch, moment: i64, counts: Vec<Count<'_>>, written: Written<'_>) {
    let row = row(moment, counts, written);
    add_rows(batch, vec![row], written.gathered);
}

/// Builds the row of [`add_rows`] for a submission that was submitted at `moment`.
pub(super) fn row(moment: i64, mut counts: Vec<Count<'_>>, written: Written<'_>) -> String {
    if counts.iter().any(|count| count.by < 0) {
        counts = merged(counts);
    }
    let is_last = |count: &&Count<'_>| count.metric == LAST_SUBMISSION;
    let last = counts.iter().find(is_last).map_or(0, |count| count.by);
    let listed = list_of_lists(counts.iter().map(|count| {
        let by = if is_last(&count) { 0 } else { count.by };
        items![count.metric, count.label, by, count.counters()]
    }));
    let day = dates::day_of(moment);
    row![written.uuid, written.change_token, &listed, last, &day]
}

/// Merges changes of the same counter, and drops changes of 0.
fn merged(mut counts: Vec<Count<'_>>) -> Vec<Count<'_>> {
    fn key<'c>(count: &Count<'c>) -> (&'static str, &'c str, bool) {
        (count.metric, count.label, count.is_of_day)
    }
    ordered::sort_by(&mut counts, |one, other| key(one).cmp(&key(other)));
    counts.dedup_by(|count, kept| {
        let is_same = key(count) == key(kept);
        if is_same {
            kept.by += count.by;
        }
        is_same
    });
    counts.retain(|count| count.by != 0);
    counts
}

/// Adds a statement that changes counters for the submissions that the batch has written.
pub(super) fn add_rows(batch: &mut Batch, rows: Vec<String>, gathered: i8) {
    static SQL: Composed = Composed::new(|| {
        composed(|dialect| {
            let changes = format!(
                "(SELECT CASE WHEN counter.flag = {OF_SITE} THEN 0 ELSE merged.form_id END AS form_id, listed.value ->> 0 AS metric, \
               CASE WHEN counter.flag = {OF_DAY} THEN merged.day ELSE '' END AS date, listed.value ->> 1 AS label, \
               CAST(listed.value ->> 2 AS BIGINT) AS count, merged.form_id AS owner, merged.times, merged.last \
             FROM (SELECT s.form_id, listed.value ->> 2 AS counts, listed.value ->> 4 AS day, COUNT(*) AS times, \
               MAX(CAST(listed.value ->> 3 AS BIGINT)) AS last FROM {} CROSS JOIN cf_submissions s \
               WHERE s.uuid = listed.value ->> 0 AND s.change_token = listed.value ->> 1 GROUP BY 1, 2, 3) AS merged \
             CROSS JOIN {} CROSS JOIN (SELECT {OF_FORM} AS flag UNION ALL SELECT {OF_DAY} UNION ALL SELECT {OF_SITE}) counter \
             WHERE CAST(listed.value ->> 3 AS BIGINT) & counter.flag <> 0)",
                dialect.listed_rows("?1"),
                dialect.listed_rows("merged.counts"),
            );
            statement(&format!(
                "SELECT form_id, metric, date, label, shard, CAST(CASE WHEN metric = '{LAST_SUBMISSION}' THEN MAX(last) \
               ELSE SUM(count * times) END AS BIGINT) FROM {} \
             WHERE 1 = 1 GROUP BY form_id, metric, date, label, shard ORDER BY form_id, metric, date, label",
                counted(&changes, dialect, ", changes.times, changes.last"),
            ))
        })
    });
    let sql = batch.dialect().choose(&SQL);
    batch.add_rows(sql, rows, gathered);
}

/// Adds statements that add counts by key, such as those of browser events, for the forms that still exist.
pub(super) fn add_gathered<'k>(
    batch: &mut Batch,
    gathered: impl IntoIterator<Item = (&'k Key, &'k i64)>,
) {
    let mut counts: Vec<Change> = Vec::new();
    for (key, by) in gathered {
        let count = Count::of(key.metric, &key.label, *by, true);
        counts.extend(count.changes(key.form_id, &key.date));
    }
    ordered::sort_by(&mut counts, Ord::cmp);
    for chunk in counts.chunks(MAX_ROWS) {
        let mut bindings = Bindings::default();
        let counted = counted_of(batch.dialect(), &mut bindings, chunk);
        let query = format!(
            "SELECT form_id, metric, date, label, shard, CAST(SUM(count) AS BIGINT) FROM {counted} \
             WHERE EXISTS (SELECT 1 FROM cf_forms f WHERE f.id = counted.owner) \
             GROUP BY form_id, metric, date, label, shard ORDER BY form_id, metric, date, label"
        );
        add_query(batch, &query, bindings.values());
    }
}

/// Adds a statement that raises a form's visitors of a day, if the batch has written the day's sketch with the token.
pub(super) fn add_visitors(
    batch: &mut Batch,
    form_id: i64,
    day: &str,
    by: i64,
    change_token: &str,
) {
    let counts = Count::of(VISITOR, "", by, true).changes(form_id, day);
    let mut bindings = Bindings::default();
    let counted = counted_of(batch.dialect(), &mut bindings, &counts);
    let (form, date) = (bindings.bind(form_id), bindings.bind(day));
    let token = bindings.bind(change_token);
    let query = format!(
        "SELECT form_id, metric, date, label, shard, count FROM {counted} WHERE EXISTS (SELECT 1 FROM cf_visitors \
           WHERE form_id = {form} AND date = {date} AND change_token = {token})"
    );
    add_query(batch, &query, bindings.values());
}

/// A change of a counter: the counter's form (0 for the site), metric, date and label, the amount, and the form that
/// causes the change. All batches lock counters in this order, so that they cannot deadlock.
type Change = (i64, &'static str, String, String, i64, i64);

/// The columns of a [`Change`] in a JSON list.
const CHANGE: &str = "CAST(listed.value ->> 0 AS BIGINT) AS form_id, listed.value ->> 1 AS metric, \
    listed.value ->> 2 AS date, listed.value ->> 3 AS label, CAST(listed.value ->> 4 AS BIGINT) AS count, \
    CAST(listed.value ->> 5 AS BIGINT) AS owner";

/// The FROM source `counted` with changes that are passed as one parameter.
fn counted_of(dialect: Dialect, bindings: &mut Bindings, counts: &[Change]) -> String {
    let listed = serde_json::to_string(counts).unwrap_or_default();
    let rows = dialect.listed_rows(&bindings.bind(listed));
    counted(&format!("(SELECT {CHANGE} FROM {rows})"), dialect, "")
}

/// The FROM source `counted` with the rows of `changes` and further columns. A label that visitors choose stays if it
/// is known or among the first [`MAX_LABELS`]; otherwise it becomes [`REST`].
fn counted(changes: &str, dialect: Dialect, further: &str) -> String {
    let shard = shard(dialect);
    let open = OPEN.map(|metric| format!("'{metric}'")).join(", ");
    let known = "SELECT 1 FROM cf_stats k WHERE k.form_id = changes.form_id AND k.metric = changes.metric AND k.date = ''";
    format!(
        "(SELECT changes.form_id, changes.metric, changes.date, CASE WHEN changes.metric NOT IN ({open}) \
           OR EXISTS ({known} AND k.label = changes.label) \
           OR (SELECT COUNT(*) FROM ({known} LIMIT {MAX_LABELS}) AS labels) < {MAX_LABELS} \
           THEN changes.label ELSE '{REST}' END AS label, {shard} AS shard, changes.count, changes.owner{further} \
         FROM {changes} AS changes) AS counted"
    )
}

/// Adds a statement that subtracts submissions from the counts of their statuses, stars and answers, if the batch has
/// marked their rows with the token.
pub(super) fn uncount(batch: &mut Batch, submission_ids: &[i64], change_token: &str) {
    let shard = shard(batch.dialect());
    let counted = "CASE WHEN s.counted = '' THEN '[]' ELSE s.counted END";
    let listed = batch.dialect().listed_rows(counted);
    let mut bindings = Bindings::default();
    let ids = bindings.ids(batch.dialect(), submission_ids.iter().copied());
    let token = bindings.bind(change_token);
    let query = format!(
        "SELECT form_id, metric, '', label, {shard}, CAST(SUM(by) AS BIGINT) FROM (\
           SELECT CASE WHEN scope.site = 1 THEN 0 ELSE s.form_id END AS form_id, 'status' AS metric, s.status AS label, -1 AS by \
           FROM cf_submissions s CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
           WHERE s.id IN ({ids}) AND s.change_token = {token} AND s.status <> 'unsaved' \
           UNION ALL SELECT CASE WHEN scope.site = 1 THEN 0 ELSE s.form_id END, '{STARRED}', '', -1 \
           FROM cf_submissions s CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
           WHERE s.id IN ({ids}) AND s.change_token = {token} AND s.starred = 1 AND s.status NOT IN ('spam', 'trash', 'unsaved') \
           UNION ALL SELECT s.form_id, listed.value ->> 0, listed.value ->> 1, -CAST(listed.value ->> 2 AS BIGINT) \
           FROM cf_submissions s CROSS JOIN {listed} WHERE s.id IN ({ids}) AND s.change_token = {token} \
             AND (s.is_spam = 0 OR listed.value ->> 0 = '{ANSWER_NAME}')) gone \
         GROUP BY form_id, metric, label ORDER BY form_id, metric, label"
    );
    add_query(batch, &query, bindings.values());
}

/// Adds a statement that subtracts a deleted form from the site's counters. The form's counters are deleted afterwards
/// with its other rows.
pub(super) fn uncount_form(batch: &mut Batch, form_id: i64) {
    let site = SITE.map(|metric| format!("'{metric}'")).join(", ");
    let query = format!(
        "SELECT 0, metric, date, label, {DELETED}, -CAST(SUM(count) AS BIGINT) FROM cf_stats \
         WHERE form_id = ?1 AND metric IN ({site}, '{QUEUE}', 'action_log', 'action_log_hour') \
           AND (date = '' OR metric = 'action_log_hour') AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1) \
         GROUP BY metric, date, label ORDER BY metric, date, label"
    );
    add_query(batch, &query, params![form_id]);
}

/// Adds a statement that reads the numbers of submissions by status, of a form or of the whole site.
pub(super) fn read_statuses(batch: &mut Batch, form_id: Option<i64>) -> usize {
    batch.add(
        format!(
            "SELECT label, {COUNT} FROM cf_stats WHERE {OF_SCOPE} AND metric = 'status' AND date = '' GROUP BY label"
        ),
        params![form_id.unwrap_or(0)],
    )
}

/// Adds a statement that reads the numbers of submissions by status, and of starred submissions, of a form or of the
/// whole site.
pub(super) fn read_views(batch: &mut Batch, form_id: Option<i64>) -> usize {
    batch.add(
        format!(
            "SELECT metric, label, {COUNT} FROM cf_stats WHERE {OF_SCOPE} \
             AND metric IN ('{STATUS}', '{STARRED}') AND date = '' GROUP BY metric, label"
        ),
        params![form_id.unwrap_or(0)],
    )
}
