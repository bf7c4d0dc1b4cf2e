//! Template variables (contract, section 7): what authors write into mails, requests and
//! addresses to have it replaced by a submission's data.
//!
//! | written | becomes |
//! |---|---|
//! | `[name]`, `{name}` | the answer of that field; upper and lower case are alike |
//! | `[name.part]`, `[name.0]` | a part of a composite answer, one of several answers |
//! | `[name.url]` | the signed address of the field's file, in mails of the email action |
//! | `[all]`, `[all:label]` | a line per answer, with the field's name or label |
//! | `[CF_FORM_ID]`, `[CF_FORM_TITLE]`, `[CF_SUBMISSION_ID]`, `[CF_TIMESTAMP]`, `[CF_IP_ADDRESS]`, `[CF_USER_AGENT]`, `[CF_REFERRER_URL]` | what the name says |
//!
//! A field without an answer becomes nothing, and so does `[word]` when no field is called that:
//! a letter or `_`, then letters, digits and `_ - . :`. Brackets around anything else stay as
//! they are, so do all braces around what is no variable (they are common in style sheets and
//! JSON), doubled braces (other engines use them), and the conditional comments of mail
//! (`<!--[if mso]>`, `<![endif]-->`).
//!
//! The template is read once, from its start to its end: a visitor's `[all]` stays `[all]`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::display::{part_of, readable};
use crate::escape::escaped;
use crate::ordered::Gather;
use crate::{Field, FormSchema};

/// The longest text that a template may become, in bytes; what is beyond is cut off.
pub const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

/// The longest variable, in bytes.
const MAX_VARIABLE_BYTES: usize = 500;

/// The kind of text that a template is part of; values are escaped for it, the template's own text is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Plain text.
    Text,
    /// HTML; line breaks of a value become `<br>`.
    Html,
    /// A header line, such as a subject. Never holds a line break or other control character,
    /// wherever it came from. Commas and angle brackets of a value stay: a list of addresses is
    /// taken apart before its variables are filled in.
    Header,
    /// An address of the web: values are percent-encoded, so that an answer stays within its
    /// part of it.
    Url,
}

/// The values of a template's variables.
#[derive(Clone, Copy, Debug)]
pub struct Variables<'a> {
    /// The form's schema, for labels and the order of the fields.
    pub schema: Option<&'a FormSchema>,
    /// The submission's data.
    pub data: &'a Map<String, Value>,
    /// The form's id.
    pub form_id: i64,
    /// The form's title.
    pub form_title: &'a str,
    /// The submission's id, or what stands for it; empty in a test run.
    pub submission_id: &'a str,
    /// When it was submitted, as ISO 8601 UTC.
    pub timestamp: &'a str,
    /// The visitor's address; empty when it is not kept.
    pub ip_address: &'a str,
    /// The visitor's browser.
    pub user_agent: &'a str,
    /// The page that led to the form's page.
    pub referrer_url: &'a str,
    /// The addresses of files by the names of their fields, where the place may contain them.
    pub file_links: &'a [(String, String)],
}

/// Replaces the variables of a template.
pub fn expand(template: &str, variables: &Variables<'_>, context: Context) -> String {
    let lookup = Lookup::of(variables);
    let mut out = String::new();
    let mut rest = template;
    while let Some((literal, opening)) = rest
        .find(['[', '{'])
        .and_then(|at| rest.split_at_checked(at))
    {
        push_literal(&mut out, literal, context);
        if out.len() >= MAX_OUTPUT_BYTES {
            break;
        }
        let braces = opening.len() - opening.trim_start_matches('{').len();
        let is_literal = braces > 1 || literal.ends_with("<!") || literal.ends_with("<!--");
        let variable = lookup.variable_at(opening).filter(|_| !is_literal);
        rest = if let Some((value, after)) = variable {
            push_value(&mut out, &value, context);
            after
        } else {
            let parts = opening.split_at_checked(braces.max(1));
            let (brackets, after) = parts.unwrap_or((opening, ""));
            out.push_str(brackets);
            after
        };
    }
    push_literal(&mut out, rest, context);
    out.truncate(out.floor_char_boundary(MAX_OUTPUT_BYTES));
    out
}

/// The names that a template may use.
struct Lookup<'a> {
    variables: &'a Variables<'a>,
    /// The names of the fields that capture answers.
    fields: BTreeSet<&'a str>,
    /// The names of fields and answers by themselves in lower case; of names that are alike the
    /// first of the form.
    folded: BTreeMap<String, String>,
}

impl<'a> Lookup<'a> {
    fn of(variables: &'a Variables<'a>) -> Lookup<'a> {
        let fields = || {
            variables
                .schema
                .into_iter()
                .flat_map(FormSchema::answer_fields)
        };
        let names = || fields().map(|field| &field.name);
        let mut folded = BTreeMap::new();
        for name in names().chain(variables.data.keys()) {
            let name = name.clone();
            folded.entry(name.to_lowercase()).or_insert(name);
        }
        Lookup {
            variables,
            fields: names().map(String::as_str).gather(),
            folded,
        }
    }

    /// The value of the variable that a text begins with, and the text after it.
    fn variable_at<'t>(&self, text: &'t str) -> Option<(String, &'t str)> {
        let (closing, is_bracket) = match text.chars().next()? {
            '[' => (']', true),
            _ => ('}', false),
        };
        let inside = text.get(1..)?;
        let window = inside.get(..inside.floor_char_boundary(MAX_VARIABLE_BYTES))?;
        let split_at = |end: usize| Some((inside.get(..end)?, inside.get(end + 1..)?));
        // The name of a field may have brackets of its own: `[a[b]]`.
        let ends = window.match_indices(closing).map(|(end, _)| end).take(3);
        for (name, after) in ends.filter_map(split_at) {
            if let Some(value) = self.value_of(name) {
                return Some((value, after));
            }
        }
        let (name, after) = split_at(window.find(closing)?)?;
        (is_bracket && is_word(name)).then(|| (String::new(), after))
    }

    /// The value of a variable; None for a name that is none.
    fn value_of(&self, name: &str) -> Option<String> {
        if let Some(value) = self.answer(name) {
            return Some(value.map(readable).unwrap_or_default());
        }
        let variables = self.variables;
        Some(match name.to_ascii_lowercase().as_str() {
            "all" => self.lines(|field| &field.name),
            "all:label" => self.lines(|field| &field.label),
            "cf_form_id" => variables.form_id.to_string(),
            "cf_form_title" => variables.form_title.to_owned(),
            "cf_submission_id" => variables.submission_id.to_owned(),
            "cf_timestamp" => variables.timestamp.to_owned(),
            "cf_ip_address" => variables.ip_address.to_owned(),
            "cf_user_agent" => variables.user_agent.to_owned(),
            "cf_referrer_url" => variables.referrer_url.to_owned(),
            _ => {
                let (field, key) = name.rsplit_once('.')?;
                if key.eq_ignore_ascii_case("url")
                    && let Some(links) = self.file_links(field)
                {
                    return Some(links);
                }
                let part = self.answer(field)?.and_then(|value| part_of(value, key));
                part.map(readable).unwrap_or_default()
            }
        })
    }

    /// The addresses of a field's files, a line for each; None for a field without.
    fn file_links(&self, name: &str) -> Option<String> {
        let links = self.variables.file_links.iter();
        let own = links.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        let own: Vec<&str> = own.map(|(_, link)| link.as_str()).collect();
        (!own.is_empty()).then(|| own.join("\n"))
    }

    /// The answer of a field; None when no field is called that, `Some(None)` for one without an
    /// answer. The exact name goes before one in other letters.
    fn answer(&self, name: &str) -> Option<Option<&'a Value>> {
        let data = self.variables.data;
        if data.contains_key(name) || self.fields.contains(name) {
            return Some(data.get(name));
        }
        let name = self.folded.get(&name.to_lowercase())?;
        Some(data.get(name))
    }

    /// A line per answer, with what its field is to be called, else its name: in the order of the
    /// form, then what the form does not know.
    fn lines(&self, title: fn(&Field) -> &str) -> String {
        let data = self.variables.data;
        let schema = self.variables.schema;
        let fields = schema.into_iter().flat_map(FormSchema::answer_fields);
        let known = fields.filter_map(|field| {
            let titles = [title(field), &field.name];
            let title = titles.into_iter().find(|own| !own.is_empty());
            Some((title?, data.get(&field.name)?))
        });
        let others = data.iter().map(|(name, value)| (name.as_str(), value));
        let others = others.filter(|(name, _)| !self.fields.contains(name));
        let lines = known.chain(others);
        let lines = lines.map(|(title, value)| format!("{title}: {}", readable(value)));
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Whether brackets around a text are a variable, although unknown, and no prose.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}

/// Appends text of the template.
fn push_literal(out: &mut String, text: &str, context: Context) {
    match context {
        Context::Text | Context::Html | Context::Url => out.push_str(text),
        Context::Header => out.push_str(&on_one_line(text)),
    }
}

/// Appends a value, escaped for where it lands.
fn push_value(out: &mut String, value: &str, context: Context) {
    /// What never has a meaning in an address (RFC 3986, "unreserved") stays readable.
    const RESERVED: AsciiSet = NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    match context {
        Context::Text => out.push_str(value),
        Context::Html => {
            let html = escaped(value).replace('\'', "&#39;");
            out.push_str(&html.replace('\n', "<br>\n"));
        }
        Context::Header => out.push_str(&on_one_line(value)),
        Context::Url => out.extend(utf8_percent_encode(value, &RESERVED)),
    }
}

/// The text with a space for each control character and line separator.
fn on_one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) {
        Cow::Owned(text.replace(breaks, " "))
    } else {
        Cow::Borrowed(text)
    }
}
