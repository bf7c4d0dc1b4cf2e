//! The requests of visitors: pages and submits, below the front prefix (contract, section 8).
//!
//! | path | |
//! |---|---|
//! | `GET /{slug}` | the form as a page |
//! | `GET /{slug}/embed` | the form element, for pages of other sites |
//! | `GET /{slug}/theme.css` | the style sheet with the form's theme values |
//! | `POST /{slug}` | a submit |
//! | `POST /{slug}/files` | a file that is stored before the submit |
//! | `POST /{slug}/files/forget` | the removal of such files |
//! | `POST /{slug}/saved` | saves a visitor's progress |
//! | `POST /{slug}/saved/read`, `/mail`, `/forget` | reads, mails and removes saved progress |
//! | `GET /{slug}/saved/{token}` | the page that a link to saved progress opens |
//! | `POST /-/events` | events of the visitor's script |
//! | `GET /-/files/{submission}/{file}/{ticket}` | a file, by a signed URL |

mod audience;
mod claims;
mod closing;
mod early_uploads;
mod ending;
mod events;
mod files;
mod input;
mod outcome;
mod page;
mod plugins;
mod policy;
mod redirect;
mod saved;
mod submit;
mod upload_limits;
mod uploads;
mod visitor_hash;

use std::rc::Rc;

use self::audience::VisitorTexts;
use self::submit::CachedSubmit;
use crate::error::{Error, Missing};
use crate::forms::slug::is_slug;
use crate::forms::{self, Form, Status};
use crate::http::{Principal, Request, Response, retry_after};
use crate::json;
use crate::pages::{self, theme};
use crate::task::Context;

/// The path of browser events. A slug is never `-`.
const EVENTS: &str = "/-/events";

/// The parts of a form's path that receive and remove files before the submit.
const FILES: &str = "files";
const FORGET_FILES: &str = "files/forget";

/// Handles a visitor's request.
pub async fn visit(cx: Context, mut request: Request) -> Response {
    if request.path == EVENTS && request.method == "POST" {
        let response = events::receive(&cx, &mut request).await;
        return cross_origin(response.guarded(true), false);
    }
    if let Some(ticket) = files::ticket(&request) {
        let response = files::respond(&cx, &request, ticket).await;
        return response.guarded(false);
    }
    let accepts = request.header("accept").unwrap_or_default();
    let is_json = accepts.contains("application/json") || request.content_type().ends_with("json");
    let is_head = request.method == "HEAD";
    let is_preflight = request.method == "OPTIONS";
    let request_id = request.request_id.clone();
    let accept_language = request
        .header("accept-language")
        .unwrap_or_default()
        .to_owned();
    let is_json =
        is_json || request.path.ends_with("/files") || request.path.ends_with(FORGET_FILES);
    let is_open = request.path.ends_with("/embed") || request.path.ends_with("/theme.css");
    let mut response = match response_to(&cx, request).await {
        Ok(response) => response,
        Err(error) => failure(&cx, &error, is_json, &request_id, &accept_language),
    };
    if is_head {
        response.body.clear();
    }
    cross_origin(response.guarded(is_open), is_preflight)
}

async fn response_to(cx: &Context, mut request: Request) -> Result<Response, Error> {
    let path = request.path.trim_matches('/').to_owned();
    let (slug, part) = path.split_once('/').unwrap_or((&path, ""));
    let allowed = match part {
        "" => "GET, HEAD, POST, OPTIONS",
        "embed" | "theme.css" => "GET, HEAD, OPTIONS",
        FILES | FORGET_FILES | saved::SAVED | saved::READ | saved::MAIL | saved::FORGET => {
            "POST, OPTIONS"
        }
        _ if saved_token(part).is_some() => "GET, HEAD, OPTIONS",
        _ => return Err(Error::NotFound(Missing::Form)),
    };
    if !is_slug(slug) {
        return Err(Error::NotFound(Missing::Form));
    }
    let is_sent_to = allowed == "POST, OPTIONS";
    match (request.method.as_str(), part) {
        ("POST", _) if is_sent_to || part.is_empty() => {}
        ("GET" | "HEAD", _) if !is_sent_to => {}
        ("OPTIONS", _) => return Ok(Response::empty(204).with_header("allow", allowed)),
        _ => return Ok(Response::empty(405).with_header("allow", allowed)),
    }
    if request.method == "POST"
        && part.is_empty()
        && let CachedSubmit::Finished(response) = submit_to_cached(cx, slug, &mut request).await?
    {
        return Ok(response);
    }
    let form = form(cx, slug, &request).await?;
    if form.slug != slug && part.is_empty() && request.method != "POST" {
        return Ok(moved(cx, &form, &request));
    }
    respond(cx, &form, part, request).await
}

/// The token in the path of a link to saved progress. `part` is the path after the slug.
fn saved_token(part: &str) -> Option<&str> {
    let token = part.strip_prefix("saved/")?;
    (!token.contains('/') && !["read", "mail", "forget"].contains(&token)).then_some(token)
}

/// Handles a simple submit with the cached form, if the form is cached and its revision is still current. Streamed
/// bodies and forms with their own spam checks are not simple.
async fn submit_to_cached(
    cx: &Context,
    slug: &str,
    request: &mut Request,
) -> Result<CachedSubmit, Error> {
    let cached = forms::cached_form(cx, slug).filter(|form| {
        let is_whole = !request.body_waits && !request.too_large;
        let is_plain = is_whole && form.settings.get("spam_checks").is_none();
        is_plain && form.status != Status::Draft && audience::may_send(cx, form, request)
    });
    let Some(mut form) = cached else {
        return Ok(CachedSubmit::FormMustBeRead);
    };
    if form.settings.contains_key("language") {
        audience::apply_language(cx, Rc::make_mut(&mut form), request);
    }
    let submitted = submit::submit_to_cached(cx, &form, request).await?;
    let origin = request.header("origin").unwrap_or_default();
    Ok(match submitted {
        CachedSubmit::Finished(response) => {
            CachedSubmit::Finished(readable(&form, origin, response))
        }
        CachedSubmit::FormMustBeRead => CachedSubmit::FormMustBeRead,
    })
}

async fn respond(
    cx: &Context,
    form: &Form,
    part: &str,
    mut request: Request,
) -> Result<Response, Error> {
    let origin = request.header("origin").unwrap_or_default().to_owned();
    let response = match (request.method.as_str(), part) {
        ("POST", _) if !audience::may_send(cx, form, &request) => {
            let code = "origin_not_allowed";
            Ok(error_response(403, code, form.word(code), ""))
        }
        ("POST", FILES) => early_uploads::receive(cx, form, &request).await,
        ("POST", FORGET_FILES) => early_uploads::forget(cx, form, &mut request).await,
        ("POST", saved::SAVED) => saved::save(cx, form, &mut request).await,
        ("POST", saved::READ) => saved::read(cx, form, &mut request).await,
        ("POST", saved::FORGET) => saved::forget(cx, form, &mut request).await,
        ("POST", saved::MAIL) => saved::mail(cx, form, &mut request).await,
        ("POST", _) => submit::submit(cx, form, &mut request).await,
        (_, "") => page::show(cx, form, &request).await,
        (_, part) if saved_token(part).is_some() => {
            saved::link(cx, form, saved_token(part).unwrap_or_default()).await
        }
        (_, "embed") => page::embed(cx, form, &request).await,
        _ => return Ok(theme::style_sheet(form)),
    }?;
    Ok(readable(form, &origin, response))
}

/// Redirects from a former URL of a form's page to the current one. Browsers cache the redirect for only an hour, since
/// another form may take the slug.
fn moved(cx: &Context, form: &Form, request: &Request) -> Response {
    let query = if request.query.is_empty() { "" } else { "?" };
    let address = [&pages::path_of(cx, form), query, &request.query].concat();
    Response::empty(301)
        .with_header("location", address)
        .with_header("cache-control", "public, max-age=3600")
}

/// Adds a CORS header, so that only sites that the form allows can read the response.
fn readable(form: &Form, origin: &str, response: Response) -> Response {
    let allowed = audience::origins(form);
    if allowed.is_empty() {
        return response;
    }
    // A caller from any other origin receives an allowed origin, which does not match its own, so its browser blocks
    // the response.
    let reader = allowed.iter().find(|allowed| **allowed == origin);
    let reader = reader.or(allowed.first()).copied().unwrap_or_default();
    let response = response.with_header("vary", "Origin");
    response.with_header("access-control-allow-origin", reader)
}

/// Loads the form with a current or former slug, with the texts of its language. Only users who may edit forms see a
/// draft.
async fn form(cx: &Context, slug: &str, request: &Request) -> Result<Form, Error> {
    let principal = request.principal.as_ref();
    let is_editor = principal.is_some_and(Principal::edits_forms);
    let form = forms::load_by_any_slug(cx, slug).await?;
    let form = form.filter(|form| form.status != Status::Draft || is_editor);
    let mut form = form.ok_or(Error::NotFound(Missing::Form))?;
    audience::apply_language(cx, &mut form, request);
    Ok(form)
}

fn error_response(status: u16, code: &str, text: &str, request_id: &str) -> Response {
    let message = json!({"type": "error", "text": text});
    let body = json!({"message": message, "code": code, "errors": []});
    Response::json(
        status,
        &json::with(body, outcome::failure_data(status, request_id)),
    )
}

/// The response to a failed request, in the visitor's language.
fn failure(
    cx: &Context,
    error: &Error,
    is_json: bool,
    request_id: &str,
    accept_language: &str,
) -> Response {
    let (status, code) = outcome::fault_status(error);
    let (title, text) = match status {
        404 => ("not_found_title", "form_not_found"),
        503 => ("failed_title", "site_busy"),
        _ => ("failed_title", "site_failed"),
    };
    let texts = VisitorTexts::of(cx, accept_language);
    let text = texts.word(text).replace("{request_id}", request_id);
    let mut response = if is_json {
        error_response(status, code, &text, request_id)
    } else {
        page::notice(cx, status, &texts.language, texts.word(title), &text)
    };
    if status >= 500 {
        response.log = Some(error.to_string());
    }
    if let Some(seconds) = retry_after(error) {
        response = response.with_header("retry-after", seconds.to_string());
    }
    response
}

const ALLOWED_HEADERS: &str = "Accept, Content-Type, Idempotency-Key";

/// Adds CORS headers. If the response names no allowed site yet, any site may read it, without credentials. A preflight
/// also gets the allowed methods and headers.
fn cross_origin(mut response: Response, is_preflight: bool) -> Response {
    let name = "access-control-allow-origin";
    if response.header(name).is_none() {
        response = response.with_header(name, "*");
    }
    if !is_preflight {
        return response.with_header("access-control-expose-headers", "Retry-After");
    }
    response
        .with_header("access-control-allow-methods", "GET, HEAD, POST, OPTIONS")
        .with_header("access-control-allow-headers", ALLOWED_HEADERS)
        .with_header("access-control-max-age", "600")
}
