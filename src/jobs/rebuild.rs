//! Recounts the counters in short steps, for `cf-forms rebuild-counters`.
//!
//! The counters of each day that has stored submissions are compared with a recount. A counter that is too low is
//! raised. A counter that is too high is reported and kept, since deleted and unsaved submissions count too. Days
//! without stored submissions are skipped.
//!
//! A form's running totals are corrected. If a metric has daily counters, the metric's total becomes the sum of the
//! days. The totals of statuses, stars and answers are recounted from the stored submissions. Exception: if deleted
//! submissions answered a field, the field's totals are reported and kept. The totals of queue entries are recounted
//! from the queue. A total of the site becomes the sum of the forms' totals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dates::{self, DAY_MS};
use crate::error::Error;
use crate::http::{Request, Response};
use crate::store::rebuild::{
    Difference, counted, label_then, next, raise, recount, settle_form, settle_site,
};
use crate::task::Context;
use model::analytics::gathered::Key;

/// The position of a step: a form, and the first day that the step may recount. The first step has form 0 and day 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    form_id: i64,
    day: i64,
}

/// The result of a step, and the position of the next step; `None` after the last step.
#[derive(Clone, Debug, Default, Serialize)]
struct Step {
    next: Option<Place>,
    differences: Vec<Difference>,
}

/// Runs the step at the position in the request's body (a `Place`). The response is `{next, differences}`.
pub async fn rebuild(cx: &Context, request: &Request) -> Result<Response, Error> {
    Ok(Response::json(200, &step(cx, request).await?))
}

async fn step(cx: &Context, request: &Request) -> Result<Step, Error> {
    let place: Place = crate::json::read(&request.body)?;
    let (next_form, day) = next(cx, place.form_id, place.day * DAY_MS).await?;
    if let Some(day) = day.filter(|_| place.form_id > 0) {
        let differences = rebuild_day(cx, place.form_id, day).await?;
        let next = Place {
            day: day + 1,
            ..place
        };
        return Ok(Step {
            next: Some(next),
            differences,
        });
    }
    let mut corrected = Vec::new();
    if place.form_id > 0 {
        corrected.extend(settle_form(cx, place.form_id).await?);
    }
    if next_form.is_none() {
        corrected.extend(settle_site(cx).await?);
    }
    Ok(Step {
        next: next_form.map(|form_id| Place { form_id, day: 0 }),
        differences: corrected,
    })
}

async fn rebuild_day(cx: &Context, form_id: i64, day: i64) -> Result<Vec<Difference>, Error> {
    // Recount before reading the counters. Otherwise, a concurrent submission could make a counter look too low.
    let recounted = recount(cx, form_id, day).await?;
    let counted = counted(cx, form_id, day).await?;
    let mut by: BTreeMap<Key, i64> = BTreeMap::new();
    for (mut key, count) in recounted {
        key.label = label_then(&counted, key.metric, key.label);
        *by.entry(key).or_default() += count;
    }
    let date = dates::format_day(day);
    let mut differences = Vec::new();
    let difference = |metric: &str, label: &str, by| Difference {
        form_id,
        metric: metric.to_owned(),
        date: date.clone(),
        label: label.to_owned(),
        by,
        corrected: by > 0,
    };
    for counter in &counted {
        let found = by
            .iter_mut()
            .find(|(key, _)| key.metric == counter.metric && key.label == counter.key);
        match found {
            Some((_, by)) => *by -= counter.count,
            None => differences.push(difference(&counter.metric, &counter.key, -counter.count)),
        }
    }
    for (key, by) in &by {
        differences.push(difference(key.metric, &key.label, *by));
    }
    differences.retain(|difference| difference.by != 0);
    by.retain(|_, by| *by > 0);
    if !by.is_empty() {
        raise(cx, &by).await?;
    }
    Ok(differences)
}
