//! Writes the result of a template: its text, values escaped for their context, and tables of answers.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::html_template::HtmlOutput;
use crate::escape::escaped;

/// The kind of text that a template produces. Values are escaped for this kind; the template's text is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Plain text.
    Text,
    /// HTML; line breaks of a value become `<br>`. An address in an attribute keeps a value only if the result has the
    /// scheme `http`, `https`, `mailto` or `tel`, or is a path that the template begins.
    Html,
    /// A header line, such as a subject. Line breaks and other control characters become spaces, also those of the
    /// template. Commas and angle brackets of a value stay, because a list of addresses is split before its variables
    /// are replaced.
    Header,
    /// A web address. Values are percent-encoded, so that an answer cannot change other parts of the address.
    Url,
}

/// An answer with its title, for a line or a table row.
pub(super) struct Row<'a> {
    pub(super) title: Cow<'a, str>,
    pub(super) text: String,
    /// Whether the text has a line for each row of a repeating group.
    pub(super) is_rows: bool,
    /// The addresses of the field's files.
    pub(super) links: Vec<&'a str>,
}

impl Row<'_> {
    /// The rows of a repeating group, each on an indented line.
    pub(super) fn rows(&self) -> String {
        let lines = self.text.lines().map(|line| ["\n  ", line].concat());
        lines.collect()
    }

    /// The row as a line of text, with the addresses of files.
    fn line(&self) -> String {
        if self.is_rows {
            return [self.title.as_ref(), ":", &self.rows()].concat();
        }
        let links = self.links.join(" ");
        format!("{}: {} {links}", self.title, self.text)
            .trim_end()
            .to_owned()
    }

    /// The row of a table in HTML.
    fn html(&self) -> String {
        const CELL: &str = "padding:8px;border-bottom:1px solid #ccc;text-align:left;text-align:start;vertical-align:top";
        let escape = |text: &str| escaped(text).replace('\n', "<br>\n");
        let mut names = self.text.split(", ");
        let links = self.links.iter().map(|link| {
            let name = names.next().unwrap_or(link);
            format!("<a href=\"{}\">{}</a>", escaped(link), escaped(name))
        });
        let links: Vec<String> = links.collect();
        let answer = match links.as_slice() {
            [] => escape(&self.text),
            links => links.join("<br>\n"),
        };
        format!(
            "<tr><th scope=\"row\" style=\"{CELL};width:34%;font-weight:600\">{}</th><td style=\"{CELL};word-break:break-word\">{answer}</td></tr>\n",
            escape(&self.title)
        )
    }
}

/// The result of a template.
pub(super) enum Output {
    Html(HtmlOutput),
    Other(String, Context),
}

impl Output {
    pub(super) fn of(context: Context) -> Output {
        match context {
            Context::Html => Output::Html(HtmlOutput::default()),
            context => Output::Other(String::new(), context),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Output::Html(html) => html.len(),
            Output::Other(text, _) => text.len(),
        }
    }

    /// Appends text of the template.
    pub(super) fn literal(&mut self, text: &str) {
        match self {
            Output::Html(html) => html.literal(text),
            Output::Other(out, Context::Header) => out.push_str(&on_one_line(text)),
            Output::Other(out, _) => out.push_str(text),
        }
    }

    /// Appends a value, escaped for its context.
    pub(super) fn value(&mut self, value: &str) {
        /// The characters to encode: all except those without a special meaning in a URL (RFC 3986, "unreserved").
        const RESERVED: AsciiSet = NON_ALPHANUMERIC
            .remove(b'-')
            .remove(b'.')
            .remove(b'_')
            .remove(b'~');
        match self {
            Output::Html(html) => html.variable(value),
            Output::Other(out, Context::Header) => out.push_str(&on_one_line(value)),
            Output::Other(out, Context::Url) => out.extend(utf8_percent_encode(value, &RESERVED)),
            Output::Other(out, _) => out.push_str(value),
        }
    }

    /// Appends a table of answers, or lines where a table is not possible.
    pub(super) fn table(&mut self, rows: &[Row<'_>]) {
        if let Output::Html(html) = self
            && html.is_text()
        {
            html.push_whole("<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"width:100%;max-width:600px;border-collapse:collapse;font:16px/1.5 sans-serif\">\n");
            for row in rows {
                html.push_whole(&row.html());
            }
            html.push_whole("</table>");
            return;
        }
        let lines: Vec<String> = rows.iter().map(Row::line).collect();
        self.value(&lines.join("\n"));
    }

    pub(super) fn finish(self) -> String {
        match self {
            Output::Html(html) => html.finish(),
            Output::Other(text, _) => text,
        }
    }
}

/// Replaces control characters and line separators by spaces.
fn on_one_line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if text.contains(breaks) {
        Cow::Owned(text.replace(breaks, " "))
    } else {
        Cow::Borrowed(text)
    }
}
