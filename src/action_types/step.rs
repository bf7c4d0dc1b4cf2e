//! The requests of a service, as its definition describes them (`docs/actions.md`). `src/actions/services` sends them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// One request to a service.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Sent only if this setting has a value.
    pub when: Option<String>,
    /// Sent only if this setting is empty.
    pub unless: Option<String>,
    /// Sent once for each item of this comma list, as `{{item}}`.
    pub each: Option<String>,
    /// Settings without which the step is skipped.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The HTTP method.
    pub method: String,
    /// The template of the address.
    pub url: String,
    /// The templates of the headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// User and password of HTTP Basic.
    pub basic: Option<(String, String)>,
    /// The body, as JSON …
    pub json: Option<Value>,
    /// … or as form fields.
    pub form: Option<Value>,
    /// The conditions for the response to be a success.
    #[serde(default)]
    pub success: Success,
    /// The JSON Pointer (RFC 6901) to the reason of a failure in a JSON response.
    pub reason: Option<String>,
    /// The JSON Pointer to the seconds to wait after a failure.
    pub retry_after: Option<String>,
    /// Values of the response for later steps, by name and JSON Pointer.
    #[serde(default)]
    pub save: BTreeMap<String, String>,
}

/// The conditions for a response to be a success.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Success {
    /// The accepted statuses; any 2xx if empty.
    #[serde(default)]
    pub status: Vec<u16>,
    /// The required values, by JSON Pointer.
    #[serde(default)]
    pub equals: BTreeMap<String, Value>,
}

/// The escaping of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Escape {
    /// No escaping.
    #[default]
    None,
    /// `&`, `<` and `>` become entities, as Slack requires, so that `<!channel>` triggers no notification.
    Entities,
    /// A zero-width space follows each `@`, so that it triggers no notification.
    Mentions,
}

impl Escape {
    /// Escapes a text.
    pub fn text(self, text: &str) -> String {
        match self {
            Escape::None => text.to_owned(),
            Escape::Entities => text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;"),
            Escape::Mentions => text.replace('@', "@\u{200b}"),
        }
    }
}
