//! The part of the purge that deletes submissions at the end of their form's retention, and old contents of the trash.

use std::cell::Cell;

use crate::error::Error;
use crate::forms::{self, Form};
use crate::store::forms::next_id;
use crate::store::purge::{TRASH_DAYS, cutoff};
use crate::store::submissions as store;
use crate::submissions::delete;
use crate::task::Context;

/// Limit on the transactions of one step, each of a few submissions.
const MAX_ROUNDS: usize = 10;

/// Limit on the forms of one step.
const MAX_FORMS: usize = 100;

/// The id of the last form that this purge has handled, or [`ALL`].
#[derive(Default)]
pub(super) struct AgedForms(pub(super) Cell<i64>);

/// The value after the purge has handled all forms.
const ALL: i64 = i64::MAX;

/// Deletes expired submissions with everything that belongs to them, and forms that were in the trash too long. Starts
/// at the form where the purge's last step ended. Returns whether more may be left.
pub(super) async fn delete_aged(cx: &Context) -> Result<bool, Error> {
    let aged = cx.state::<AgedForms>();
    let done = &aged.0;
    if done.get() == ALL {
        return Ok(false);
    }
    let mut rounds = 0;
    for _ in 0..MAX_FORMS {
        let Some(form_id) = next_id(cx, done.get()).await? else {
            done.set(ALL);
            return Ok(false);
        };
        let Some(form) = forms::load_any(cx, form_id).await? else {
            done.set(form_id);
            continue;
        };
        if form
            .trashed_at
            .is_some_and(|at| at < cutoff(cx, TRASH_DAYS))
        {
            delete_trashed_form(cx, form_id).await?;
            done.set(form_id);
            continue;
        }
        let settings = form.settings();
        let days = i64::try_from(settings.retention_days).unwrap_or(0);
        if days > 0 && delete_of_form(cx, form_id, days, false, &mut rounds).await? {
            return Ok(true);
        }
        // Forms that keep no submissions still keep spam for some days, so that false positives can be recovered.
        let days = cx.shared().configuration().keep_days.unsaved;
        let is_kept = settings.save_submissions || days <= 0;
        if !is_kept && delete_of_form(cx, form_id, days, true, &mut rounds).await? {
            return Ok(true);
        }
        done.set(form_id);
    }
    Ok(true)
}

/// Deletes a form permanently, unless it has been restored.
async fn delete_trashed_form(cx: &Context, form_id: i64) -> Result<(), Error> {
    let is_trashed = |form: &Form| match form.trashed_at {
        Some(_) => Ok(()),
        None => Err(Error::PreconditionFailed),
    };
    match forms::delete(cx, form_id, &is_trashed).await {
        Ok(_) | Err(Error::NotFound(_) | Error::PreconditionFailed) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Deletes submissions that have been in the trash for [`TRASH_DAYS`]. Returns whether more may be left.
pub(super) async fn delete_trashed(cx: &Context) -> Result<bool, Error> {
    for _ in 0..MAX_ROUNDS {
        let trashed = store::trashed(cx, cutoff(cx, TRASH_DAYS)).await?;
        if trashed.is_empty() {
            return Ok(false);
        }
        delete(cx, &trashed).await?;
    }
    Ok(true)
}

/// Deletes a form's submissions, or only its spam, that are older than a number of days. Returns whether the step
/// reached its limit before it had deleted all.
async fn delete_of_form(
    cx: &Context,
    form_id: i64,
    days: i64,
    spam_only: bool,
    rounds: &mut usize,
) -> Result<bool, Error> {
    let before = cutoff(cx, days);
    loop {
        let aged = store::aged(cx, form_id, before, spam_only).await?;
        let is_done =
            aged.is_empty() && (spam_only || store::forgotten(cx, form_id, before).await? == 0);
        if is_done {
            return Ok(false);
        }
        delete(cx, &aged).await?;
        *rounds += 1;
        if *rounds >= MAX_ROUNDS {
            return Ok(true);
        }
    }
}
