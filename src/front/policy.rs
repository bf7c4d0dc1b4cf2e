//! The content security policy of visitors' pages: the sources that a page may load, the targets of its form, and the
//! sites that may embed it.

use serde_json::Value;

use crate::forms::Form;
use crate::http::Response;
use crate::pages::Scripts;
use crate::spam::{Widget, widgets};
use crate::task::Context;

/// The source that stands for this site.
const SELF: &str = "'self'";

/// The policy for trusted types, which only the visitor's script creates (visitor/script/trusted.ts).
const TRUSTED_TYPES: &str = "; require-trusted-types-for 'script'; trusted-types cf-forms";

/// Adds the policy of a page with a form, which sites in `framed_by` may embed. Pictures may come from any HTTPS site.
/// Other content comes from this site, the widgets' services and, for scripts, the configured sources.
pub fn with_form(
    cx: &Context,
    response: Response,
    form: &Form,
    scripts: &Scripts,
    framed_by: &str,
) -> Response {
    let settings = form.all_settings();
    let endings = settings.get("endings").and_then(Value::as_array);
    let redirects = endings.into_iter().flatten();
    let redirects = redirects.map(|ending| ending.get("redirect_url"));
    let mut redirects = redirects.chain([settings.get("redirect_url")]);
    let leads_away = |at: Option<&Value>| at.and_then(Value::as_str).is_some_and(is_whole);
    // Browsers also apply `form-action` to the redirect after a submit.
    let targets = if redirects.any(leads_away) {
        "'self' https: http:"
    } else {
        SELF
    };
    guarded(cx, response, &widgets(form), scripts, targets, framed_by)
}

fn is_whole(address: &str) -> bool {
    address.contains("://")
}

/// Adds the policy of a page without a form.
pub fn plain(cx: &Context, response: Response, scripts: &Scripts) -> Response {
    guarded(cx, response, &[], scripts, SELF, SELF)
}

/// Adds the policy. The page contains a fresh key, time and nonce, so it must not be cached.
fn guarded(
    cx: &Context,
    response: Response,
    widgets: &[Widget<'_>],
    scripts: &Scripts,
    form_targets: &str,
    framed_by: &str,
) -> Response {
    let others = &cx.shared().configuration().script_sources;
    let script_source = [&[scripts.source(cx)], others.as_slice()]
        .concat()
        .join(" ");
    let mut policy = String::from("default-src 'none'");
    for (directive, sources) in [
        ("img-src", "'self' data: https:"),
        ("font-src", SELF),
        ("style-src", SELF),
        ("script-src", &script_source),
        ("connect-src", SELF),
        ("frame-src", ""),
        ("form-action", form_targets),
        ("base-uri", "'none'"),
        ("frame-ancestors", framed_by),
    ] {
        let others = widgets.iter().map(|widget| widget.allowed(directive));
        let sources: Vec<&str> = [sources].into_iter().chain(others).collect();
        let sources = sources.join(" ");
        if !sources.trim().is_empty() {
            policy.push_str("; ");
            policy.push_str(directive);
            policy.push(' ');
            policy.push_str(sources.trim());
        }
    }
    // Third-party scripts do not use trusted types.
    if widgets.is_empty() && others.is_empty() {
        policy.push_str(TRUSTED_TYPES);
    }
    // Captcha services check by the referrer which site shows their widget.
    let referrer = if widgets.is_empty() {
        "same-origin"
    } else {
        "strict-origin-when-cross-origin"
    };
    response
        .with_header("content-security-policy", policy)
        .with_header("cache-control", "no-store")
        .with_header("referrer-policy", referrer)
}
