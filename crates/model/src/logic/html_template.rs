//! HTML that a template becomes: values are escaped for the place that they land in, and where they make an address
//! only those that mails and pages may lead to stay.

use crate::entities::unescape_attribute;
use crate::escape::escaped;

/// The attributes that are addresses.
const ADDRESSES: [&str; 10] = [
    "href",
    "src",
    "srcset",
    "action",
    "formaction",
    "background",
    "poster",
    "cite",
    "data",
    "xlink:href",
];

/// The schemes that a value may make an address of.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Where in the HTML the next character lands.
#[derive(Debug, Default)]
enum Place {
    #[default]
    Text,
    /// Behind `<`.
    TagOpen,
    /// Between the attributes of a tag, or in an attribute's name; whether that has ended.
    Tag {
        name: String,
        is_ended: bool,
    },
    /// Behind the `=` of an attribute.
    BeforeValue {
        name: String,
    },
    Value(Attribute),
}

/// An attribute's value that is being written.
#[derive(Debug)]
struct Attribute {
    is_address: bool,
    /// `None` for a value without quotes.
    quote: Option<char>,
    /// Where it begins in the output.
    start: usize,
    /// What stands before the first variable, and the value without any; `None` where it has none.
    literal: Option<(usize, String)>,
}

/// The HTML that is being written.
#[derive(Debug, Default)]
pub(super) struct HtmlOutput {
    html: String,
    place: Place,
}

impl HtmlOutput {
    pub(super) fn len(&self) -> usize {
        self.html.len()
    }

    /// Adds text of the template.
    pub(super) fn literal(&mut self, text: &str) {
        for character in text.chars() {
            self.advance(character);
            self.html.push(character);
            if let Place::Value(Attribute {
                literal: Some((_, literal)),
                ..
            }) = &mut self.place
            {
                literal.push(character);
            }
        }
    }

    /// Moves on over a character of the template that is about to be written.
    fn advance(&mut self, character: char) {
        let place = std::mem::take(&mut self.place);
        self.place = match (place, character) {
            (Place::Text, '<') => Place::TagOpen,
            (Place::TagOpen, c) if c.is_ascii_alphabetic() => Place::Tag {
                name: String::new(),
                is_ended: true,
            },
            (Place::TagOpen, '<') => Place::TagOpen,
            (Place::Tag { name, .. }, '=') if !name.is_empty() => Place::BeforeValue { name },
            (Place::Tag { .. } | Place::BeforeValue { .. }, '>') => Place::Text,
            (Place::Tag { name, .. }, c) if c.is_ascii_whitespace() || c == '/' => Place::Tag {
                name,
                is_ended: true,
            },
            (Place::Tag { mut name, is_ended }, c) => {
                if is_ended {
                    name.clear();
                }
                name.push(c.to_ascii_lowercase());
                Place::Tag {
                    name,
                    is_ended: false,
                }
            }
            (Place::BeforeValue { name }, c) if c.is_ascii_whitespace() => {
                Place::BeforeValue { name }
            }
            (Place::BeforeValue { name }, quote @ ('"' | '\'')) => {
                self.value(&name, Some(quote), 1)
            }
            (Place::BeforeValue { name }, _) => self.value(&name, None, 0),
            (Place::Value(value), c) => {
                let ends_tag = value.quote.is_none() && c == '>';
                let is_end = match value.quote {
                    Some(quote) => c == quote,
                    None => c.is_ascii_whitespace() || ends_tag,
                };
                if !is_end {
                    Place::Value(value)
                } else {
                    self.end_value(value);
                    if ends_tag {
                        Place::Text
                    } else {
                        Place::Tag {
                            name: String::new(),
                            is_ended: true,
                        }
                    }
                }
            }
            (Place::Text | Place::TagOpen, _) => Place::Text,
        };
    }

    fn value(&self, name: &str, quote: Option<char>, skipped: usize) -> Place {
        Place::Value(Attribute {
            is_address: ADDRESSES.contains(&name),
            quote,
            start: self.html.len() + skipped,
            literal: None,
        })
    }

    /// Adds the value of a variable.
    pub(super) fn variable(&mut self, value: &str) {
        if let Place::BeforeValue { name } = &self.place {
            self.place = self.value(&name.clone(), None, 0);
        }
        let escaped = escaped(value).replace('\'', "&#39;");
        match &mut self.place {
            Place::Text | Place::TagOpen => {
                self.html.push_str(&escaped.replace('\n', "<br>\n"));
            }
            Place::Value(attribute) => {
                if attribute.literal.is_none() {
                    let written = self.html.get(attribute.start..).unwrap_or_default();
                    attribute.literal = Some((written.len(), written.to_owned()));
                }
                let line = match attribute.is_address {
                    true => escaped.trim().lines().next().unwrap_or_default(),
                    false => escaped.as_str(),
                };
                let is_quoted = attribute.quote.is_some();
                for character in line.chars() {
                    match character {
                        '\n' if is_quoted => self.html.push(' '),
                        c if !is_quoted && c.is_ascii_whitespace() => self.html.push_str("&#32;"),
                        c => self.html.push(c),
                    }
                }
            }
            // A value names no attribute: it would bring its own.
            Place::Tag { .. } | Place::BeforeValue { .. } => {}
        }
    }

    /// Ends an attribute's value: an address that a variable may not make loses its variables.
    fn end_value(&mut self, attribute: Attribute) {
        let Attribute {
            is_address,
            quote,
            start,
            literal,
        } = attribute;
        let Some((before, literal)) = literal else {
            return;
        };
        let written = self.html.get(start..).unwrap_or_default();
        if is_address && !is_allowed(written, literal.get(..before).unwrap_or_default()) {
            self.html.truncate(start);
            self.html.push_str(&literal);
        }
        if quote.is_none() && self.html.len() == start {
            // Else the next attribute would be the value.
            self.html.push_str("\"\"");
        }
    }

    /// The HTML.
    pub(super) fn finish(mut self) -> String {
        if let Place::Value(attribute) = std::mem::take(&mut self.place) {
            self.end_value(attribute);
        }
        self.html
    }
}

/// Whether a value may make this address, which the template's own text begins with `before`.
fn is_allowed(address: &str, before: &str) -> bool {
    let address = as_browsers_read(address);
    let before = as_browsers_read(before);
    match address.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => {
            SCHEMES.iter().any(|own| own.eq_ignore_ascii_case(scheme))
        }
        // Another site, where the template speaks of a path.
        _ if address.starts_with("//") => before.starts_with("//"),
        _ => !before.is_empty(),
    }
}

/// An address as browsers read it: without what they drop, and with `\` as `/`.
fn as_browsers_read(address: &str) -> String {
    let address = unescape_attribute(address);
    let address = address.trim_matches(|c: char| c <= ' ');
    address.replace(['\t', '\n', '\r'], "").replace('\\', "/")
}
