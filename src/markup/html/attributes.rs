//! The attributes of a tag, as the HTML standard's attribute states read them.

use std::borrow::Cow;
use std::cell::RefCell;

use super::entities::decode_attribute;

/// An attribute as written: the name in its own case, the value with its references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) raw_value: &'a str,
    /// Where the name begins, in bytes from the start of the document.
    pub(crate) start: usize,
    /// Where the attribute ends, with its closing quote.
    pub(crate) end: usize,
}

impl<'a> Attribute<'a> {
    /// The value with its references decoded.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw_value)
    }
}

/// The first attribute of that lower-case name; the standard ignores further ones.
pub(crate) fn find<'a, 's>(
    attributes: &'s [Attribute<'a>],
    name: &str,
) -> Option<&'s Attribute<'a>> {
    attributes
        .iter()
        .find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}

/// Reads the attributes of tags again, of which nothing but the place was kept: that takes no
/// memory for each attribute of a document, and little time, since one who asks for an attribute
/// of a tag mostly asks for others of it.
#[derive(Debug)]
pub(crate) struct KeptTags<'a> {
    html: &'a str,
    last: RefCell<LastTag<'a>>,
}

/// The tag that was read last.
#[derive(Debug)]
struct LastTag<'a> {
    open: Option<u32>,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> KeptTags<'a> {
    pub(crate) fn of(html: &'a str) -> KeptTags<'a> {
        KeptTags {
            html,
            last: RefCell::new(LastTag {
                open: None,
                attributes: Vec::new(),
            }),
        }
    }

    /// The length of the document.
    pub(crate) const fn length(&self) -> usize {
        self.html.len()
    }

    /// The attribute of that lower-case name of the start tag at an offset.
    pub(crate) fn attribute(&self, open: u32, name: &str) -> Option<Attribute<'a>> {
        let mut last = self.last.borrow_mut();
        last.go_to(self.html, open);
        find(&last.attributes, name).copied()
    }

    /// All attributes of the start tag at an offset.
    pub(crate) fn attributes(&mut self, open: u32) -> &[Attribute<'a>] {
        let last = self.last.get_mut();
        last.go_to(self.html, open);
        &last.attributes
    }
}

impl<'a> LastTag<'a> {
    fn go_to(&mut self, html: &'a str, open: u32) {
        if self.open == Some(open) {
            return;
        }
        self.open = Some(open);
        self.attributes.clear();
        let name = open as usize + 1;
        if let Some(length) = tag_name(html, name).map(str::len) {
            read(html, name + length, &mut self.attributes);
        }
    }
}

/// The tag name that begins at the offset; none when the input ends within it.
pub(super) fn tag_name(html: &str, start: usize) -> Option<&str> {
    let rest = html.as_bytes().get(start..)?;
    let length = rest
        .iter()
        .position(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))?;
    html.get(start..start + length)
}

/// Reads the attributes from behind a tag's name on. Gives the offset behind the tag, and
/// whether it closes itself; none when the input ends within it.
pub(super) fn read<'a>(
    html: &'a str,
    mut at: usize,
    attributes: &mut Vec<Attribute<'a>>,
) -> Option<(usize, bool)> {
    attributes.clear();
    let bytes = html.as_bytes();
    let mut follows_slash = false;
    loop {
        let byte = *bytes.get(at)?;
        if byte == b'>' {
            return Some((at + 1, follows_slash));
        }
        follows_slash = byte == b'/';
        if is_space(byte) || follows_slash {
            at += 1;
            continue;
        }
        let (attribute, end) = read_one(html, at)?;
        super::growth::push(attributes, attribute, attribute.end, html.len());
        at = end;
    }
}

/// Reads the attribute that begins at the offset, and gives it and the offset behind it.
fn read_one(html: &str, start: usize) -> Option<(Attribute<'_>, usize)> {
    let bytes = html.as_bytes();
    // A `=` may begin a name.
    let mut name_end = start + 1;
    loop {
        let byte = *bytes.get(name_end)?;
        if matches!(byte, b'/' | b'>' | b'=') || is_space(byte) {
            break;
        }
        name_end += 1;
    }
    let mut attribute = Attribute {
        name: html.get(start..name_end).unwrap_or_default(),
        raw_value: "",
        start,
        end: name_end,
    };
    let equals = behind_space(bytes, name_end);
    if *bytes.get(equals)? != b'=' {
        return Some((attribute, name_end));
    }
    let value = behind_space(bytes, equals + 1);
    match *bytes.get(value)? {
        b'>' => {}
        quote @ (b'"' | b'\'') => {
            let length = memchr::memchr(quote, bytes.get(value + 1..)?)?;
            let closing = value + 1 + length;
            attribute.raw_value = html.get(value + 1..closing).unwrap_or_default();
            attribute.end = closing + 1;
        }
        _ => {
            let mut value_end = value + 1;
            loop {
                let byte = *bytes.get(value_end)?;
                if byte == b'>' || is_space(byte) {
                    break;
                }
                value_end += 1;
            }
            attribute.raw_value = html.get(value..value_end).unwrap_or_default();
            attribute.end = value_end;
        }
    }
    // What follows is read from behind the `=`, which begins no name.
    Some((attribute, attribute.end.max(value)))
}

fn behind_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// What parts names and attributes; a carriage return is a line feed to the standard.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}
