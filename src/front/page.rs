//! The pages that visitors see: complete documents that need no script.

use std::collections::BTreeSet;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::form_element::{FormElement, Message, closed, fault_name};
use super::input::Sent;
use super::outcome::{self, Refused};
use super::policy;
use crate::error::Error;
use crate::forms::messages::message_text;
use crate::forms::settings::Settings;
use crate::forms::{Form, FormSchema, Status, effective_schema};
use crate::http::{Request, Response};
use crate::logic::validate::AnswerFault;
use crate::markup::{escape, ids, markers};
use crate::security::{Signer, Use};
use crate::store::rate_limits::Gate;
use crate::store::submissions::{Screening, screen};
use crate::task::Context;

/// How long an address that tells of a success does so, in milliseconds.
const TOLD_MS: i64 = 3_600_000;

/// The longest address that is kept of a page.
pub const MAX_ADDRESS_CHARS: usize = 2_000;

/// `GET /{slug}`: the form as a page, or what it says instead.
pub async fn show(cx: &Context, form: &Form, request: &Request) -> Result<Response, Error> {
    let signer = crate::store::signer(cx).await?;
    let success = told_success(cx, &signer, form, request).await;
    let message = success.as_deref().map(|text| Message {
        is_success: true,
        text,
    });
    let settings = form.settings();
    if let (Some(message), true) = (message, settings.hide_after_success) {
        return Ok(document(
            cx,
            form,
            200,
            &Body::plain(closed(form, message, None)),
        ));
    }
    if let Some(refused) = closing(cx, form, &settings, request).await? {
        let message = message.unwrap_or(Message {
            is_success: false,
            text: &refused.text,
        });
        let link = sign_in_link(cx, form, &refused, path_of(cx, form)).await;
        let html = closed(form, message, link.as_ref());
        return Ok(document(cx, form, 200, &Body::plain(html)));
    }
    let schema = effective_schema(cx, form)?;
    let element = FormElement {
        form,
        schema: &schema,
        action: &path_of(cx, form),
        referrer: &address_header(request, "referer"),
        sent: None,
        faults: &[],
        message,
    };
    let body = Body::plain(element.html(cx, &signer).await?);
    Ok(document(cx, form, 200, &body))
}

/// `GET /{slug}/embed`: the form element alone, for a page of any site.
pub async fn embed(cx: &Context, form: &Form, request: &Request) -> Result<Response, Error> {
    let signer = crate::store::signer(cx).await?;
    let html = match closing(cx, form, &form.settings(), request).await? {
        Some(refused) => {
            let link = sign_in_link(cx, form, &refused, path_of(cx, form)).await;
            let message = Message {
                is_success: false,
                text: &refused.text,
            };
            closed(form, message, link.as_ref())
        }
        None => {
            let schema = effective_schema(cx, form)?;
            let base = cx.base_url();
            let prefix = &cx.shared().configuration().front_prefix;
            let element = FormElement {
                form,
                schema: &schema,
                action: &format!("{base}{prefix}/{}", form.slug),
                referrer: "",
                sent: None,
                faults: &[],
                message: None,
            };
            element.html(cx, &signer).await?
        }
    };
    let response = Response::of(200, "text/html; charset=UTF-8", html);
    Ok(policy::with_form(response, form, "*"))
}

/// The page of a form that was refused: what is wrong, beside each field, and what was sent.
pub async fn show_again(
    cx: &Context,
    form: &Form,
    sent: &Sent,
    refused: &Refused,
) -> Result<Response, Error> {
    let signer = crate::store::signer(cx).await?;
    let schema = effective_schema(cx, form)?;
    let message = Message {
        is_success: false,
        text: &refused.text,
    };
    let element = FormElement {
        form,
        schema: &schema,
        action: &path_of(cx, form),
        referrer: "",
        sent: Some(sent),
        faults: &refused.faults,
        message: refused.faults.is_empty().then_some(message),
    };
    let html = element.html(cx, &signer).await?;
    let body = Body {
        summary: summary(form, &schema, refused, &html),
        html,
        is_faulty: true,
    };
    let response = document(cx, form, refused.status, &body);
    Ok(refused.with_headers(response))
}

/// The page of a form as a visitor sees it first.
pub async fn preview(cx: &Context, form: &Form) -> Result<String, Error> {
    let signer = crate::store::signer(cx).await?;
    let element = FormElement {
        form,
        schema: &*effective_schema(cx, form)?,
        action: &path_of(cx, form),
        referrer: "",
        sent: None,
        faults: &[],
        message: None,
    };
    let body = Body::plain(element.html(cx, &signer).await?);
    let page = document(cx, form, 200, &body);
    Ok(String::from_utf8_lossy(&page.body).into_owned())
}

/// A page that only says something.
pub fn notice(cx: &Context, status: u16, title: &str, text: &str) -> Response {
    let mut html = String::from("<p class=\"cf-message cf-message-error\">");
    escape::text(&mut html, text);
    html.push_str("</p>\n");
    let html = whole(cx, "en", title, title, &Body::plain(html));
    policy::plain(Response::of(status, "text/html; charset=UTF-8", html))
}

/// Where an accepted form without a redirect goes: its own page, which tells of the success.
pub fn success_address(cx: &Context, signer: &Signer, form: &Form, at: i64) -> String {
    let token = signer.sign(Use::Submitted, form.id, at);
    format!("{}?submitted={token}", path_of(cx, form))
}

/// Why a form is not shown, nor taken, at all.
pub async fn closing(
    cx: &Context,
    form: &Form,
    settings: &Settings,
    request: &Request,
) -> Result<Option<Refused>, Error> {
    if let Some(code) = form.closed_because(settings, cx.now()) {
        return Ok(Some(Refused::by(cx, form, 403, code).await));
    }
    if settings.require_user_logged_in && request.principal.is_none() {
        let refused = Refused::by(cx, form, 403, "require_user_logged_in").await;
        return Ok(Some(refused));
    }
    match screen(cx, form.id, None, &total_gate(settings)).await? {
        Screening::Refused(refusal) => Ok(Some(Refused::at_gate(cx, form, refusal).await)),
        _ => Ok(None),
    }
}

/// Where the visitor signs in, with the words for it, if that is what the form asks for and the
/// host has a page for it. The way back is a path of this site.
async fn sign_in_link(
    cx: &Context,
    form: &Form,
    refused: &Refused,
    back: String,
) -> Option<(String, String)> {
    let address = &cx.shared().configuration().sign_in_url;
    if address.is_empty() || refused.code != "require_user_logged_in" {
        return None;
    }
    let mark = if address.contains('?') { '&' } else { '?' };
    let back = utf8_percent_encode(&back, NON_ALPHANUMERIC);
    let words = outcome::message(cx, form, "sign_in").await;
    Some((format!("{address}{mark}redirect_to={back}"), words))
}

/// The gate on the number of a form's submissions, if it has one.
pub fn total_gate(settings: &Settings) -> Vec<Gate> {
    let limit = i64::try_from(settings.submission_limit).unwrap_or(i64::MAX);
    let gate = (limit > 0).then_some(Gate::Total {
        limit,
        saved: settings.save_submissions,
    });
    gate.into_iter().collect()
}

/// A header that holds the address of a page; empty for any other text.
pub fn address_header(request: &Request, name: &str) -> String {
    page_address(request.header(name).unwrap_or_default())
}

/// The text, if it is the address of a page and not too long; else nothing.
pub fn page_address(text: &str) -> String {
    let is_page = text.starts_with("https://") || text.starts_with("http://");
    let is_short = text.chars().count() <= MAX_ADDRESS_CHARS;
    if is_page && is_short && !text.contains(char::is_control) {
        text.to_owned()
    } else {
        String::new()
    }
}

/// The success that the address tells of, when the site itself wrote that not long ago.
async fn told_success(
    cx: &Context,
    signer: &Signer,
    form: &Form,
    request: &Request,
) -> Option<String> {
    let query = request.query_pairs();
    let (_, token) = query.iter().find(|(name, _)| name == "submitted")?;
    let at = signer.moment(Use::Submitted, form.id, token)?;
    if cx.now() - at > TOLD_MS {
        return None;
    }
    Some(outcome::message(cx, form, "success").await)
}

/// What goes into a page's main part.
struct Body {
    /// Above the form.
    summary: String,
    html: String,
    is_faulty: bool,
}

impl Body {
    fn plain(html: String) -> Body {
        Body {
            summary: String::new(),
            html,
            is_faulty: false,
        }
    }
}

/// All faults at the top, each leading to its field. It takes the focus, so that whoever cannot
/// see the page hears of it first.
fn summary(form: &Form, schema: &FormSchema, refused: &Refused, html: &str) -> String {
    if refused.faults.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<div class=\"cf-summary\" role=\"alert\" tabindex=\"-1\" autofocus>\n<p class=\"cf-summary-title\">",
    );
    escape::text(&mut out, &refused.text);
    out.push_str("</p>\n<ul>\n");
    let ids = ids(html);
    for fault in &refused.faults {
        out.push_str("<li>");
        let place = place_of(form, schema, fault, &ids);
        if let Some(id) = &place {
            out.push_str("<a");
            escape::attribute(&mut out, "href", &format!("#{id}"));
            out.push('>');
        }
        escape::text(&mut out, &fault.message);
        out.push_str(if place.is_some() {
            "</a></li>\n"
        } else {
            "</li>\n"
        });
    }
    out.push_str("</ul>\n</div>\n");
    out
}

/// The id of the control that a fault is about, or of the message beside it.
fn place_of(
    form: &Form,
    schema: &FormSchema,
    fault: &AnswerFault,
    ids: &BTreeSet<String>,
) -> Option<String> {
    let id_of = |name: &str| {
        let part = markers::id_part(name);
        format!("{}{}--{part}", markers::ID_PREFIX, form.id)
    };
    let (field, input) = (id_of(&fault.field), id_of(&fault_name(fault)));
    let own = schema.field(&fault.field);
    let own = own.and_then(|field| field.attributes.get("id")).cloned();
    let places = match fault.part {
        Some(part) => vec![format!("{field}--{part}")],
        // The first choice of a set stands for it.
        None => vec![
            field.clone(),
            own.unwrap_or_default(),
            format!("{field}--1"),
        ],
    };
    let messages = [format!("{input}--error"), format!("{field}--error")];
    let mut places = places.into_iter().chain(messages);
    places.find(|id| !id.is_empty() && ids.contains(id))
}

fn document(cx: &Context, form: &Form, status: u16, body: &Body) -> Response {
    let language = form
        .settings
        .get("language")
        .and_then(|value| value.as_str());
    let is_tag = |tag: &&str| {
        (2..=35).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let language = language.filter(is_tag).unwrap_or("en");
    let marked;
    let heading = match form.status {
        Status::Draft => {
            marked = ["Draft: ", &form.title].concat();
            &marked
        }
        _ => &form.title,
    };
    let html = match body.is_faulty {
        true => {
            let title = message_text(&form.messages, "error_title").replace("{title}", heading);
            whole(cx, language, &title, heading, body)
        }
        false => whole(cx, language, heading, heading, body),
    };
    let response = Response::of(status, "text/html; charset=UTF-8", html);
    policy::with_form(response, form, "'self'")
}

fn whole(cx: &Context, language: &str, title: &str, heading: &str, body: &Body) -> String {
    let configuration = cx.shared().configuration();
    let assets = format!("{}{}/-/assets/", site_path(cx), configuration.front_prefix);
    let mut html = String::with_capacity(body.html.len() + body.summary.len() + 1_000);
    html.push_str("<!doctype html>\n<html");
    escape::attribute(&mut html, "lang", language);
    escape::attribute(&mut html, "dir", direction(language));
    html.push_str(
        ">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>",
    );
    escape::text(&mut html, title);
    // Else browsers ask for a /favicon.ico that is not ours to give.
    html.push_str("</title>\n<link rel=\"icon\" href=\"data:,\">\n");
    if let Some(style) = configuration.assets.get("style") {
        html.push_str("<link rel=\"stylesheet\"");
        escape::attribute(&mut html, "href", &format!("{assets}{style}"));
        html.push_str(">\n");
    }
    if let Some(script) = configuration.assets.get("script") {
        html.push_str("<script");
        escape::attribute(&mut html, "src", &format!("{assets}{script}"));
        html.push_str(" defer></script>\n");
    }
    html.push_str(
        "</head>\n<body class=\"cf-page\">\n<main class=\"cf-main\">\n<h1 class=\"cf-title\">",
    );
    escape::text(&mut html, heading);
    html.push_str("</h1>\n");
    html.push_str(&body.summary);
    html.push_str(&body.html);
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

/// The path of the site's own address, such as `` or `/blog`.
fn site_path(cx: &Context) -> &str {
    let base = cx.base_url();
    let host = base.split_once("://").map_or(base, |(_, rest)| rest);
    host.find('/').and_then(|at| host.get(at..)).unwrap_or("")
}

/// The path of a form's page.
fn path_of(cx: &Context, form: &Form) -> String {
    let prefix = &cx.shared().configuration().front_prefix;
    format!("{}{prefix}/{}", site_path(cx), form.slug)
}

fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    match primary.to_ascii_lowercase().as_str() {
        "ar" | "arc" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => "rtl",
        _ => "ltr",
    }
}
