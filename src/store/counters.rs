//! Reads counters. The statements never read submissions or events, so their cost does not grow with the number of
//! either.

use super::stats::{COUNT, OF_SCOPE};
use super::trash::not_trashed;
use super::{Batch, Bindings, Result};
use crate::task::Context;
use model::analytics::funnel::Funnel;
use model::analytics::metrics::{FUNNEL, LAST_SUBMISSION, SUBMIT};
use model::analytics::overview::{FormOverview, SHOWN_FORMS};
use model::analytics::{Counted, Span};

/// The grouping of counters into sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By metric.
    Metric,
    /// By metric and day, the oldest day first.
    Day,
    /// By metric and label.
    Label,
    /// By label: up to this many labels of each metric, the greatest sum first.
    TopLabel(i64),
}

/// A query of a form's counters.
#[derive(Clone, Debug)]
pub struct CounterQuery<'a> {
    /// The metrics, from `analytics::metrics`.
    pub metrics: &'a [&'static str],
    /// The days to sum.
    pub span: Span,
    /// The grouping of the counters.
    pub by: By,
}

/// Returns the sums for each query, in one batch; `None` when the form does not exist.
pub async fn read_sums(
    cx: &Context,
    form_id: i64,
    queries: &[CounterQuery<'_>],
) -> Result<Option<Vec<Vec<Counted>>>> {
    let mut batch = Batch::new(cx);
    let form = "SELECT id FROM cf_forms WHERE id = ?1 AND trashed_at IS NULL";
    let form = batch.add(form, params![form_id]);
    let places: Vec<Vec<usize>> = queries
        .iter()
        .map(|query| add_query(&mut batch, form_id, query))
        .collect();
    let mut results = batch.run().await?;
    if !results.has_row(form) {
        return Ok(None);
    }
    let mut answers = Vec::with_capacity(places.len());
    for places in places {
        let mut sums = Vec::new();
        for place in places {
            sums.extend(results.rows(place)?);
        }
        answers.push(sums);
    }
    Ok(Some(answers))
}

fn add_query(batch: &mut Batch, form_id: i64, query: &CounterQuery<'_>) -> Vec<usize> {
    let CounterQuery { metrics, span, by } = query;
    let key = match by {
        By::Metric => "''",
        By::Day => "date",
        By::Label => "label",
        By::TopLabel(shown) => {
            let each = metrics.iter();
            let add = |metric| add_sums(batch, form_id, &[metric], span, "label", Some(*shown));
            return each.copied().map(add).collect();
        }
    };
    vec![add_sums(batch, form_id, metrics, span, key, None)]
}

fn add_sums(
    batch: &mut Batch,
    form_id: i64,
    metrics: &[&'static str],
    span: &Span,
    key: &'static str,
    shown: Option<i64>,
) -> usize {
    let mut bindings = Bindings::default();
    let form = bindings.bind(form_id);
    let metrics = bindings.all(metrics);
    let days = if span.from == span.to {
        format!("date = {}", bindings.bind(span.from.as_str()))
    } else {
        let (from, to) = (bindings.bind(&span.from), bindings.bind(&span.to));
        format!("date BETWEEN {from} AND {to}")
    };
    let end = shown.map_or_else(String::new, |shown| {
        let limit = bindings.bind(shown);
        format!(" HAVING SUM(count) > 0 ORDER BY 3 DESC, 2 LIMIT {limit}")
    });
    let group = match key {
        "''" => "",
        "date" => ", 2 ORDER BY 2",
        _ => ", 2",
    };
    let sql = format!(
        "SELECT metric, {key}, CAST(SUM(count) AS BIGINT) FROM cf_stats \
         WHERE form_id = {form} AND metric IN ({metrics}) AND {days} GROUP BY metric{group}{end}"
    );
    batch.add(sql, bindings.values())
}

/// Reads the funnels of the site and of the forms with the most submissions, in two batches. The newest forms without
/// submissions fill up the list.
pub async fn overview(cx: &Context) -> Result<(Funnel, Vec<FormOverview>)> {
    let shown = i64::try_from(SHOWN_FORMS).unwrap_or(i64::MAX);
    let mut batch = Batch::new(cx);
    let mut bindings = Bindings::default();
    bindings.bind(0i64);
    let metrics = bindings.all(&FUNNEL);
    let site = format!(
        "SELECT metric, '', {COUNT} FROM cf_stats WHERE {OF_SCOPE} AND metric IN ({metrics}) AND date = '' GROUP BY metric"
    );
    let site = batch.add(site, bindings.values());
    let most = batch.add(
        format!(
            "SELECT form_id FROM cf_stats WHERE metric = ?1 AND date = '' AND form_id > 0 AND {} \
             GROUP BY form_id HAVING SUM(count) > 0 ORDER BY SUM(count) DESC, form_id DESC LIMIT ?2",
            not_trashed("form_id")
        ),
        params![SUBMIT, shown],
    );
    let newest = batch.add(
        "SELECT id FROM cf_forms WHERE id > 0 AND trashed_at IS NULL ORDER BY id DESC LIMIT ?1",
        params![shown],
    );
    let mut results = batch.run().await?;
    let totals = Funnel::of(&results.rows(site)?);
    let mut ids: Vec<i64> = Vec::new();
    let (most, newest): (Vec<i64>, Vec<i64>) = (results.rows(most)?, results.rows(newest)?);
    for id in most.into_iter().chain(newest) {
        if ids.len() < SHOWN_FORMS && !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok((totals, forms(cx, &ids).await?))
}

/// The titles and funnels of these forms.
async fn forms(cx: &Context, ids: &[i64]) -> Result<Vec<FormOverview>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut bindings = Bindings::default();
    let mut batch = Batch::new(cx);
    let listed = bindings.ids(batch.dialect(), ids.iter().copied());
    let titles = batch.add(
        format!("SELECT f.id, f.title FROM cf_forms f WHERE f.id IN ({listed})"),
        bindings.clone().values(),
    );
    let metrics = bindings.all(&[&FUNNEL[..], &[LAST_SUBMISSION]].concat());
    // The value of `last_submission` is the maximum of its counters; other metrics are sums.
    let sql = format!(
        "SELECT form_id, metric, CAST(CASE WHEN metric = 'last_submission' THEN MAX(count) ELSE SUM(count) END AS BIGINT) \
         FROM cf_stats WHERE form_id IN ({listed}) AND metric IN ({metrics}) AND date = '' GROUP BY form_id, metric"
    );
    let sums = batch.add(sql, bindings.values());
    let mut results = batch.run().await?;
    let sums: Vec<(i64, String, i64)> = results.rows(sums)?;
    let form = |(id, title): (i64, String)| {
        let counts = sums.iter().filter(|(form_id, _, _)| *form_id == id);
        let counts = counts.map(|(_, metric, count)| Counted {
            metric: metric.clone(),
            key: String::new(),
            count: *count,
        });
        FormOverview::of(id, title, &counts.collect::<Vec<_>>())
    };
    Ok(results.rows(titles)?.into_iter().map(form).collect())
}
