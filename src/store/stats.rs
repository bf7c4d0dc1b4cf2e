//! Counters: one table for every analytic. What is counted of a day is counted in a running total
//! too; the running totals that the overview shows are counted for the whole site as well, under
//! form 0.

use super::submissions::Written;
use super::{Batch, Bindings, Dialect};
use crate::task::SqlValue;
use model::analytics::Arrival;
use model::analytics::answers::AnswerCounts;
use model::analytics::gathered::Key;
use model::analytics::metrics::{
    ABANDON, ANSWER, ANSWER_NAME, CAMPAIGN, COMPLETION_TIME, LAST_SUBMISSION, MOBILE_START,
    MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, START, SUBMIT, VIEW, VISITOR,
};
use model::dates;
use model::ordered;
use serde_json::Value;

/// How many submissions have a status.
const STATUS: &str = "status";

/// How many entries of each kind the action queue has; see [`super::queue`].
pub(super) const QUEUE: &str = "action_queue";

/// The metrics that also have a running total of the whole site.
pub(super) const SITE: [&str; 7] = [ABANDON, SPAM, START, STATUS, SUBMIT, VIEW, VISITOR];

/// The metrics of a submission that can be read from its row.
pub(super) const SUBMITTED: [&str; 6] =
    [CAMPAIGN, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, SUBMIT];

/// The metrics that are counted by day only.
const DAYS_ONLY: [&str; 3] = [COMPLETION_TIME, MOBILE_START, MOBILE_SUBMIT];

/// What visitors choose the labels of: beyond [`MOST_LABELS`], new ones are counted as the rest.
const OPEN: [&str; 2] = [CAMPAIGN, REFERRER];
const MOST_LABELS: usize = 1_000;
pub(super) const REST: &str = "other";

/// Adds to a batch an increase of counters by the rows of a query: form, metric, date, label, shard and count.
pub(super) fn add_query(batch: &mut Batch, query: &str, params: Vec<SqlValue>) {
    batch.add(statement(query), params);
}

/// The statement that adds what a query gives to counters: one that is there grows, or keeps the greatest value.
fn statement(query: &str) -> String {
    format!(
        "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) {query} \
         ON CONFLICT (form_id, metric, date, label, shard) DO UPDATE SET count = CASE \
           WHEN cf_stats.metric <> '{LAST_SUBMISSION}' THEN cf_stats.count + excluded.count \
           WHEN cf_stats.count < excluded.count THEN excluded.count ELSE cf_stats.count END"
    )
}

/// How many counters one statement changes at most.
const ROWS: usize = 1_000;

/// A change of one counter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Count {
    /// One of `analytics::metrics`, or `status`.
    pub metric: &'static str,
    /// A UTC day, or empty for a running total.
    pub date: String,
    /// The label within the metric, or empty.
    pub label: String,
    /// The increase of the counter; below 0 for a decrease.
    pub by: i64,
}

impl Count {
    /// A change of a running total.
    fn total(metric: &'static str, label: &str, by: i64) -> Count {
        Count {
            metric,
            date: String::new(),
            label: label.to_owned(),
            by,
        }
    }

    /// A change of the number of submissions with a status.
    pub(super) fn status(status: &str, by: i64) -> Count {
        Count::total(STATUS, status, by)
    }

    /// A change of the number of entries of the action queue that wait or run and have not failed yet.
    pub(super) fn new_entries(by: usize) -> Count {
        Count::total(QUEUE, "pending", i64::try_from(by).unwrap_or(i64::MAX))
    }

    /// The changes of counters for a submission that came, of its day and of the running totals.
    pub(super) fn arrival(arrival: &Arrival, submitted_at: i64, by: i64) -> Vec<Count> {
        let day = dates::day_of(submitted_at);
        let mut counts = Vec::new();
        for (metric, label) in &arrival.0 {
            Count::add_of_day(&mut counts, metric, &day, label, by);
            if *metric == SUBMIT && by > 0 {
                counts.push(Count::total(LAST_SUBMISSION, "", submitted_at));
            }
        }
        counts
    }

    /// The changes of counters for a submission's answers; those that sum them up only while it is no spam.
    pub(super) fn answers(counts: &AnswerCounts, is_spam: bool, sign: i64) -> Vec<Count> {
        let counts = counts.iter().filter_map(|(metric, label, by)| {
            let metric = match metric.as_str() {
                ANSWER_NAME => ANSWER_NAME,
                _ if is_spam => return None,
                _ => ANSWER,
            };
            Some(Count::total(metric, label, sign * by))
        });
        counts.collect()
    }

    /// Adds the change of a day's counter, and that of its running total.
    pub(super) fn add_of_day(
        counts: &mut Vec<Count>,
        metric: &'static str,
        day: &str,
        label: &str,
        by: i64,
    ) {
        let total = Count::total(metric, label, by);
        counts.push(Count {
            date: day.to_owned(),
            ..total.clone()
        });
        if !DAYS_ONLY.contains(&metric) {
            counts.push(total);
        }
    }
}

/// The row in which a counter loses what is deleted: a deletion waits for no writer, whatever else its
/// batch holds.
pub(super) const DELETED: i64 = -1;

/// In which of a counter's rows a batch counts. PostgreSQL's writers wait for each other's rows, so
/// that each connection has one of several; SQLite has one writer.
fn shard(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "CAST(0 AS BIGINT)",
        Dialect::Postgres => "CAST(pg_backend_pid() % 8 AS BIGINT)",
    }
}

/// Adds changes of counters, on condition that the batch has written the submission. Batches that share
/// the statement count what they have alike once: of many submissions nearly all counts are the same.
pub(super) fn add(batch: &mut Batch, form_id: i64, counts: &[Count], written: Written<'_>) {
    let row = row(form_id, counts, written);
    add_rows(batch, json!([row]), written.gathered);
}

/// The row that [`add_rows`] takes for each submission.
pub(super) fn row(form_id: i64, counts: &[Count], written: Written<'_>) -> Value {
    let mut last = 0;
    let mut counts = with_site(form_id, counts.iter().cloned());
    for (_, count, _) in &mut counts {
        if count.metric == LAST_SUBMISSION {
            last = last.max(std::mem::take(&mut count.by));
        }
    }
    json!([written.uuid, written.change_token, listed(&counts), last])
}

/// Adds the changes of counters for the submissions that the batch has written.
pub(super) fn add_rows(batch: &mut Batch, rows: Value, gathered: i8) {
    let dialect = batch.dialect();
    let given = format!(
        "(SELECT {}, own.times, own.last FROM (SELECT listed.value ->> 2 AS counts, COUNT(*) AS times, \
           MAX(CAST(listed.value ->> 3 AS BIGINT)) AS last FROM {} CROSS JOIN cf_submissions s \
           WHERE s.uuid = listed.value ->> 0 AND s.change_token = listed.value ->> 1 \
           GROUP BY listed.value ->> 2) AS own CROSS JOIN {})",
        CHANGE,
        dialect.listed_rows("?1"),
        dialect.listed_rows("own.counts"),
    );
    let query = format!(
        "SELECT form_id, metric, date, label, shard, CAST(CASE WHEN metric = '{LAST_SUBMISSION}' THEN MAX(last) \
           ELSE SUM(count * times) END AS BIGINT) FROM {} \
         WHERE 1 = 1 GROUP BY form_id, metric, date, label, shard ORDER BY form_id, metric, date, label",
        counted(&given, dialect, ", given.times, given.last"),
    );
    batch.add_rows(statement(&query), rows, gathered);
}

/// Adds the counts of browser events, for the forms that still exist.
pub(super) fn add_gathered<'k>(
    batch: &mut Batch,
    gathered: impl IntoIterator<Item = (&'k Key, &'k i64)>,
) {
    let mut counts: Vec<Change> = Vec::new();
    for (key, by) in gathered {
        let mut own = Vec::new();
        Count::add_of_day(&mut own, key.metric, &key.date, &key.label, *by);
        counts.extend(with_site(key.form_id, own.into_iter()));
    }
    ordered::sort_by(&mut counts, Ord::cmp);
    for chunk in counts.chunks(ROWS) {
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

/// Adds by how many visitors a form's day grows, on condition that the batch has written their
/// sketch under the token.
pub(super) fn add_visitors(
    batch: &mut Batch,
    form_id: i64,
    day: &str,
    by: i64,
    change_token: &str,
) {
    let mut counts = Vec::new();
    Count::add_of_day(&mut counts, VISITOR, day, "", by);
    let counts = with_site(form_id, counts.into_iter());
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

/// A change of a counter of a form, or of the whole site (form 0), that a form brings about.
type Change = (i64, Count, i64);

/// A form's changes with those of the site, one for each counter. All batches lock counters in one
/// order, so that no two wait for each other.
fn with_site(owner: i64, counts: impl Iterator<Item = Count>) -> Vec<Change> {
    let mut counts: Vec<Change> = counts
        .flat_map(|count| {
            let counts_for_site =
                count.date.is_empty() && (SITE.contains(&count.metric) || count.metric == QUEUE);
            let site = counts_for_site.then(|| (0, count.clone(), owner));
            site.into_iter().chain([(owner, count, owner)])
        })
        .collect();
    ordered::sort_by(&mut counts, Ord::cmp);
    counts.dedup_by(|(scope, count, _), (kept_scope, kept, _)| {
        let same = scope == kept_scope
            && (count.metric, &count.date, &count.label) == (kept.metric, &kept.date, &kept.label);
        if same {
            kept.by += count.by;
        }
        same
    });
    counts.retain(|(_, count, _)| count.by != 0);
    counts
}

/// The columns of a change in a list of them.
const CHANGE: &str = "CAST(listed.value ->> 0 AS BIGINT) AS form_id, listed.value ->> 1 AS metric, \
    listed.value ->> 2 AS date, listed.value ->> 3 AS label, CAST(listed.value ->> 4 AS BIGINT) AS count, \
    CAST(listed.value ->> 5 AS BIGINT) AS owner";

/// Changes as a list.
fn listed(counts: &[Change]) -> String {
    let rows = counts
        .iter()
        .map(|(scope, own, owner)| (scope, own.metric, &own.date, &own.label, own.by, owner));
    serde_json::to_string(&rows.collect::<Vec<_>>()).unwrap_or_default()
}

/// The changes of counters as a table `counted`, whose list is one parameter.
fn counted_of(dialect: Dialect, bindings: &mut Bindings, counts: &[Change]) -> String {
    let rows = dialect.listed_rows(&bindings.bind(listed(counts)));
    counted(&format!("(SELECT {CHANGE} FROM {rows})"), dialect, "")
}

/// The changes of a table as a table `counted` with further columns. What visitors choose the label of
/// counts under one that is known, or is one of the first so many; else under the rest.
fn counted(given: &str, dialect: Dialect, further: &str) -> String {
    let shard = shard(dialect);
    let open = OPEN.map(|metric| format!("'{metric}'")).join(", ");
    let known = "SELECT 1 FROM cf_stats k WHERE k.form_id = given.form_id AND k.metric = given.metric AND k.date = ''";
    format!(
        "(SELECT given.form_id, given.metric, given.date, CASE WHEN given.metric NOT IN ({open}) \
           OR EXISTS ({known} AND k.label = given.label) \
           OR (SELECT COUNT(*) FROM ({known} LIMIT {MOST_LABELS}) AS labels) < {MOST_LABELS} \
           THEN given.label ELSE '{REST}' END AS label, {shard} AS shard, given.count, given.owner{further} \
         FROM {given} AS given) AS counted"
    )
}

/// Adds what subtracts submissions from the counts of their status and their answers, whatever they
/// are by now, on condition that the batch holds the rows under the token.
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
           UNION ALL SELECT s.form_id, listed.value ->> 0, listed.value ->> 1, -CAST(listed.value ->> 2 AS BIGINT) \
           FROM cf_submissions s CROSS JOIN {listed} WHERE s.id IN ({ids}) AND s.change_token = {token} \
             AND (s.is_spam = 0 OR listed.value ->> 0 = '{ANSWER_NAME}')) gone \
         GROUP BY form_id, metric, label ORDER BY form_id, metric, label"
    );
    add_query(batch, &query, bindings.values());
}

/// Adds what subtracts a deleted form from the site's counters. The form's own are deleted with its
/// other rows, after this.
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

/// Adds a read of how many submissions have each status, in a form or on the whole site.
pub(super) fn read_statuses(batch: &mut Batch, form_id: Option<i64>) -> usize {
    batch.add(
        "SELECT label, SUM(count) FROM cf_stats WHERE form_id = ?1 AND metric = 'status' AND date = '' \
         GROUP BY label",
        params![form_id.unwrap_or(0)],
    )
}
