//! What visitors' answers are rid of before they become part of a service's markup.

use serde::Deserialize;
use serde_json::Value;

use crate::json::map_texts;

/// How answers are escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Escape {
    /// As they are.
    #[default]
    None,
    /// `&`, `<` and `>` become entities, as Slack asks: else `<!channel>` would call everybody.
    Entities,
    /// `@` calls nobody: a space of no width follows it.
    Mentions,
}

impl Escape {
    /// A text, escaped.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            Escape::None => text.to_owned(),
            Escape::Entities => text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;"),
            Escape::Mentions => text.replace('@', "@\u{200b}"),
        }
    }

    /// Every text in a value, escaped.
    pub(super) fn value(self, value: &Value) -> Value {
        map_texts(value, &|text| self.text(text))
    }
}
