//! What browsers may do with what visitors reach: what a page loads and runs, where its form is sent, who
//! embeds it.

use serde_json::Value;

use super::checks::{Widget, widgets};
use crate::forms::Form;
use crate::http::Response;
use crate::security::random;
use crate::task::Context;

/// Nothing but this site.
const SELF: &str = "'self'";

/// The only policy of trusted types: the visitor's script makes it (visitor/script/trusted.ts).
const TRUSTED_TYPES: &str = "; require-trusted-types-for 'script'; trusted-types cf-forms";

/// What marks the engine's scripts in a page.
pub enum Scripts {
    /// A nonce, which no other response has. Only for pages that nobody keeps.
    Nonce(String),
    /// The path that they are loaded from: for what becomes part of other pages.
    Path,
}

impl Scripts {
    /// A fresh nonce; the path where the platform gives no random bytes.
    pub fn marked() -> Scripts {
        random::token(16).map_or(Scripts::Path, Scripts::Nonce)
    }

    /// The attribute of the engine's script elements.
    pub fn attribute(&self) -> String {
        match self {
            Scripts::Nonce(nonce) => format!(" nonce=\"{nonce}\""),
            Scripts::Path => String::new(),
        }
    }

    fn source(&self, cx: &Context) -> String {
        match self {
            Scripts::Nonce(nonce) => format!("'nonce-{nonce}'"),
            Scripts::Path => {
                let prefix = &cx.shared().configuration().front_prefix;
                format!("{}{prefix}/-/assets/", cx.base_url())
            }
        }
    }
}

/// A page with a form, which may be part of pages of `framed_by`: nothing is loaded but from this
/// site, from the services whose widgets the form has, and scripts from the site's other sources.
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
    // Browsers hold the redirect after a submit to the policy too.
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

/// A page without a form.
pub fn plain(cx: &Context, response: Response, scripts: &Scripts) -> Response {
    guarded(cx, response, &[], scripts, SELF, SELF)
}

/// A page carries a key, a time and a nonce of its own, so it is never kept.
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
    for (directive, own) in [
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
        let sources: Vec<&str> = [own].into_iter().chain(others).collect();
        let sources = sources.join(" ");
        if !sources.trim().is_empty() {
            policy.push_str("; ");
            policy.push_str(directive);
            policy.push(' ');
            policy.push_str(sources.trim());
        }
    }
    // Scripts of others know nothing of the policy for trusted types.
    if widgets.is_empty() && others.is_empty() {
        policy.push_str(TRUSTED_TYPES);
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
        .with_header("referrer-policy", referrer)
}
