//! Endings: the message, links and optional list of answers that replace a form after a submit (`docs/theming.md`,
//! "Endings").

use serde::Serialize;
use serde_json::{Map, Value};

use super::redirect::{Facts, variables};
use crate::forms::check::parse_conditions;
use crate::forms::settings::is_redirect_target;
use crate::forms::{Form, FormSchema};
use crate::logic::conditions::hold_for_data;
use crate::logic::template::{self, expand};
use crate::markup::escape::escaped;
use crate::markup::{sanitize, without_form_tags};
use crate::pages::{list, message, path_of};
use crate::task::Context;

/// One of a form's endings. JSON responses contain its text, HTML and title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "success")]
pub struct Ending {
    /// The title above the text; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    pub text: String,
    /// The text as HTML; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub html: String,
    /// The label and the URL of a button; empty for none.
    #[serde(skip)]
    pub button: (String, String),
    /// The URL of a redirect that replaces the ending; empty for none.
    #[serde(skip)]
    pub redirect_url: String,
}

impl Ending {
    /// The general ending, for submissions that no other ending applies to.
    pub async fn general(cx: &Context, form: &Form) -> Ending {
        let of = |key: &str| text(form.setting(key));
        Ending {
            title: of("success_title"),
            text: message(cx, form, "success").await,
            html: form.custom_message("success_html").unwrap_or("").to_owned(),
            button: button(form.setting("success_button")),
            redirect_url: of("redirect_url"),
        }
    }

    /// The ending with a number, counted from 1; the general ending for any other number. A title, text or button that
    /// the ending does not set comes from the general ending, but a redirect does not.
    pub async fn of(cx: &Context, form: &Form, number: usize) -> Ending {
        let general = Ending::general(cx, form).await;
        let list = form.setting("endings").and_then(Value::as_array);
        let ending = number.checked_sub(1).and_then(|index| list?.get(index));
        let Some(ending) = ending.and_then(Value::as_object) else {
            return general;
        };
        let or = |text: String, general: String| if text.is_empty() { general } else { text };
        let (ending_text, html) = (text(ending.get("text")), text(ending.get("html")));
        let has_text = !ending_text.is_empty() || !html.is_empty();
        Ending {
            title: or(text(ending.get("title")), general.title),
            text: or(ending_text, general.text),
            html: if has_text { html } else { general.html },
            button: match button(ending.get("button")) {
                (label, _) if label.is_empty() => general.button,
                button => button,
            },
            redirect_url: text(ending.get("redirect_url")),
        }
    }

    /// Whether the ending may quote answers, or the form shows all of them.
    pub fn needs_answers(&self, form: &Form) -> bool {
        let texts = [&self.title, &self.text, &self.html, &self.button.1];
        shows_answers(form)
            || texts
                .iter()
                .any(|text| text.bytes().any(|byte| matches!(byte, b'[' | b'{')))
    }

    /// Fills the answers into the texts, and sanitizes the resulting HTML.
    #[must_use]
    pub fn filled(&self, facts: &Facts<'_>) -> Ending {
        let timestamp = crate::dates::format_moment(facts.submission.submitted_at);
        let variables = variables(facts, &timestamp);
        let fill = |text: &str, context| expand(text, &variables, context);
        let html = fill(&self.html, template::Context::Html);
        let address = fill(&self.button.1, template::Context::Url);
        Ending {
            title: fill(&self.title, template::Context::Text),
            text: fill(&self.text, template::Context::Text),
            // HTML that cannot be sanitized is dropped in favour of the plain text.
            html: sanitize(&html).map_or(String::new(), |(safe, _)| without_form_tags(&safe)),
            button: (self.button.0.clone(), address),
            redirect_url: self.redirect_url.clone(),
        }
    }

    /// Renders the ending, with links to the empty form and, unless the author set a button, to the site.
    pub fn html(&self, cx: &Context, form: &Form, answers: &[(String, String)]) -> String {
        let mut html = String::from(
            r#"<div class="cf-ending" tabindex="-1">
<div class="cf-tick" aria-hidden="true"></div>
"#,
        );
        if !self.title.is_empty() {
            let title = escaped(&self.title);
            html += &format!("<h2 class=\"cf-ending-title\">{title}</h2>\n");
        }
        html += &if self.html.is_empty() {
            format!(
                "<p class=\"cf-message-success\">{}</p>\n",
                escaped(&self.text)
            )
        } else {
            format!("<div class=\"cf-message-success\">{}</div>\n", self.html)
        };
        list(&mut html, answers);
        html += "<p class=\"cf-ending-buttons\">";
        let (label, address) = &self.button;
        let has_button = !label.is_empty() && is_redirect_target(address);
        if has_button {
            html += &link("cf-button", address, label);
        }
        if !answers.is_empty() {
            // Printing needs the script, which shows the button.
            let print = escaped(form.word("print"));
            html +=
                &format!("<button type=\"button\" class=\"cf-print\" hidden>{print}</button>\n");
        }
        html += &link(
            "cf-button cf-quiet cf-again",
            &path_of(cx, form),
            form.word("send_another"),
        );
        if !has_button {
            let site = cx.base_url();
            let name = site.split_once("://").map_or(site, |(_, rest)| rest);
            let words = form.word("back_to_site").replace("{site}", name);
            html += &link("cf-button cf-quiet cf-home", &format!("{site}/"), &words);
        }
        html + "</p>\n</div>\n"
    }
}

/// The number of the first ending whose conditions hold, counted from 1; 0 for the general ending.
pub fn choose(form: &Form, schema: &FormSchema, data: &Map<String, Value>) -> usize {
    let list = form.setting("endings").and_then(Value::as_array);
    let holds = |ending: &Value| {
        let conditions = ending.get("conditions").map(parse_conditions);
        matches!(conditions, Some(Ok(conditions)) if hold_for_data(&conditions, schema, data))
    };
    let found = list.and_then(|list| list.iter().position(holds));
    found.map_or(0, |index| index + 1)
}

/// Whether the form shows visitors their answers.
pub fn shows_answers(form: &Form) -> bool {
    form.setting("success_summary") == Some(&Value::Bool(true))
}

fn link(class: &str, address: &str, words: &str) -> String {
    let (address, words) = (escaped(address), escaped(words));
    format!("<a class=\"{class}\" href=\"{address}\">{words}</a>\n")
}

fn text(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    text.trim().to_owned()
}

fn button(value: Option<&Value>) -> (String, String) {
    let member = |name| text(value.and_then(|value| value.get(name)));
    (member("label"), member("url"))
}
