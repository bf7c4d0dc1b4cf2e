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
    /// Settings that the step needs. If one is empty, the run ends here as skipped.
    #[serde(default)]
    pub needs: Vec<String>,
    /// The HTTP method.
    pub method: String,
    /// The template of the URL.
    pub url: String,
    /// The templates of the headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The templates of the user and the password for HTTP Basic authentication.
    pub basic: Option<(String, String)>,
    /// The template of a JSON body.
    pub json: Option<Value>,
    /// The template of a form-encoded body, used if there is no JSON body.
    pub form: Option<Value>,
    /// The conditions under which the response counts as a success.
    #[serde(default)]
    pub success: Success,
    /// The JSON Pointer (RFC 6901) to the error message in a JSON response.
    pub reason: Option<String>,
    /// The JSON Pointer to the delay before a retry, in seconds.
    pub retry_after: Option<String>,
    /// Values of the response that later steps use: each name with its JSON Pointer.
    #[serde(default)]
    pub save: BTreeMap<String, String>,
}

/// The conditions under which a response counts as a success.
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

/// The escaping of answers, so that they cannot act as a service's markup.
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
    /// Returns the text with this escaping applied.
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
