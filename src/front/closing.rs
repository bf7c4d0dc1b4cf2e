//! The reasons why a form does not accept submissions.

use super::outcome::Rejection;
use crate::error::Error;
use crate::forms::Form;
use crate::forms::settings::Settings;
use crate::http::Request;
use crate::store::rate_limits::Gate;
use crate::store::submissions::{Inserted, screen};
use crate::task::Context;

/// The reason why a form is closed to this visitor, if it is.
pub async fn closing_reason(
    cx: &Context,
    form: &Form,
    settings: &Settings,
    request: &Request,
) -> Result<Option<Rejection>, Error> {
    if let Some(code) = form.closed_because(settings, cx.now()) {
        return Ok(Some(Rejection::by(cx, form, 403, code).await));
    }
    if settings.require_user_logged_in && request.principal.is_none() {
        let rejection = Rejection::by(cx, form, 403, "require_user_logged_in").await;
        return Ok(Some(rejection));
    }
    match screen(cx, form.id, None, &total_gate(settings)).await? {
        Some(Inserted::Rejected(gate_rejection)) => {
            Ok(Some(Rejection::at_gate(cx, form, gate_rejection).await))
        }
        _ => Ok(None),
    }
}

/// The gate on the number of a form's submissions, if the form limits it.
pub fn total_gate(settings: &Settings) -> Vec<Gate> {
    let limit = i64::try_from(settings.submission_limit).unwrap_or(i64::MAX);
    let gate = (limit > 0).then_some(Gate::Total {
        limit,
        saved: settings.save_submissions,
    });
    gate.into_iter().collect()
}
