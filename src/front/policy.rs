//! What browsers may do with a visitor's page: what it loads, where its form is sent, who embeds it.

use serde_json::Value;

use super::checks::{Widget, widgets};
use crate::forms::Form;
use crate::http::Response;

/// Nothing but this site.
const SELF: &str = "'self'";

/// A page with a form, which may be part of pages of `framed_by`: nothing is loaded but from this
/// site and from the services whose widgets the form has.
pub fn with_form(response: Response, form: &Form, framed_by: &str) -> Response {
    let settings = form.all_settings();
    let endings = settings.get("endings").and_then(Value::as_array);
    let redirects = endings.into_iter().flatten();
    let redirects = redirects.map(|ending| ending.get("redirect_url"));
    let mut redirects = redirects.chain([settings.get("redirect_url")]);
    let leads_away = |at: Option<&Value>| at.and_then(Value::as_str).is_some_and(is_whole);
    // Browsers hold the redirect after a submit to the policy too.
    let targets = if redirects.any(leads_away) {
        "'self' https: http:"
    } else {
        SELF
    };
    guarded(response, &widgets(form), targets, framed_by)
}

fn is_whole(address: &str) -> bool {
    address.contains("://")
}

/// A page without a form.
pub fn plain(response: Response) -> Response {
    guarded(response, &[], SELF, SELF)
}

/// A page carries a key and a time of its own, so it is never kept.
fn guarded(
    response: Response,
    widgets: &[Widget<'_>],
    form_targets: &str,
    framed_by: &str,
) -> Response {
    let mut policy = String::from("default-src 'none'");
    for (directive, own) in [
        ("img-src", "'self' data: https:"),
        ("font-src", SELF),
        ("style-src", SELF),
        ("script-src", SELF),
        ("connect-src", SELF),
        ("frame-src", ""),
        ("form-action", form_targets),
        ("base-uri", "'none'"),
        ("frame-ancestors", framed_by),
    ] {
        let others = widgets.iter().map(|widget| widget.allowed(directive));
        let sources: Vec<&str> = [own].into_iter().chain(others).collect();
        let sources = sources.join(" ");
        if !sources.trim().is_empty() {
            policy.push_str("; ");
            policy.push_str(directive);
            policy.push(' ');
            policy.push_str(sources.trim());
        }
    }
    // Services look on whose page their widget is.
    let referrer = if widgets.is_empty() {
        "same-origin"
    } else {
        "strict-origin-when-cross-origin"
    };
    response
        .with_header("content-security-policy", policy)
        .with_header("cache-control", "no-store")
        .with_header("x-content-type-options", "nosniff")
        .with_header("referrer-policy", referrer)
}
