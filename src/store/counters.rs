//! Reading counters. No statement here touches a submission or an event: its cost depends on the
//! days, the fields and the labels that are asked for.

use super::{Batch, Bindings, Results, StoreError};
use crate::task::Context;
use model::analytics::funnel::Funnel;
use model::analytics::metrics::{FUNNEL, LAST_SUBMISSION, SUBMIT};
use model::analytics::overview::{FormOverview, SHOWN_FORMS};
use model::analytics::{Counted, Span};

/// What each sum is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The metric alone.
    Metric,
    /// The metric's days.
    Day,
    /// The metric's labels.
    Label,
    /// The labels with the greatest sums, so many of each metric, the greatest first.
    TopLabel(i64),
}

/// A question to a form's counters.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Some of `analytics::metrics`.
    pub metrics: &'a [&'static str],
    /// Of which days.
    pub span: Span,
    /// What each sum is for.
    pub by: By,
}

/// The sums that answer each question, in one batch. `None` when there is no such form.
pub async fn ask(
    cx: &Context,
    form_id: i64,
    questions: &[Question<'_>],
) -> Result<Option<Vec<Vec<Counted>>>, StoreError> {
    let mut batch = Batch::new(cx);
    let form = batch.add(
        "SELECT id FROM cf_forms WHERE id = ?1",
        vec![form_id.into()],
    );
    let places: Vec<Vec<usize>> = questions
        .iter()
        .map(|question| add_question(&mut batch, form_id, question))
        .collect();
    let mut results = batch.run().await?;
    if results.first(form).is_none() {
        return Ok(None);
    }
    let mut answer = |places: Vec<usize>| {
        let mut sums = Vec::new();
        for place in places {
            sums.extend(read(&mut results, place)?);
        }
        Ok(sums)
    };
    let answers: Result<_, StoreError> = places.into_iter().map(&mut answer).collect();
    answers.map(Some)
}

fn add_question(batch: &mut Batch<'_>, form_id: i64, question: &Question<'_>) -> Vec<usize> {
    let Question { metrics, span, by } = question;
    match by {
        By::TopLabel(shown) => metrics
            .iter()
            .map(|metric| add_sums(batch, form_id, &[*metric], span, "label", Some(*shown)))
            .collect(),
        By::Metric => vec![add_sums(batch, form_id, metrics, span, "''", None)],
        By::Day => vec![add_sums(batch, form_id, metrics, span, "date", None)],
        By::Label => vec![add_sums(batch, form_id, metrics, span, "label", None)],
    }
}

fn add_sums(
    batch: &mut Batch<'_>,
    form_id: i64,
    metrics: &[&'static str],
    span: &Span,
    key: &'static str,
    shown: Option<i64>,
) -> usize {
    let mut bindings = Bindings::default();
    let form = bindings.bind(form_id);
    let metrics: Vec<String> = metrics
        .iter()
        .map(|metric| bindings.bind(*metric))
        .collect();
    let days = if span.from == span.to {
        format!("date = {}", bindings.bind(span.from.as_str()))
    } else {
        let (from, to) = (span.from.as_str(), span.to.as_str());
        format!(
            "date BETWEEN {} AND {}",
            bindings.bind(from),
            bindings.bind(to)
        )
    };
    let end = match shown {
        Some(shown) => format!(
            " HAVING SUM(count) > 0 ORDER BY 3 DESC, 2 LIMIT {}",
            bindings.bind(shown)
        ),
        None => String::new(),
    };
    let group = if key == "''" { "" } else { ", 2" };
    batch.add(
        format!(
            "SELECT metric, {key}, CAST(SUM(count) AS BIGINT) FROM cf_stats \
             WHERE form_id = {form} AND metric IN ({}) AND {days} GROUP BY metric{group}{end}",
            metrics.join(", ")
        ),
        bindings.values(),
    )
}

fn read(results: &mut Results, place: usize) -> Result<Vec<Counted>, StoreError> {
    let counted = |mut row: super::Row| {
        Ok(Counted {
            metric: row.text(0)?,
            key: row.text(1)?,
            count: row.integer(2)?,
        })
    };
    results.rows(place).into_iter().map(counted).collect()
}

/// The funnel of the site, and those of the forms with the most submissions; forms without any fill
/// up, the newest first. In two batches, however many forms there are.
pub async fn overview(cx: &Context) -> Result<(Funnel, Vec<FormOverview>), StoreError> {
    let shown = i64::try_from(SHOWN_FORMS).unwrap_or(i64::MAX);
    let mut batch = Batch::new(cx);
    let site = add_sums(&mut batch, 0, &FUNNEL, &Span::all_time(), "''", None);
    let most = batch.add(
        "SELECT form_id FROM cf_stats WHERE metric = ?1 AND date = '' AND form_id > 0 \
         GROUP BY form_id HAVING SUM(count) > 0 ORDER BY SUM(count) DESC, form_id DESC LIMIT ?2",
        vec![SUBMIT.into(), shown.into()],
    );
    let newest = batch.add(
        "SELECT id FROM cf_forms WHERE id > 0 ORDER BY id DESC LIMIT ?1",
        vec![shown.into()],
    );
    let mut results = batch.run().await?;
    let totals = Funnel::of(&read(&mut results, site)?);
    let mut ids: Vec<i64> = Vec::new();
    let (most, newest) = (results.rows(most), results.rows(newest));
    for row in most.iter().chain(&newest) {
        let id = row.integer(0)?;
        if ids.len() < SHOWN_FORMS && !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok((totals, forms(cx, &ids).await?))
}

/// The titles and funnels of these forms.
async fn forms(cx: &Context, ids: &[i64]) -> Result<Vec<FormOverview>, StoreError> {
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
    let mut shown: Vec<&str> = FUNNEL.to_vec();
    shown.push(LAST_SUBMISSION);
    let metrics: Vec<String> = shown
        .into_iter()
        .map(|metric| bindings.bind(metric))
        .collect();
    // The last submission is the greatest value of a counter, the others are sums.
    let sums = batch.add(
        format!(
            "SELECT form_id, metric, CAST(CASE WHEN metric = 'last_submission' THEN MAX(count) ELSE SUM(count) END AS BIGINT) \
             FROM cf_stats WHERE form_id IN ({listed}) AND metric IN ({}) AND date = '' GROUP BY form_id, metric",
            metrics.join(", ")
        ),
        bindings.values(),
    );
    let mut results = batch.run().await?;
    let mut counted: Vec<(i64, Counted)> = Vec::new();
    for mut row in results.rows(sums) {
        let own = Counted {
            metric: row.text(1)?,
            key: String::new(),
            count: row.integer(2)?,
        };
        counted.push((row.integer(0)?, own));
    }
    let form = |mut row: super::Row| {
        let id = row.integer(0)?;
        let own: Vec<Counted> = counted
            .iter()
            .filter(|(form_id, _)| *form_id == id)
            .map(|(_, counted)| counted.clone())
            .collect();
        Ok(FormOverview::of(id, row.text(1)?, &own))
    };
    results.rows(titles).into_iter().map(form).collect()
}
