//! Captcha widgets in a page. Each is a container with a text for visitors without script. The visitor's script fills
//! the container with the service's widget.

use serde_json::{Map, Value};

use super::checks::checks_of;
use super::verifier::{self, Verifier};
use crate::forms::Form;
use crate::markup::escape::escaped;

/// Limit on a site key, in bytes.
const MAX_KEY_BYTES: usize = 200;

/// A captcha widget of a form.
pub struct Widget<'a> {
    kind: &'a str,
    verifier: &'static Verifier,
    site_key: &'a str,
    /// The version of reCAPTCHA: `3` needs no interaction.
    version: String,
}

/// The widgets of the form's checks that have a site key.
pub fn widgets(form: &Form) -> Vec<Widget<'_>> {
    checks_of(form).filter_map(Widget::of).collect()
}

impl<'a> Widget<'a> {
    fn of(check: &'a Map<String, Value>) -> Option<Widget<'a>> {
        let text = |key: &str| check.get(key).and_then(Value::as_str).map(str::trim);
        let kind = text("type")?;
        let verifier = verifier::of(kind).filter(|verifier| verifier.allowed("").is_some())?;
        let site_key = text("site_key").filter(|key| (1..=MAX_KEY_BYTES).contains(&key.len()))?;
        let version = match check.get("version") {
            Some(Value::String(version)) => version.clone(),
            Some(Value::Number(version)) => version.to_string(),
            _ => String::new(),
        };
        Some(Widget {
            kind,
            verifier,
            site_key,
            version,
        })
    }

    /// Renders the widget's container. Visitors without script, or who have not completed the widget, see `message`.
    pub fn html(&self, message: &str) -> String {
        let (kind, key, message) = (self.kind, escaped(self.site_key), escaped(message));
        let version = match self.version.as_str() {
            "" => String::new(),
            version => format!(" data-version=\"{}\"", escaped(version)),
        };
        format!(
            "<div class=\"cf-captcha\" data-captcha=\"{kind}\" data-sitekey=\"{key}\"{version} data-message=\"{message}\">\
             <noscript><p class=\"cf-message cf-message-error\">{message}</p></noscript></div>\n"
        )
    }

    /// The sources that the page's policy must allow in a directive for the widget.
    pub fn allowed(&self, directive: &str) -> &'static str {
        self.verifier.allowed(directive).unwrap_or_default()
    }
}
