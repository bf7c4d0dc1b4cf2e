//! Recounting, for `cf-forms rebuild-counters`, in short steps.
//!
//! A counter of a day that is lower than the sum of the stored submissions is raised. A higher counter is reported and
//! kept, since deleted and unsaved submissions count too. Running totals become the sums of their days, and the site's
//! totals the sums of its forms.

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

/// The start of a step; form 0 and day 0 for the first step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    form_id: i64,
    day: i64,
}

/// The result of a step, and the start of the next one; `None` after the last.
#[derive(Clone, Debug, Default, Serialize)]
struct Step {
    next: Option<Place>,
    differences: Vec<Difference>,
}

/// Runs the step of the request's body, a `Place`; the response is `{next, differences}`.
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
    // In this order a concurrent submission never makes a counter look too low.
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
