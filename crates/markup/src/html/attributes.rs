//! The attributes of a tag, as the HTML standard's attribute states read them.

use std::borrow::Cow;

use super::bytes::ByteSet;
use super::entities::decode_attribute;

/// An attribute as written: the name in its own case, the value with its references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) raw_value: &'a str,
    /// Where the name begins, in bytes from the start of the document.
    pub(crate) start: usize,
    /// Where the attribute ends, with its closing quote, or with its `=` where no value follows.
    pub(crate) end: usize,
}

impl<'a> Attribute<'a> {
    /// The value with its references decoded.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw_value)
    }

    /// Whether the tag ends behind its `=`, in this document. What is written there becomes its value.
    pub(crate) fn ends_with_equals(&self, html: &str) -> bool {
        let has_sign = self.end - self.start > self.name.len();
        has_sign && self.raw_value.is_empty() && html.as_bytes().get(self.end - 1) == Some(&b'=')
    }
}

/// How many attributes of a tag are kept while it is read. An author's tag has fewer; a document may
/// be one tag of a million, of which further ones are read again when somebody asks.
const MOST_KEPT: usize = 64;

/// Which names a tag may have: most that are asked for, it has not, which one bit tells.
#[derive(Clone, Copy, Debug, Default)]
struct Names(u64);

impl Names {
    const ALL: Names = Names(u64::MAX);

    /// Names that differ in nothing but their case have the same bit.
    #[inline(always)]
    const fn of(name: &str) -> Names {
        let (first, last) = match name.as_bytes() {
            [first, .., last] => (*first, *last),
            [one] => (*one, *one),
            [] => (0, 0),
        };
        let ends = (first | 0x20).wrapping_mul(3) ^ (last | 0x20);
        Names(1 << ((ends as usize ^ (name.len() << 2)) & 63))
    }

    const fn may_have(self, name: Names) -> bool {
        self.0 & name.0 != 0
    }
}

/// The attributes of a tag, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a, 't> {
    names: Names,
    may_have_handler: bool,
    kept: &'t [Attribute<'a>],
    further: Reader<'a>,
}

impl<'a, 't> Attributes<'a, 't> {
    /// The first attribute of that lower-case name; the standard ignores further ones.
    #[inline(always)]
    pub(crate) fn find(self, name: &str) -> Option<Attribute<'a>> {
        match self.names.may_have(Names::of(name)) {
            true => self.look_for(name),
            false => None,
        }
    }

    fn look_for(&self, name: &str) -> Option<Attribute<'a>> {
        let is_of_name = |attribute: &&Attribute<'a>| attribute.name.eq_ignore_ascii_case(name);
        match self.kept.iter().find(is_of_name) {
            Some(found) => Some(*found),
            None if self.further.is_at_end() => None,
            None => { self.further }.find(|attribute| is_of_name(&attribute)),
        }
    }

    /// The first attribute that runs script when something happens.
    pub(crate) fn handler(self) -> Option<Attribute<'a>> {
        match self.may_have_handler {
            true => self.iter().find(|attribute| is_handler(attribute.name)),
            false => None,
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Attribute<'a>> + use<'a, 't> {
        self.kept.iter().copied().chain(self.further)
    }

    /// Takes them one after the other, which is quicker than [`Attributes::iter`].
    #[inline(always)]
    pub(crate) fn each(self, mut take: impl FnMut(&Attribute<'a>)) {
        for attribute in self.kept {
            take(attribute);
        }
        if !self.further.is_at_end() {
            self.further.for_each(|attribute| take(&attribute));
        }
    }
}

/// Whether an attribute of that name runs script.
fn is_handler(name: &str) -> bool {
    matches!(name.as_bytes(), [b'o' | b'O', b'n' | b'N', _, ..])
}

/// Reads the attributes of a tag from a place in it on.
#[derive(Clone, Copy, Debug)]
struct Reader<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    const NOTHING: Reader<'static> = Reader { html: "", at: 0 };

    const fn is_at_end(&self) -> bool {
        self.at >= self.html.len()
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let bytes = self.html.as_bytes();
        loop {
            match *bytes.get(self.at)? {
                b'>' => return None,
                byte if is_space(byte) || byte == b'/' => self.at += 1,
                _ => break,
            }
        }
        let (attribute, end) = read_one(self.html, self.at)?;
        self.at = end;
        Some(attribute)
    }
}

/// Room for the attributes of one tag after the other.
#[derive(Debug, Default)]
pub(super) struct Room<'a> {
    names: Names,
    has_handler: bool,
    kept: Vec<Attribute<'a>>,
    /// Where the first begins that is not kept.
    further: Option<usize>,
}

impl<'a> Room<'a> {
    /// The attributes of the tag that was read last, of this document.
    pub(super) fn attributes<'t>(&'t self, html: &'a str) -> Attributes<'a, 't> {
        Attributes {
            names: self.names,
            may_have_handler: self.has_handler,
            kept: &self.kept,
            further: match self.further {
                Some(at) => Reader { html, at },
                None => Reader::NOTHING,
            },
        }
    }

    pub(super) fn clear(&mut self) {
        self.names = Names::default();
        self.has_handler = false;
        self.kept.clear();
        self.further = None;
    }

    #[inline(always)]
    fn add(&mut self, attribute: Attribute<'a>) {
        if self.kept.len() < MOST_KEPT {
            self.names.0 |= Names::of(attribute.name).0;
            self.has_handler |= is_handler(attribute.name);
            self.kept.push(attribute);
        } else {
            self.names = Names::ALL;
            self.has_handler = true;
            self.further.get_or_insert(attribute.start);
        }
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

/// The tag name that begins at the offset; none when the input ends within it.
pub(super) fn tag_name(html: &str, start: usize) -> Option<&str> {
    let length = ENDS_TAG_NAME.position(html.as_bytes().get(start..)?)?;
    html.get(start..start + length)
}

/// Reads the attributes from behind a tag's name on. Gives the offset behind the tag, and
/// whether it closes itself; none when the input ends within it.
pub(super) fn read<'a>(
    html: &'a str,
    mut at: usize,
    attributes: &mut Room<'a>,
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
        attributes.add(attribute);
        at = end;
    }
}

/// Reads the attribute that begins at the offset, and gives it and the offset behind it.
#[inline(always)]
pub(super) fn read_one(html: &str, start: usize) -> Option<(Attribute<'_>, usize)> {
    let bytes = html.as_bytes();
    // A `=` may begin a name.
    let name_end = start + 1 + ENDS_NAME.position(bytes.get(start + 1..)?)?;
    let mut attribute = Attribute {
        name: html.get(start..name_end).unwrap_or_default(),
        raw_value: "",
        start,
        end: name_end,
    };
    let equals = behind_space(bytes, name_end)?;
    if *bytes.get(equals)? != b'=' {
        return Some((attribute, name_end));
    }
    let value = behind_space(bytes, equals + 1)?;
    match *bytes.get(value)? {
        b'>' => attribute.end = equals + 1,
        quote @ (b'"' | b'\'') => {
            let closing = value + 1 + find_near(quote, bytes.get(value + 1..)?)?;
            attribute.raw_value = html.get(value + 1..closing).unwrap_or_default();
            attribute.end = closing + 1;
        }
        _ => {
            let value_end = value + 1 + ENDS_VALUE.position(bytes.get(value + 1..)?)?;
            attribute.raw_value = html.get(value..value_end).unwrap_or_default();
            attribute.end = value_end;
        }
    }
    // What follows is read from behind the `=`, which begins no name.
    Some((attribute, attribute.end.max(value)))
}

/// How far a search goes on its own, in words of eight bytes.
const NEAR: usize = 4;

/// Where a byte is first, which is mostly near: a call of `memchr` takes longer than to find that.
#[inline(always)]
pub(super) fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let wanted = u64::from_ne_bytes([byte; 8]);
    let (words, _) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words.iter().take(NEAR) {
        let differs = u64::from_le_bytes(*word) ^ wanted;
        // The lowest bit that is set stands in the first byte that does not differ.
        let found = differs.wrapping_sub(ONES) & !differs & HIGHS;
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    Some(at + memchr::memchr(byte, bytes.get(at..)?)?)
}

/// The offset of the next byte that is no space; none at the end of the input.
#[inline(always)]
fn behind_space(bytes: &[u8], at: usize) -> Option<usize> {
    match is_space(*bytes.get(at)?) {
        false => Some(at),
        true => {
            let behind = bytes.get(at..)?.iter();
            Some(at + { behind }.position(|byte| !is_space(*byte))?)
        }
    }
}

/// What ends the name of a tag.
static ENDS_TAG_NAME: ByteSet = ByteSet::of(b"/> \n\t\r\x0c");

/// What ends the name of an attribute.
static ENDS_NAME: ByteSet = ByteSet::of(b"/>= \n\t\r\x0c");

/// What ends a value without quotes.
static ENDS_VALUE: ByteSet = ByteSet::of(b"> \n\t\r\x0c");

/// What parts names and attributes; a carriage return is a line feed to the standard.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')
}

#[cfg(test)]
mod tests {
    use super::{MOST_KEPT, Room, read};

    #[test]
    fn all_attributes_of_a_tag_are_read_however_many_it_has() {
        let names: Vec<String> = (0..3 * MOST_KEPT).map(|n| format!("a{n}")).collect();
        let html = format!(" {} A9=late>x", names.join("=1 / ") + "=\"2\"");
        let mut room = Room::default();
        let end = read(&html, 0, &mut room);
        assert_eq!(end, Some((html.len() - 1, false)));
        let attributes = room.attributes(&html);
        let read: Vec<&str> = attributes.iter().map(|attribute| attribute.name).collect();
        assert_eq!(read.len(), names.len() + 1);
        assert!(read.iter().zip(&names).all(|(read, name)| read == name));
        let value = |name: &str| attributes.find(name).map(|found| found.raw_value);
        assert_eq!(value("a9"), Some("1"));
        assert_eq!(value(names.last().unwrap()), Some("2"));
        assert_eq!(value("b"), None);
    }
}
