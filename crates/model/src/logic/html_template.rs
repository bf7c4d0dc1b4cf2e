//! Writes HTML from a template, and escapes each value for its context. Values cannot give an address a forbidden
//! scheme. In a script or style sheet, a value with a character that could have a special meaning is left out. No
//! value can start a tag, or name a tag or an attribute.

use crate::entities::unescape_attribute;
use crate::escape::escaped;

/// The attributes that hold addresses.
const ADDRESSES: [&str; 16] = [
    "href",
    "src",
    "srcset",
    "imagesrcset",
    "action",
    "formaction",
    "background",
    "poster",
    "cite",
    "data",
    "xlink:href",
    "ping",
    "longdesc",
    // SVG animations set addresses through these attributes.
    "from",
    "to",
    "values",
];

/// The attributes that hold lists of addresses, separated by commas.
const ADDRESS_LISTS: [&str; 3] = ["srcset", "imagesrcset", "values"];

/// The elements whose attributes load scripts or other content, or redirect the page.
const LOADERS: [&str; 6] = ["script", "base", "link", "meta", "object", "embed"];

/// The elements in which a line feed must not become `<br>`: they show line feeds, or cannot contain tags.
const VERBATIM: [&str; 3] = ["textarea", "title", "pre"];

/// The schemes that an address with a variable may have.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// The context of the next character.
#[derive(Debug, Default)]
enum Place {
    #[default]
    Text,
    /// Within a `script` or `style` element.
    Raw,
    /// After a `<` at this offset in the output, before the kind of tag is known.
    TagOpen(usize),
    /// In the name of a tag.
    TagName,
    /// Between the attributes of a tag, or in an attribute's name; `is_ended` says whether the name has ended.
    Tag {
        name: String,
        is_ended: bool,
    },
    /// After the `=` of an attribute.
    BeforeValue {
        name: String,
    },
    Value(Attribute),
}

/// The kind of context that a variable's value is in, which decides the allowed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Address,
    AddressList,
    Style,
    Script,
}

/// An attribute's value that is being written.
#[derive(Debug)]
struct Attribute {
    kind: Kind,
    /// `None` for a value without quotes.
    quote: Option<char>,
    /// The start of the value in the output.
    start: usize,
    /// The length of the text before the first variable, and the value without its variables. `None` before the first
    /// variable.
    literal: Option<(usize, String)>,
}

/// The HTML that is being written.
#[derive(Debug, Default)]
pub(super) struct HtmlOutput {
    html: String,
    place: Place,
    /// The name of the last tag in lower case, with a `/` before it for an end tag.
    tag: String,
    /// Whether a [`VERBATIM`] element is open.
    is_verbatim: bool,
    /// Whether a comment is open. Tags in comments are read too, because some mail programs show conditional
    /// comments.
    is_comment: bool,
}

impl Kind {
    /// The kind of an attribute's value, by the names of the tag and the attribute.
    fn of(tag: &str, name: &str) -> Kind {
        match name {
            "style" => Kind::Style,
            "srcdoc" => Kind::Script,
            _ if name.starts_with("on") || LOADERS.contains(&tag) => Kind::Script,
            _ if ADDRESS_LISTS.contains(&name) => Kind::AddressList,
            _ if ADDRESSES.contains(&name) => Kind::Address,
            _ => Kind::Text,
        }
    }

    /// Whether a variable's value is allowed: in a script only digits, and in a style sheet no characters that end a
    /// declaration or call a function.
    fn takes(self, value: &str) -> bool {
        value.bytes().all(|byte| match self {
            Kind::Script => byte.is_ascii_digit(),
            Kind::Style => byte.is_ascii_alphanumeric() || b" #%+,-.".contains(&byte),
            _ => true,
        })
    }
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

    /// Updates the context for the next character of the template.
    fn advance(&mut self, character: char) {
        let place = std::mem::take(&mut self.place);
        if character == '>'
            && self.is_comment
            && ["--", "--!"].iter().any(|end| self.html.ends_with(end))
        {
            // The comment ends here even inside an open tag.
            self.is_comment = false;
            if let Place::Value(value) = place {
                self.end_value(value);
            }
            return;
        }
        self.place = match (place, character) {
            (Place::Text | Place::TagOpen(_), '<') => Place::TagOpen(self.html.len()),
            (Place::Text, _) => Place::Text,
            (Place::Raw, c) => self.raw(c),
            (Place::TagOpen(start), c) => self.opened(start, c),
            (Place::TagName | Place::Tag { .. } | Place::BeforeValue { .. }, '>') => self.end_tag(),
            (Place::Tag { name, .. }, '=') if !name.is_empty() => Place::BeforeValue { name },
            (Place::TagName, c) if c.is_ascii_whitespace() || c == '/' => between_attributes(),
            (Place::TagName, c) => {
                self.tag.push(c.to_ascii_lowercase());
                Place::TagName
            }
            // After a `/`, an `=` begins a name, as at the start of a tag.
            (Place::Tag { .. }, '/') => between_attributes(),
            (Place::Tag { name, .. }, c) if c.is_ascii_whitespace() => Place::Tag {
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
            (Place::Value(value), c) => self.in_value(value, c),
        };
    }

    /// The context after a character in an attribute's value.
    fn in_value(&mut self, value: Attribute, character: char) -> Place {
        let ends_tag = value.quote.is_none() && character == '>';
        let is_end = match value.quote {
            Some(quote) => character == quote,
            None => character.is_ascii_whitespace() || ends_tag,
        };
        if !is_end {
            return Place::Value(value);
        }
        self.end_value(value);
        if ends_tag {
            self.end_tag()
        } else {
            between_attributes()
        }
    }

    /// The context after a further character behind a `<`. The characters may begin a tag or a comment.
    fn opened(&mut self, start: usize, character: char) -> Place {
        let opening = self.html.get(start..).unwrap_or_default();
        match opening {
            "<" | "</" if character.is_ascii_alphabetic() => {
                self.tag = opening.replace('<', "");
                self.tag.push(character.to_ascii_lowercase());
                Place::TagName
            }
            "<" if matches!(character, '/' | '!' | '?') => Place::TagOpen(start),
            "<" | "</" => Place::Text,
            _ if character == '>' || character.is_ascii_whitespace() => Place::Text,
            "<!-" if character == '-' => {
                self.is_comment = true;
                Place::Text
            }
            _ => Place::TagOpen(start),
        }
    }

    /// The context after a character of a script or style sheet, which only its own end tag ends.
    fn raw(&mut self, character: char) -> Place {
        let is_ended = matches!(character, '>' | '/') || character.is_ascii_whitespace();
        let end = ["</", &self.tag].concat();
        let start = self.html.len().checked_sub(end.len());
        let last = start.and_then(|start| self.html.get(start..));
        if !is_ended || last.is_none_or(|last| !last.eq_ignore_ascii_case(&end)) {
            return Place::Raw;
        }
        self.tag.insert(0, '/');
        match character {
            '>' => Place::Text,
            _ => between_attributes(),
        }
    }

    /// The context after a tag.
    fn end_tag(&mut self) -> Place {
        let name = self.tag.trim_start_matches('/');
        let is_start = name.len() == self.tag.len();
        if VERBATIM.contains(&name) {
            self.is_verbatim = is_start;
        }
        match name {
            "script" | "style" if is_start => Place::Raw,
            _ => Place::Text,
        }
    }

    fn value(&self, name: &str, quote: Option<char>, skipped: usize) -> Place {
        Place::Value(Attribute {
            kind: Kind::of(&self.tag, name),
            quote,
            start: self.html.len() + skipped,
            literal: None,
        })
    }

    /// Whether a whole element may follow.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.place, Place::Text) && !self.is_verbatim && !self.is_comment
    }

    /// Adds whole elements.
    pub(super) fn push_whole(&mut self, html: &str) {
        self.html.push_str(html);
    }

    /// Adds the value of a variable.
    pub(super) fn variable(&mut self, value: &str) {
        if let Place::BeforeValue { name } = &self.place {
            self.place = self.value(&name.clone(), None, 0);
        }
        if let Place::TagOpen(start) = self.place {
            // Otherwise the value would complete a tag that the template's `<` begins.
            self.html.replace_range(start..=start, "&lt;");
            self.place = Place::Text;
        }
        let kind = match &self.place {
            Place::Value(attribute) => attribute.kind,
            Place::Raw if self.tag == "style" => Kind::Style,
            Place::Raw => Kind::Script,
            _ => Kind::Text,
        };
        let value = if kind.takes(value) { value } else { "" };
        let escaped = escaped(value).replace('\'', "&#39;");
        match &mut self.place {
            Place::Text if !self.is_verbatim => {
                self.html.push_str(&escaped.replace('\n', "<br>\n"));
            }
            Place::Text | Place::Raw => self.html.push_str(&escaped),
            Place::Value(attribute) => {
                if attribute.literal.is_none() {
                    let written = self.html.get(attribute.start..).unwrap_or_default();
                    attribute.literal = Some((written.len(), written.to_owned()));
                }
                let line = match kind {
                    Kind::Address | Kind::AddressList => {
                        escaped.trim().lines().next().unwrap_or_default()
                    }
                    _ => escaped.as_str(),
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
            // A value cannot name a tag or an attribute.
            Place::TagOpen(_) | Place::TagName | Place::Tag { .. } | Place::BeforeValue { .. } => {}
        }
    }

    /// Ends an attribute's value. If its variables lead to a forbidden address, they are removed.
    fn end_value(&mut self, attribute: Attribute) {
        let Attribute {
            kind,
            quote,
            start,
            literal,
        } = attribute;
        let Some((before, literal)) = literal else {
            return;
        };
        let written = self.html.get(start..).unwrap_or_default();
        let before = literal.get(..before).unwrap_or_default();
        let is_allowed = match kind {
            Kind::Address => is_allowed(written, before),
            Kind::AddressList => {
                let mut addresses = written.split([',', ';']);
                let is_first_allowed = is_allowed(addresses.next().unwrap_or_default(), before);
                is_first_allowed && addresses.all(|address| is_allowed(address, address))
            }
            _ => true,
        };
        if !is_allowed {
            self.html.truncate(start);
            self.html.push_str(&literal);
        }
        if quote.is_none() && self.html.len() == start {
            // Otherwise the next attribute would become the value.
            self.html.push_str("\"\"");
        }
    }

    /// Returns the HTML.
    pub(super) fn finish(mut self) -> String {
        if let Place::Value(attribute) = std::mem::take(&mut self.place) {
            self.end_value(attribute);
        }
        self.html
    }
}

/// The context after an attribute, or after a tag's name.
fn between_attributes() -> Place {
    Place::Tag {
        name: String::new(),
        is_ended: true,
    }
}

/// Whether an address with variables is allowed; `before` is the template's text before the first variable.
fn is_allowed(address: &str, before: &str) -> bool {
    let address = as_browsers_read(address);
    let before = as_browsers_read(before);
    match address.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => SCHEMES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(scheme)),
        // An address without a scheme may lead to another site only if the template itself begins it with `//`.
        _ if address.starts_with("//") => before.starts_with("//"),
        _ => !before.is_empty(),
    }
}

/// An address as browsers read it: without the characters that they drop, and with `\` as `/`.
fn as_browsers_read(address: &str) -> String {
    let address = unescape_attribute(address);
    let address = address.trim_matches(|c: char| c <= ' ');
    address.replace(['\t', '\n', '\r'], "").replace('\\', "/")
}
