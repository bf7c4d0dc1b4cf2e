//! Recounts the counters of submissions from the stored submissions. Only an operator's command does this, never a
//! request.

use std::collections::BTreeMap;

use super::stats::{QUEUE, REST, SITE, SUBMITTED};
use super::{Batch, Result, dialect, queue, select, stats};
use crate::task::Context;
use model::Submission;
use model::analytics::gathered::Key;
use model::analytics::{Arrival, Counted};
use model::dates::{self, DAY_MS};
use serde::{Deserialize, Serialize};

/// Limit on the submissions that one statement reads.
const PAGE_SIZE: i64 = 1_000;

/// Finds the first form after `form_id`, and the first day, not before `from`, with submissions of `form_id`.
pub async fn next(cx: &Context, form_id: i64, from: i64) -> Result<(Option<i64>, Option<i64>)> {
    let mut batch = Batch::new(cx);
    let form = batch.add(
        "SELECT id FROM cf_forms WHERE id > ?1 ORDER BY id LIMIT 1",
        params![form_id],
    );
    let moment = batch.add(
        "SELECT submitted_at FROM cf_submissions WHERE form_id = ?1 AND submitted_at >= ?2 \
         ORDER BY submitted_at LIMIT 1",
        params![form_id, from],
    );
    let mut results = batch.run().await?;
    let moment: Option<i64> = results.first(moment)?;
    let day = moment.map(|moment| moment.div_euclid(DAY_MS));
    Ok((results.first(form)?, day))
}

/// Computes the counts that a form's submissions of a UTC day add to the counters.
pub async fn recount(cx: &Context, form_id: i64, day: i64) -> Result<BTreeMap<Key, i64>> {
    let mut counts = BTreeMap::new();
    let date = dates::format_day(day);
    let (mut moment, mut id) = (day * DAY_MS, 0);
    loop {
        let sql = "SELECT id, submitted_at, is_spam, spam_reasons, user_agent, referer_url, page_url FROM cf_submissions \
             WHERE form_id = ?1 AND (submitted_at, id) > (?2, ?3) AND submitted_at < ?4 \
             ORDER BY submitted_at, id LIMIT ?5";
        let params = params![form_id, moment, id, (day + 1) * DAY_MS, PAGE_SIZE];
        type Arrived = (i64, i64, bool, String, String, String, String);
        let rows: Vec<Arrived> = select(cx, sql, params).await?;
        let is_last = i64::try_from(rows.len()).is_ok_and(|len| len < PAGE_SIZE);
        for (row_id, submitted_at, is_spam, reasons, user_agent, referer_url, page_url) in rows {
            (moment, id) = (submitted_at, row_id);
            let submission = Submission {
                spam_reasons: serde_json::from_str(&reasons)?,
                user_agent,
                referer_url,
                page_url,
                ..Submission::default()
            };
            for (metric, label) in Arrival::of(&submission, is_spam).0 {
                let date = date.clone();
                let key = Key {
                    form_id,
                    metric,
                    date,
                    label,
                };
                *counts.entry(key).or_default() += 1;
            }
        }
        if is_last {
            return Ok(counts);
        }
    }
}

/// Reads a form's counters of a day, for comparison with [`recount`].
pub async fn counted(cx: &Context, form_id: i64, day: i64) -> Result<Vec<Counted>> {
    let metrics = SUBMITTED.map(|metric| format!("'{metric}'")).join(", ");
    let sql = format!(
        "SELECT metric, label, CAST(SUM(count) AS BIGINT) FROM cf_stats \
             WHERE form_id = ?1 AND metric IN ({metrics}) AND date = ?2 GROUP BY metric, label"
    );
    select(cx, sql, params![form_id, dates::format_day(day)]).await
}

/// The label under which a day counted a value: the label itself, or `other` if the day already had too many labels.
pub fn label_then(counted: &[Counted], metric: &str, label: String) -> String {
    let counter = counted.iter().filter(|counter| counter.metric == metric);
    let has = |key: &str| counter.clone().any(|counter| counter.key == key);
    if !has(&label) && has(REST) {
        REST.to_owned()
    } else {
        label
    }
}

/// Raises counters of days together with their running totals.
pub async fn raise(cx: &Context, by: &BTreeMap<Key, i64>) -> Result<()> {
    let mut batch = Batch::new(cx);
    stats::add_gathered(&mut batch, by);
    batch.run().await.map(drop)
}

/// A counter that differs from its recount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The form; 0 for the site.
    pub form_id: i64,
    /// One of `analytics::metrics`, or `status`, `starred` or `action_queue`.
    pub metric: String,
    /// A UTC day; empty for a running total.
    pub date: String,
    /// The label within the metric, or empty.
    pub label: String,
    /// The amount by which the counter is too low; negative if it is too high.
    pub by: i64,
    /// Whether the counter was corrected.
    pub corrected: bool,
}

/// Corrects a form's running totals. If a metric has daily counters, the metric's total becomes the sum of the days.
/// The other totals are recounted from the stored submissions and the queue. If deleted submissions answered a field,
/// the field's totals are kept. Each correction is one statement, so that a concurrent count is part of both sides or of
/// neither.
pub async fn settle_form(cx: &Context, form_id: i64) -> Result<Vec<Difference>> {
    let days = "SELECT form_id, metric, label, CAST(SUM(CASE WHEN date = '' THEN -count ELSE count END) AS BIGINT) AS by \
         FROM cf_stats WHERE form_id = ?1 AND metric IN ('abandon', 'campaign', 'completed', 'field_abandon', 'field_interaction', \
           'referrer', 'spam', 'spam_reason', 'start', 'submit', 'view', 'visitor') GROUP BY form_id, metric, label";
    let statuses = "SELECT form_id, 'status' AS metric, label, CAST(SUM(amount) AS BIGINT) AS by FROM \
         (SELECT form_id, status AS label, 1 AS amount FROM cf_submissions WHERE form_id = ?1 AND status <> 'unsaved' \
          UNION ALL SELECT form_id, label, -count FROM cf_stats WHERE form_id = ?1 AND metric = 'status' AND date = '') both_sides \
         GROUP BY form_id, label";
    let stars = "SELECT form_id, 'starred' AS metric, label, CAST(SUM(amount) AS BIGINT) AS by FROM \
         (SELECT form_id, '' AS label, 1 AS amount FROM cf_submissions WHERE form_id = ?1 AND starred = 1 \
            AND status NOT IN ('spam', 'trash', 'unsaved') \
          UNION ALL SELECT form_id, label, -count FROM cf_stats WHERE form_id = ?1 AND metric = 'starred' AND date = '') both_sides \
         GROUP BY form_id, label";
    let entries = format!(
        "SELECT form_id, 'action_queue' AS metric, label, CAST(SUM(amount) AS BIGINT) AS by FROM \
         (SELECT q.form_id, {} AS label, 1 AS amount FROM cf_action_queue q WHERE q.form_id = ?1 \
          UNION ALL SELECT form_id, label, -count FROM cf_stats WHERE form_id = ?1 AND metric = 'action_queue' AND date = '') both_sides \
         GROUP BY form_id, label",
        queue::counted_as()
    );
    let counted = "CASE WHEN s.counted = '' THEN '[]' ELSE s.counted END";
    let counted = dialect(cx).listed_rows(counted);
    let answers = format!(
        "SELECT form_id, metric, label, CAST(SUM(amount) AS BIGINT) AS by FROM \
         (SELECT s.form_id, listed.value ->> 0 AS metric, listed.value ->> 1 AS label, CAST(listed.value ->> 2 AS BIGINT) AS amount \
          FROM cf_submissions s CROSS JOIN {counted} WHERE s.form_id = ?1 AND (s.is_spam = 0 OR listed.value ->> 0 = 'answer_name') \
          UNION ALL SELECT form_id, metric, label, -count FROM cf_stats \
          WHERE form_id = ?1 AND metric IN ('answer', 'answer_name') AND date = '') both_sides GROUP BY form_id, metric, label"
    );
    let mut corrected = settle(cx, days, form_id).await?;
    corrected.extend(settle(cx, statuses, form_id).await?);
    corrected.extend(settle(cx, stars, form_id).await?);
    corrected.extend(settle(cx, &answers, form_id).await?);
    corrected.extend(settle(cx, &entries, form_id).await?);
    Ok(corrected)
}

/// Corrects the running totals of the site to the sums of the forms' totals.
pub async fn settle_site(cx: &Context) -> Result<Vec<Difference>> {
    let metrics = [&SITE[..], &[QUEUE]].concat().join("', '");
    let forms = format!(
        "SELECT CAST(?1 AS BIGINT) AS form_id, metric, label, \
           CAST(SUM(CASE WHEN form_id = 0 THEN -count ELSE count END) AS BIGINT) AS by \
         FROM cf_stats WHERE metric IN ('{metrics}') AND date = '' GROUP BY metric, label"
    );
    settle(cx, &forms, 0).await
}

/// Adds the differences that a query finds to the counters, and returns the differences. If deleted submissions
/// answered a field, the field's totals are kept.
async fn settle(cx: &Context, differences: &str, form_id: i64) -> Result<Vec<Difference>> {
    let mut batch = Batch::new(cx);
    // A label is a JSON list of the field's name and the kind of total, so all labels of a field share a prefix.
    let wrong = format!(
        "(WITH wrong AS (SELECT form_id, metric, label, by FROM ({differences}) both_sides WHERE by <> 0) \
         SELECT form_id, metric, label, by, CASE WHEN metric = 'answer' AND EXISTS (SELECT 1 FROM wrong kept \
           WHERE kept.metric = 'answer' AND kept.by < 0 AND kept.label LIKE '%,\"answered\"]' \
           AND SUBSTR(wrong.label, 1, LENGTH(kept.label) - 11) = SUBSTR(kept.label, 1, LENGTH(kept.label) - 11)) \
           THEN 0 ELSE 1 END AS corrected FROM wrong) AS settled"
    );
    let read = format!(
        "SELECT form_id, metric, '' AS date, label, by, corrected FROM {wrong} ORDER BY metric, label"
    );
    let read = batch.add(read, params![form_id]);
    let correct =
        format!("SELECT form_id, metric, '', label, 0, by FROM {wrong} WHERE corrected = 1");
    stats::add_query(&mut batch, &correct, params![form_id]);
    batch.run_without_timeout().await?.rows(read)
}
