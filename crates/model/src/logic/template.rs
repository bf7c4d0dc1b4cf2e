//! Template variables (contract, section 7): placeholders in mails, requests and web addresses, which a submission's
//! data replaces.
//!
//! | written | becomes |
//! |---|---|
//! | `[name]`, `{name}` | the answer of that field, options by their labels; case is ignored |
//! | `[name.part]`, `[name.0]` | a part of a composite answer, or one of several answers |
//! | `[name\|words]` | the answer, or the words if the answer is missing; works with every variable, but a table becomes lines |
//! | `[name:value]`, `[name.0:value]` | the stored answer: options by their values |
//! | `[name.url]` | the signed address of the field's file, in mails of the email action |
//! | `[all]` | a line for each answered field, with the field's name |
//! | `[all:label]`, `[all:value]`, `[all:with-empty]` | as `[all]`, but with the fields' labels; with options by their values; with a line for each unanswered field too. The three can be joined: `[all:label:with-empty]` |
//! | `[all:table]` | in HTML a table of the fields' labels and the answers, with files as links; elsewhere lines like those of `[all:label]` |
//! | `[CF_FORM_ID]`, `[CF_FORM_TITLE]`, `[CF_SUBMISSION_ID]`, `[CF_TIMESTAMP]`, `[CF_IP_ADDRESS]`, `[CF_USER_AGENT]`, `[CF_REFERRER_URL]` | the form's id or title, the submission's id or time, or the visitor's data that the name states |
//!
//! White space inside the brackets is ignored. A field is also found by its former names. A field without an answer
//! becomes an empty text. So does `[word]` with an unknown name, which is a letter or `_`, then letters, digits and
//! `_ - . :`. Brackets around anything else stay. Braces around anything but a variable stay too, because style
//! sheets and JSON contain them. Doubled braces, which other engines use, and the conditional comments of mails
//! (`<!--[if mso]>`, `<![endif]-->`) also stay.
//!
//! The template is read only once, from start to end, so `[all]` in a visitor's answer stays `[all]`.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::display::{calculated_text, listed, part_of, shown};
use super::template_listing::Listing;
pub use super::template_output::Context;
use super::template_output::{Output, Row};
use super::template_rows::{lines_of_rows, values_in_rows};
use crate::ordered::Gather;
use crate::rows::RowGroups;
use crate::unicode::case::lowercase;
use crate::{Field, FormSchema};

/// The longest result of a template, in bytes; the rest is cut off.
pub const MAX_OUTPUT_BYTES: usize = 1024 * 1024;

/// The longest variable, in bytes.
const MAX_VARIABLE_BYTES: usize = 500;

/// Escapes a visitor's text for the target of the template, in addition to the escaping for its [`Context`].
#[derive(Clone, Copy)]
pub struct Escape<'a>(pub Option<&'a dyn Fn(&str) -> String>);

impl Escape<'_> {
    /// No escaping.
    pub const NONE: Escape<'static> = Escape(None);

    /// Escapes a text.
    pub fn apply(self, text: &str) -> String {
        self.0
            .map_or_else(|| text.to_owned(), |escape| escape(text))
    }
}

impl fmt::Debug for Escape<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() {
            "escaped"
        } else {
            "as it is"
        })
    }
}

/// The values of a template's variables.
#[derive(Clone, Copy, Debug)]
pub struct Variables<'a> {
    /// The form's schema, for labels and the order of the fields.
    pub schema: Option<&'a FormSchema>,
    /// The submission's data.
    pub data: &'a Map<String, Value>,
    /// The escaping of each answer.
    pub escape: Escape<'a>,
    /// The form's id.
    pub form_id: i64,
    /// The form's title.
    pub form_title: &'a str,
    /// The submission's id, or a placeholder for it; empty in a test run.
    pub submission_id: &'a str,
    /// The time of the submit, as ISO 8601 UTC.
    pub timestamp: &'a str,
    /// The visitor's IP address; empty if it is not stored.
    pub ip_address: &'a str,
    /// The visitor's browser.
    pub user_agent: &'a str,
    /// The page from which the visitor came to the form's page.
    pub referrer_url: &'a str,
    /// The texts of the form, with the formats of its language.
    pub texts: &'a Map<String, Value>,
    /// The names of file fields with the signed addresses of their files; empty if the target may not contain these.
    pub file_links: &'a [(String, String)],
}

/// Replaces the variables of a template.
pub fn expand(template: &str, variables: &Variables<'_>, context: Context) -> String {
    let lookup = Lookup::of(variables);
    let mut out = Output::of(context);
    let mut rest = template;
    while let Some((literal, opening)) = rest
        .find(['[', '{'])
        .and_then(|at| rest.split_at_checked(at))
    {
        out.literal(literal);
        if out.len() >= MAX_OUTPUT_BYTES {
            break;
        }
        let braces = opening.len() - opening.trim_start_matches('{').len();
        let is_literal = braces > 1 || literal.ends_with("<!") || literal.ends_with("<!--");
        let variable = lookup.variable_at(opening).filter(|_| !is_literal);
        let table = lookup.table_at(opening).filter(|_| !is_literal);
        rest = if let Some((rows, after)) = table {
            out.table(&rows);
            after
        } else if let Some((value, after)) = variable {
            match value {
                Found::Value(value) => out.value(&value),
                Found::Words(words) => out.literal(words),
            }
            after
        } else {
            let parts = opening.split_at_checked(braces.max(1));
            let (brackets, after) = parts.unwrap_or((opening, ""));
            out.literal(brackets);
            after
        };
    }
    out.literal(rest);
    let mut out = out.finish();
    out.truncate(out.floor_char_boundary(MAX_OUTPUT_BYTES));
    out
}

/// The text that replaces a variable.
enum Found<'t> {
    Value(String),
    /// The template's fallback words for a missing answer.
    Words(&'t str),
}

/// The names that a template may use.
struct Lookup<'a> {
    variables: &'a Variables<'a>,
    /// The fields that capture answers, by their names.
    fields: BTreeMap<&'a str, &'a Field>,
    /// The name of a field or answer, by the lower-case spelling of the name or of a former name. Of equal spellings,
    /// the first in the form counts.
    folded: BTreeMap<String, &'a str>,
    /// The repeating groups of the fields in rows.
    groups: RowGroups<'a>,
}

impl<'a> Lookup<'a> {
    fn of(variables: &'a Variables<'a>) -> Lookup<'a> {
        let schema = variables.schema;
        let fields = || schema.into_iter().flat_map(FormSchema::answer_fields);
        let names = fields().map(|field| field.name.as_str());
        let names = names.chain(variables.data.keys().map(String::as_str));
        let former = schema.map(FormSchema::former_names).unwrap_or_default();
        let mut folded = BTreeMap::new();
        for (name, current) in names.map(|name| (name, name)).chain(former) {
            folded.entry(lowercase(name)).or_insert(current);
        }
        Lookup {
            variables,
            fields: fields().map(|field| (field.name.as_str(), field)).gather(),
            folded,
            groups: schema.map(FormSchema::row_groups).unwrap_or_default(),
        }
    }

    /// The value of the variable at the start of a text, and the text after the variable.
    fn variable_at<'t>(&self, text: &'t str) -> Option<(Found<'t>, &'t str)> {
        let (closing, is_bracket) = match text.chars().next()? {
            '[' => (']', true),
            _ => ('}', false),
        };
        let inside = text.get(1..)?;
        let window = inside.get(..inside.floor_char_boundary(MAX_VARIABLE_BYTES))?;
        let split_at = |end: usize| Some((inside.get(..end)?, inside.get(end + 1..)?));
        // The name of a field may contain brackets: `[a[b]]`.
        let ends = window.match_indices(closing).map(|(end, _)| end).take(3);
        for (name, after) in ends.filter_map(split_at) {
            if let Some(found) = self.found(name) {
                return Some((found, after));
            }
        }
        let (name, after) = split_at(window.find(closing)?)?;
        (is_bracket && is_word(name)).then_some((Found::Words(""), after))
    }

    /// The text that replaces a variable; `None` for an unknown name.
    fn found<'t>(&self, written: &'t str) -> Option<Found<'t>> {
        if let Some(value) = self.value_of(written) {
            return Some(Found::Value(value));
        }
        let (name, words) = written.split_once('|')?;
        let value = self.value_of(name)?;
        Some(match value.as_str() {
            "" => Found::Words(words),
            _ => Found::Value(value),
        })
    }

    /// The rows for the `[all:table]` at the start of a text, and the text after it.
    fn table_at<'t>(&self, text: &'t str) -> Option<(Vec<Row<'a>>, &'t str)> {
        let closing = if text.starts_with('[') { ']' } else { '}' };
        let (name, after) = text.get(1..)?.split_once(closing)?;
        let listing = Listing::of(&name.trim().to_ascii_lowercase())?;
        (listing.as_table && self.answer(name.trim()).is_none())
            .then(|| (self.rows(listing), after))
    }

    /// The value of a variable; `None` for an unknown name.
    fn value_of(&self, written: &str) -> Option<String> {
        let name = written.trim();
        if let Some(answer) = self.answer(name) {
            return Some(self.text(answer, false));
        }
        if let Some(text) = self.texts_in_rows(name) {
            return Some(text);
        }
        if let Some(listing) = Listing::of(&name.to_ascii_lowercase()) {
            return Some(self.lines(listing));
        }
        let variables = self.variables;
        Some(match name.to_ascii_lowercase().as_str() {
            "cf_form_id" => variables.form_id.to_string(),
            "cf_form_title" => variables.form_title.to_owned(),
            "cf_submission_id" => variables.submission_id.to_owned(),
            "cf_timestamp" => variables.timestamp.to_owned(),
            "cf_ip_address" => variables.ip_address.to_owned(),
            "cf_user_agent" => variables.user_agent.to_owned(),
            "cf_referrer_url" => variables.referrer_url.to_owned(),
            _ => {
                let (whole, option) = name.rsplit_once(':').unwrap_or((name, ""));
                let is_value = option.trim().eq_ignore_ascii_case("value");
                let name = if is_value { whole.trim_end() } else { name };
                if is_value && let Some(answer) = self.answer(name) {
                    return Some(self.text(answer, true));
                }
                let (field, key) = name.rsplit_once('.')?;
                if key.eq_ignore_ascii_case("url")
                    && let Some(links) = self.file_links(field)
                {
                    return Some(links);
                }
                let (field, value) = self.answer(field)?;
                let part = value.and_then(|value| part_of(value, key));
                self.text((field, part), is_value)
            }
        })
    }

    /// The answers of a field in all rows; `None` if the field is not in rows.
    fn texts_in_rows(&self, name: &str) -> Option<String> {
        let schema = self.variables.schema?;
        let (field, values) = values_in_rows(schema, &self.groups, self.variables.data, name)?;
        let texts = values.into_iter();
        let texts = texts.map(|value| self.text((Some(field), Some(value)), false));
        Some(listed(texts.filter(|text| !text.is_empty()).collect()))
    }

    /// The rows of a repeating group as lines; `None` for an answer of another type.
    fn rows_in_lines(&self, answer: Answer<'a>, listing: Listing) -> Option<String> {
        let (Some(group), Some(Value::Array(rows))) = answer else {
            return None;
        };
        let schema = self.variables.schema.filter(|_| group.is_repeat())?;
        let columns = schema.columns(&self.groups, &group.name);
        Some(lines_of_rows(
            &columns,
            rows,
            listing.by_label,
            &|column, value| self.text((Some(column), Some(value)), listing.by_value),
        ))
    }

    /// An answer as text. Options are shown by their labels, or with `is_value` by their values.
    fn text(&self, (field, value): Answer<'a>, is_value: bool) -> String {
        let listing = Listing {
            by_value: is_value,
            ..Listing::default()
        };
        if let Some(lines) = self.rows_in_lines((field, value), listing) {
            return lines;
        }
        let field = field.filter(|_| !is_value);
        let format = |value| calculated_text(field?, value, self.variables.texts);
        let text = value.map(|value| format(value).unwrap_or_else(|| shown(field, value)));
        self.variables.escape.apply(&text.unwrap_or_default())
    }

    /// The addresses of a field's files, one on each line; `None` for a field without files.
    fn file_links(&self, name: &str) -> Option<String> {
        let name = self.current(name).unwrap_or(name);
        let links = self.variables.file_links.iter();
        let matching = links.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        let addresses: Vec<&str> = matching.map(|(_, link)| link.as_str()).collect();
        (!addresses.is_empty()).then(|| addresses.join("\n"))
    }

    /// The name under which a field's answers are stored. The exact name takes precedence over a name that differs
    /// only in case.
    fn current<'n>(&self, name: &'n str) -> Option<&'n str>
    where
        'a: 'n,
    {
        let data = self.variables.data;
        if data.contains_key(name) || self.fields.contains_key(name) {
            return Some(name);
        }
        self.folded.get(&lowercase(name)).copied()
    }

    /// A field and its answer; `None` if no field and no answer has the name.
    fn answer(&self, name: &str) -> Option<Answer<'a>> {
        let name = self.current(name)?;
        let field = self.fields.get(name).copied();
        Some((field, self.variables.data.get(name)))
    }

    /// A line for each answer.
    fn lines(&self, listing: Listing) -> String {
        let rows = self.rows(listing).into_iter();
        let lines = rows.map(|row| match row.is_rows {
            true => [row.title.as_ref(), ":", &row.rows()].concat(),
            false => format!("{}: {}", row.title, row.text),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A row for each answer. The form's fields come first, in order; answers without a field follow.
    fn rows(&self, listing: Listing) -> Vec<Row<'a>> {
        let data = self.variables.data;
        let schema = self.variables.schema;
        let fields = schema.into_iter().flat_map(FormSchema::answer_fields);
        let known = fields.map(|field| {
            let label = field.plain_label();
            let has_title = listing.by_label && !label.is_empty();
            let title = if has_title {
                label
            } else {
                field.name.as_str().into()
            };
            (
                title,
                field.name.as_str(),
                (Some(field), data.get(&field.name)),
            )
        });
        let others = data
            .iter()
            .filter(|(name, _)| !self.fields.contains_key(name.as_str()));
        let others =
            others.map(|(name, value)| (name.as_str().into(), name.as_str(), (None, Some(value))));
        let rows = known.chain(others).filter_map(|(title, name, answer)| {
            let rows = self.rows_in_lines(answer, listing);
            let is_rows = rows.is_some();
            let text = rows.unwrap_or_else(|| self.text(answer, listing.by_value));
            let links = self.variables.file_links.iter();
            let links = links.filter(|(field, _)| field == name);
            // A calculated field gets a line even without a result.
            let is_calculated = answer.0.is_some_and(Field::is_calculated) && answer.1.is_some();
            let is_shown = listing.with_empty || is_calculated || is_rows || !text.is_empty();
            is_shown.then(|| Row {
                title,
                text,
                is_rows,
                links: links.map(|(_, link)| link.as_str()).collect(),
            })
        });
        rows.collect()
    }
}

/// The form's field, if any, and its answer, if any.
type Answer<'a> = (Option<&'a Field>, Option<&'a Value>);

/// Whether a text between brackets is the name of an unknown variable, instead of prose.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
}
