//! `POST /{slug}`: a submit, in the order of the contract (section 8). The response is sent only after everything
//! that it promises is stored.

mod holds;
mod limits;
mod repeats;
mod run;
mod storing;
mod thanks;

use self::run::Submit;
use super::closing::closing_reason;
use super::input::{self, BodyError, Sent};
use super::outcome::{Outcome, Rejection};
use super::{claims, page, uploads};
use crate::error::Error;
use crate::forms::language::language;
use crate::forms::settings::Settings;
use crate::forms::{Form, SubmitRules, submit_rules};
use crate::http::{Request, Response};
use crate::task::Context;

/// The result of a submit with a cached form.
pub enum CachedSubmit {
    Finished(Response),
    /// The cached form may be outdated. Nothing was stored; the form must be read and the submit run again.
    FormMustBeRead,
}

/// Handles a submit.
pub async fn submit(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    let sent = match received(cx, form, &rules.settings, request).await? {
        Received::Whole(sent) => sent,
        Received::Rejected(rejection, sent) => {
            return rejected_body(cx, form, &rules, request, &rejection, sent).await;
        }
    };
    let mut submit = Submit::of(cx, form, &rules, request, sent).await?;
    let outcome = submit.run().await;
    submit.settle_files(&outcome).await;
    submit.response(outcome).await
}

/// Handles a submit with a cached form. The database may have a newer revision.
pub async fn submit_to_cached(
    cx: &Context,
    form: &Form,
    request: &mut Request,
) -> Result<CachedSubmit, Error> {
    let rules = submit_rules(cx, form)?;
    let Received::Whole(sent) = received(cx, form, &rules.settings, request).await? else {
        return Ok(CachedSubmit::FormMustBeRead);
    };
    let mut submit = Submit::of(cx, form, &rules, request, sent).await?;
    submit.expected_revision = Some(form.revision);
    match submit.run().await {
        // The rejection may be due to the outdated form.
        Ok(Outcome::Rejected(_) | Outcome::Review(_) | Outcome::Rows) | Err(Error::NotFound(_)) => {
            Ok(CachedSubmit::FormMustBeRead)
        }
        outcome => {
            submit.settle_files(&outcome).await;
            submit.response(outcome).await.map(CachedSubmit::Finished)
        }
    }
}

/// The response to a body that could not be read completely. A page shows the form again with the answers that could be
/// read.
pub(super) async fn rejected_body(
    cx: &Context,
    form: &Form,
    rules: &SubmitRules,
    request: &Request,
    rejection: &Rejection,
    sent: Option<Sent>,
) -> Result<Response, Error> {
    let accepts = request.header("accept").unwrap_or_default();
    if accepts.contains("application/json") || request.content_type().ends_with("json") {
        return Ok(rejection.json(false));
    }
    let Some(mut sent) = sent else {
        let page = page::notice(
            cx,
            rejection.status,
            language(form).unwrap_or("en"),
            &form.title,
            &rejection.text,
        );
        return Ok(rejection.with_headers(page));
    };
    claims::resolve(cx, form, &rules.schema, &mut sent).await?;
    sent.input.use_current_names(&rules.schema);
    page::show_again(cx, form, &sent, rejection).await
}

/// The result of reading a submit.
pub(super) enum Received {
    Whole(Sent),
    /// The rejection and the answers that were read; `None` if the form is not shown again.
    Rejected(Rejection, Option<Sent>),
}

/// Reads the body of a submit. A closed form rejects a streamed body without reading it.
pub(super) async fn received(
    cx: &Context,
    form: &Form,
    settings: &Settings,
    request: &mut Request,
) -> Result<Received, Error> {
    if request.body_waits
        && let Some(rejection) = closing_reason(cx, form, settings, request).await?
    {
        return Ok(Received::Rejected(rejection, None));
    }
    let (sent, fault) = if request.body_waits && request.content_type() == "multipart/form-data" {
        uploads::receive(cx, form).await
    } else {
        let read = request.read_body(cx).await.map_err(BodyError::from);
        match read.and_then(|()| input::read(request)) {
            Ok(sent) => (sent, None),
            Err(fault) if fault.keeps_answers() => {
                (input::kept_answers(cx, request).await, Some(fault))
            }
            Err(fault) => (Sent::default(), Some(fault)),
        }
    };
    let Some(fault) = fault else {
        return Ok(Received::Whole(sent));
    };
    let rejection = Rejection::body(cx, form, &fault, request).await;
    let sent = fault.keeps_answers().then_some(sent);
    Ok(Received::Rejected(rejection, sent))
}
