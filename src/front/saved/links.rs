//! The pages of saved progress, and the link that opens them. A link opens a page with buttons and without answers, so
//! that programs which follow links in mails get no answers.

use super::{FORGET, READ, SAVED, TOKEN, small_call};
use crate::action_types::secrets::SecretCipher;
use crate::actions::{RESUME_LINK, RESUME_MAIL};
use crate::error::Error;
use crate::forms::language::language;
use crate::forms::{Form, submit_rules};
use crate::front::page;
use crate::http::{Request, Response};
use crate::logic::localized::localized_bound;
use crate::markup::escape::escaped;
use crate::pages::{path_of, site_path};
use crate::security::{new_token, token_hash};
use crate::store::queue::add_alone;
use crate::store::{rate_limits, saved};
use crate::submissions::folded_address;
use crate::task::Context;
use model::dates::DAY_MS;
use model::dates::format_day;

/// The complete URL that opens saved progress, on the site's public URL. Mails contain it.
fn public_address(cx: &Context, form: &Form, token: &str) -> String {
    let site = cx.shared().public_url();
    let prefix = &cx.shared().configuration().front_prefix;
    [&*site, prefix, "/", &form.slug, "/", SAVED, "/", token].concat()
}

/// The complete URL that opens saved progress, on the site that received the request.
pub fn address(cx: &Context, form: &Form, token: &str) -> String {
    let base = cx.base_url();
    let site = base.strip_suffix(site_path(cx)).unwrap_or(base);
    [site, &path_of(cx, form), "/", SAVED, "/", token].concat()
}

/// Adds headers that keep the URL of a page about saved progress from leaking.
fn private(mut response: Response) -> Response {
    let names = ["referrer-policy", "x-robots-tag", "cache-control"];
    response.headers.retain(|(name, _)| !names.contains(name));
    response
        .with_header("referrer-policy", "no-referrer")
        .with_header("x-robots-tag", "noindex")
        .with_header("cache-control", "no-store")
}

/// A page with only a text.
pub fn notice(cx: &Context, form: &Form, status: u16, text: &str) -> Response {
    let language = language(form).unwrap_or("en");
    private(page::notice(cx, status, language, &form.title, text))
}

/// A day in the form's language.
fn day(form: &Form, moment: i64) -> String {
    localized_bound(&format_day(moment.div_euclid(DAY_MS)), &form.messages)
}

/// The sentence about the link and the day when it expires.
pub fn about(form: &Form, expires_at: i64) -> String {
    form.word("saved_link")
        .replace("{date}", &day(form, expires_at))
}

/// A form with a token and one button.
fn button(cx: &Context, form: &Form, part: &str, token: &str, word: &str, class: &str) -> String {
    format!(
        "<form method=\"post\" action=\"{}/{part}\">\n<input type=\"hidden\" name=\"{TOKEN}\" value=\"{}\">\n\
         <p class=\"cf-field\"><button type=\"submit\" class=\"{class}\">{}</button></p>\n</form>\n",
        escaped(&path_of(cx, form)),
        escaped(token),
        escaped(form.word(word))
    )
}

/// The page after a save without script: the link and its expiry.
pub fn saved_page(
    cx: &Context,
    form: &Form,
    token: &str,
    address: &str,
    expires_at: i64,
) -> Response {
    let word = |key| escaped(form.word(key));
    let about = escaped(&about(form, expires_at));
    let link = escaped(address);
    let mut html = format!(
        "<h2 class=\"cf-step-title\">{}</h2>\n<p>{about}</p>\n<p><a class=\"cf-saved-link\" href=\"{link}\">{link}</a></p>\n",
        word("saved_title")
    );
    if form.mails_saved_link(cx) {
        html += &format!(
            "<form method=\"post\" action=\"{}/{SAVED}/mail\">\n<input type=\"hidden\" name=\"{TOKEN}\" value=\"{}\">\n\
             <p class=\"cf-field\"><label class=\"cf-label\" for=\"cf-saved-email\">{}</label>\n\
             <input type=\"email\" class=\"cf-control\" id=\"cf-saved-email\" name=\"email\" required autocomplete=\"email\"></p>\n\
             <p class=\"cf-field\"><button type=\"submit\" class=\"cf-submit\">{}</button></p>\n</form>\n",
            escaped(&path_of(cx, form)),
            escaped(token),
            word("saved_mail_address"),
            word("saved_mail")
        );
    }
    html += &button(cx, form, READ, token, "go_on", "cf-submit");
    private(page::with_html(cx, form, 200, &html))
}

/// `GET /{slug}/saved/{token}`: a page with buttons that continue or delete the saved progress.
pub async fn link(cx: &Context, form: &Form, token: &str) -> Result<Response, Error> {
    let Some(saved) = saved::find(cx, form.id, &token_hash(token)).await? else {
        return Ok(notice(cx, form, 404, form.word("saved_not_found")));
    };
    let about = form
        .word("saved_found")
        .replace("{date}", &day(form, saved.saved_at));
    let html = [
        format!("<p>{}</p>\n", escaped(&about)),
        button(cx, form, READ, token, "go_on", "cf-submit"),
        button(cx, form, FORGET, token, "saved_delete", "cf-save"),
    ];
    Ok(private(page::with_html(cx, form, 200, &html.concat())))
}

/// Limit on the mails with a link to the same saved progress, and on the mails from one form to one email address
/// within a day.
const MAX_MAILS: i64 = 3;
/// Limit on the mails that one visitor requests within an hour.
const MAX_OF_VISITOR: i64 = 10;

/// Masks an email address, except its first character and its domain.
fn masked(address: &str) -> String {
    let (local, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// Logs a warning if the site has no public URL, without which mails contain no links.
async fn warn_without_public_url(cx: &Context, form: &Form) {
    if cx.shared().public_url().is_empty() {
        let message = "resume links are not mailed, since the site has no public URL";
        cx.log("warn", message, json!({"form_id": form.id})).await;
    }
}

/// `POST /{slug}/saved/mail`: mails the link with a separate token. The response is the same if the email address is
/// invalid or has had too many mails.
pub async fn mail(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    let call = small_call(cx, form, &rules, request).await?;
    if form.saving() == "off" || !form.mails_saved_link(cx) {
        warn_without_public_url(cx, form).await;
        return Ok(call.refused(403, "mail_off"));
    }
    let Some((saved, key)) = call.found().await? else {
        return Ok(call.refused(404, "saved_not_found"));
    };
    if saved.mails >= MAX_MAILS || !call.may("resume mails", MAX_OF_VISITOR).await? {
        return Ok(call.too_often().await);
    }
    let address = folded_address(call.sent.value("email").unwrap_or_default());
    if let Some(address) = address {
        let hash = call.signer.hash("mailed address", &address);
        let buckets = [(form.id, ["resume:", &hash].concat())];
        let counts = rate_limits::count_within(cx, &buckets, 1, DAY_MS).await?;
        let token = new_token()?;
        let wrapped = key.wrapped(&token)?;
        if counts.first().is_some_and(|count| *count <= MAX_MAILS)
            && saved::add_mailed(
                cx,
                &saved,
                form.id,
                &token_hash(&token),
                &wrapped,
                MAX_MAILS,
            )
            .await?
        {
            let texts = |key: &str| {
                let text = form
                    .word(key)
                    .replace("{date}", &day(form, saved.expires_at));
                text.replace("{title}", &form.title)
            };
            let mail = json!({
                "to": address,
                "subject": texts("saved_mail_subject"),
                "text": format!("{}\n\n{}\n", texts("saved_mail_text"), public_address(cx, form, &token)),
            });
            let cipher = SecretCipher::of(cx).await?;
            let sealed = cipher.sealed(RESUME_LINK, RESUME_MAIL, &mail.to_string())?;
            let settings =
                json!({"type": RESUME_LINK, "to": masked(&address), RESUME_MAIL: sealed});
            add_alone(cx, form.id, RESUME_LINK, &settings.to_string()).await?;
        }
    }
    let mut response = if call.wants_json() {
        let text = form.word("saved_mail_sent");
        Response::json(202, &json!({"message": {"type": "success", "text": text}}))
    } else {
        notice(cx, form, 202, form.word("saved_mail_sent"))
    };
    response.run_queue = true;
    Ok(response)
}
