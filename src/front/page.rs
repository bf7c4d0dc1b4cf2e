//! The pages that visitors see, which need no script, and the form element for other sites' pages.

use serde_json::Map;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::closing::closing_reason;
use super::input::Sent;
use super::outcome::{Accepted, Rejection};
use super::{audience, claims, ending::Ending, policy, redirect, uploads};
use crate::error::Error;
use crate::forms::{Form, effective_schema};
use crate::http::{Request, Response};
use crate::logic::input::Input;
use crate::logic::validate::label_of;
use crate::markup::escape::escaped;
use crate::markup::with_whole_addresses;
use crate::pages::{
    self, FormElement, KeptFile, Message, MessageKind, Scripts, closed, form_document,
    html_document, links, messages, path_of, site_path,
};
use crate::security::{Signer, Use};
use crate::submissions::{Submission, page_address};
use crate::task::Context;

/// Lifetime of a signed URL that shows a success message, in milliseconds.
const SUCCESS_LIFETIME_MS: i64 = 3_600_000;

/// Limit on the endings that a URL can encode. The signed number is the moment times this limit, plus the ending's
/// number.
const MAX_ENDINGS: i64 = 32;

/// `GET /{slug}`: a page with the form, or with a message instead.
pub async fn show(cx: &Context, form: &Form, request: &Request) -> Result<Response, Error> {
    let signer = crate::store::signer(cx).await?;
    let success = success_in_address(cx, &signer, form, request).await;
    let message = success.as_ref().map(|ending| Message {
        kind: MessageKind::Success,
        text: &ending.text,
    });
    let settings = form.settings();
    if let (Some(ending), true) = (&success, settings.hide_after_success) {
        return Ok(ended(cx, form, &ending.html(cx, form, &[])));
    }
    if let Some(rejection) = closing_reason(cx, form, &settings, request).await? {
        let html = in_place_of(cx, form, &rejection, message).await;
        return Ok(document(cx, form, 200, &html));
    }
    let referrer = address_header(request, "referer");
    let element = FormElement::of(cx, form, path_of(cx, form))?;
    let element = FormElement {
        referrer: &referrer,
        message,
        prefill: form.prefill(&element.schema, &request.query),
        ..element
    };
    with_element(cx, 200, &element).await
}

/// The page that contains a form element.
async fn with_element(
    cx: &Context,
    status: u16,
    element: &FormElement<'_>,
) -> Result<Response, Error> {
    let signer = crate::store::signer(cx).await?;
    let html = element.html(cx, &signer).await?;
    Ok(document(cx, element.form, status, &html))
}

/// Renders the content that replaces a closed form: the message or else the reason, and a sign-in link if signing in
/// opens the form.
async fn in_place_of(
    cx: &Context,
    form: &Form,
    rejection: &Rejection,
    message: Option<Message<'_>>,
) -> String {
    let mut html = String::new();
    let why = Message {
        kind: MessageKind::Notice,
        text: &rejection.text,
    };
    messages(&mut html, Some(message.unwrap_or(why)));
    let sign_in = &cx.shared().configuration().sign_in_url;
    if !sign_in.is_empty() && rejection.code == "require_user_logged_in" {
        let mark = if sign_in.contains('?') { '&' } else { '?' };
        // The URL to return to is a path of this site.
        let path = path_of(cx, form);
        let back = utf8_percent_encode(&path, NON_ALPHANUMERIC);
        let address = escaped(&format!("{sign_in}{mark}redirect_to={back}"));
        let words = escaped(&pages::message(cx, form, "sign_in").await);
        html += &format!("<p class=\"cf-link\"><a href=\"{address}\">{words}</a></p>\n");
    }
    closed(form, &html)
}

/// The page of a form that was replaced by its ending.
pub fn ended(cx: &Context, form: &Form, ending: &str) -> Response {
    let ending = format!("<div class=\"cf-messages\">{ending}</div>\n");
    document(cx, form, 200, &closed(form, &ending))
}

/// The form's page with other content instead of the form.
pub fn with_html(cx: &Context, form: &Form, status: u16, html: &str) -> Response {
    document(cx, form, status, &closed(form, html))
}

/// The form's page with saved progress filled in. `changed` names the fields whose answers the form no longer accepts.
pub async fn resumed(
    cx: &Context,
    form: &Form,
    input: &Input,
    kept: Vec<KeptFile>,
    changed: &[String],
    step: &str,
) -> Result<Response, Error> {
    let element = FormElement::of(cx, form, path_of(cx, form))?;
    let label = |name: &String| {
        let field = element.schema.field(name);
        field.map_or_else(
            || name.clone(),
            |field| label_of(field, None, &form.messages),
        )
    };
    let fields: Vec<String> = changed.iter().map(label).collect();
    let text = form
        .word("saved_changed")
        .replace("{fields}", &fields.join(", "));
    let message = Message {
        kind: MessageKind::Notice,
        text: &text,
    };
    let element = FormElement {
        sent: Some(input),
        kept,
        message: (!changed.is_empty()).then_some(message),
        step,
        ..element
    };
    let mut response = with_element(cx, 200, &element).await?;
    response.shows_answers = true;
    Ok(response)
}

/// `GET /{slug}/embed`: only the form element, for a page of any site.
pub async fn embed(cx: &Context, form: &Form, request: &Request) -> Result<Response, Error> {
    let html = match closing_reason(cx, form, &form.settings(), request).await? {
        Some(rejection) => in_place_of(cx, form, &rejection, None).await,
        None => {
            let base = cx.base_url();
            let prefix = &cx.shared().configuration().front_prefix;
            let action = format!("{base}{prefix}/{}", form.slug);
            let element = FormElement::of(cx, form, action)?;
            let element = FormElement {
                is_embedded: true,
                prefill: form.prefill(&element.schema, &request.query),
                ..element
            };
            let signer = crate::store::signer(cx).await?;
            element.html(cx, &signer).await?
        }
    };
    let base = cx.base_url();
    let site = base.strip_suffix(site_path(cx)).unwrap_or(base);
    // Other sites may cache the element as part of their pages, so it must not contain a nonce.
    let scripts = Scripts::Path;
    let html = links(cx, Some(form), &scripts) + &html;
    let response = Response::html(200, with_whole_addresses(&html, site));
    let framed_by = audience::framed_by(form);
    Ok(policy::with_form(cx, response, form, &scripts, &framed_by))
}

/// The page after a rejection: the form with the sent answers and their faults. Files that were not kept must be
/// chosen again.
pub async fn show_again(
    cx: &Context,
    form: &Form,
    sent: &Sent,
    rejection: &Rejection,
) -> Result<Response, Error> {
    let element = FormElement::of(cx, form, path_of(cx, form))?;
    let faults = uploads::to_choose_again(cx, form, &element.schema, sent, rejection).await;
    let element = FormElement {
        sent: Some(&sent.input),
        kept: claims::kept_files(sent, &rejection.faults),
        faults: &faults,
        message: Some(Message {
            kind: MessageKind::Error,
            text: &rejection.text,
        }),
        ..element
    };
    let mut response = with_element(cx, rejection.status, &element).await?;
    response.shows_answers = true;
    Ok(rejection.with_headers(response))
}

/// The page after a repeating group gained or lost a row, for browsers without the visitor's script. Nothing is stored.
pub async fn with_rows(cx: &Context, form: &Form, sent: &Sent) -> Result<Response, Error> {
    let element = FormElement {
        sent: Some(&sent.input),
        kept: claims::kept_files(sent, &[]),
        ..FormElement::of(cx, form, path_of(cx, form))?
    };
    let mut response = with_element(cx, 200, &element).await?;
    response.shows_answers = true;
    Ok(response)
}

/// The page that shows the answers for review, for browsers without the visitor's script.
pub async fn review(
    cx: &Context,
    form: &Form,
    sent: &Sent,
    answers: &[(String, String)],
) -> Result<Response, Error> {
    let element = FormElement {
        sent: Some(&sent.input),
        kept: claims::kept_files(sent, &[]),
        reviewed: Some(answers),
        ..FormElement::of(cx, form, path_of(cx, form))?
    };
    with_element(cx, 200, &element).await
}

/// A page with only a message, in the given language.
pub fn notice(cx: &Context, status: u16, language: &str, title: &str, text: &str) -> Response {
    let text = escaped(text);
    let kind = if status < 300 { "success" } else { "error" };
    let html = format!("<p class=\"cf-message cf-message-{kind}\">{text}</p>\n");
    let scripts = Scripts::marked();
    let html = html_document(cx, None, &scripts, language, [title, title], &html);
    policy::plain(cx, Response::html(status, html), &scripts)
}

/// The URL of the form's page with the success message, for accepted submits without a redirect.
pub fn success_address(cx: &Context, signer: &Signer, form: &Form, accepted: &Accepted) -> String {
    let ending = i64::try_from(accepted.ending).unwrap_or(0);
    let token = signer.sign(Use::Submitted, form.id, accepted.at * MAX_ENDINGS + ending);
    format!("{}?submitted={token}", path_of(cx, form))
}

/// The page's URL in a header; empty if the header contains any other text.
pub fn address_header(request: &Request, name: &str) -> String {
    page_address(request.header(name).unwrap_or_default())
}

/// The ending that the page's URL encodes, if its signature is valid and recent.
async fn success_in_address(
    cx: &Context,
    signer: &Signer,
    form: &Form,
    request: &Request,
) -> Option<Ending> {
    let query = request.query_pairs();
    let (_, token) = query.iter().find(|(name, _)| name == "submitted")?;
    let submitted = signer.moment(Use::Submitted, form.id, token)?;
    if cx.now() - submitted / MAX_ENDINGS > SUCCESS_LIFETIME_MS {
        return None;
    }
    let number = usize::try_from(submitted % MAX_ENDINGS).unwrap_or(0);
    let schema = effective_schema(cx, form).ok()?;
    let facts = redirect::Facts {
        form,
        schema: &schema,
        submission: &Submission::default(),
        data: &Map::new(),
        uuid: "",
    };
    Some(Ending::of(cx, form, number).await.filled(&facts))
}

/// The response with a form's page.
fn document(cx: &Context, form: &Form, status: u16, body: &str) -> Response {
    let scripts = Scripts::marked();
    let html = form_document(cx, form, status, body, &scripts);
    let response = Response::html(status, html);
    policy::with_form(cx, response, form, &scripts, &audience::framed_by(form))
}
