//! Splits a pattern with Unicode properties into pieces.

use super::{Alphabet, Piece};

/// A character of a pattern, or an escape.
struct Item {
    written: String,
    /// The character's code, also if it is escaped as `\x41` or `\.`; `None` for other escapes, such as `\d` or `\n`.
    code: Option<u32>,
}

/// Reads a pattern into pieces.
pub(super) struct Reader<'p> {
    rest: &'p str,
    is_in_class: bool,
    pub(super) pieces: Vec<(Piece, bool)>,
    pub(super) alphabet: Alphabet,
}

impl<'p> Reader<'p> {
    pub(super) fn of(source: &'p str) -> Reader<'p> {
        Reader {
            rest: source,
            is_in_class: false,
            pieces: Vec::new(),
            alphabet: Alphabet::default(),
        }
    }

    pub(super) fn read(&mut self) -> Result<(), String> {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '\\' if self.rest.starts_with("\\p") || self.rest.starts_with("\\P") => {
                    self.property()?;
                }
                '(' if !self.is_in_class && self.rest.starts_with("(?<") => {
                    let length = self.rest.find('>').map_or(3, |end| end + 1);
                    let named = self.take(length);
                    self.push(Piece::Text(named));
                }
                '[' if !self.is_in_class => self.open_class(),
                '[' if self.rest.starts_with("[:") => {
                    let length = self.rest.find(":]").map_or(1, |end| end + 2);
                    let class = self.take(length);
                    self.push(Piece::Text(class));
                }
                ']' if self.is_in_class => {
                    let close = self.take(1);
                    self.push(Piece::Text(close));
                    self.is_in_class = false;
                }
                _ => self.characters()?,
            }
        }
        Ok(())
    }

    fn push(&mut self, piece: Piece) {
        self.pieces.push((piece, self.is_in_class));
    }

    /// Consumes a number of bytes, or the rest if it is shorter.
    fn take(&mut self, length: usize) -> String {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        taken.to_owned()
    }

    /// Reads the beginning of a class; a closing bracket right after it is literal.
    fn open_class(&mut self) {
        self.is_in_class = true;
        let open = ["[^]", "[]", "[^", "["].into_iter();
        let open = open
            .filter(|open| self.rest.starts_with(open))
            .max_by_key(|open| open.len());
        let open = self.take(open.map_or(1, str::len));
        self.push(Piece::Text(open));
    }

    fn property(&mut self) -> Result<(), String> {
        let negated = self.take(2) == "\\P";
        let name = self
            .rest
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'));
        let Some((name, rest)) = name else {
            return Err("\\p needs the name of a property in braces, such as \\p{L}".to_owned());
        };
        self.rest = rest;
        let property = self.alphabet.property(name)?;
        self.push(Piece::Property { property, negated });
        if self.is_in_class && self.begins_range() {
            return Err(format!(
                "\\p{{{name}}} cannot be the end of a range; write - as \\-"
            ));
        }
        Ok(())
    }

    /// Whether the rest begins with a hyphen that makes a range.
    fn begins_range(&self) -> bool {
        let behind = self
            .rest
            .strip_prefix('-')
            .and_then(|rest| rest.chars().next());
        behind.is_some_and(|c| !matches!(c, ']' | '-'))
    }

    /// Reads a character, or a range of them.
    fn characters(&mut self) -> Result<(), String> {
        let first = self.item();
        if !self.is_in_class || !self.begins_range() {
            self.push_range(first, None);
            return Ok(());
        }
        self.take(1);
        if self.rest.starts_with("\\p") || self.rest.starts_with("\\P") {
            return Err("\\p{…} cannot be the end of a range; write - as \\-".to_owned());
        }
        let last = self.item();
        self.push_range(first, Some(last));
        Ok(())
    }

    fn push_range(&mut self, first: Item, last: Option<Item>) {
        let codes = (
            first.code,
            last.as_ref().map_or(first.code, |last| last.code),
        );
        match codes {
            (Some(first), Some(last)) if last >= 0x80 && first <= last => {
                self.alphabet.bounds.extend([first.max(0x80), last + 1]);
                self.push(Piece::Range(first, last));
            }
            _ => {
                let last = last.map_or_else(String::new, |last| ["-", &last.written].concat());
                self.push(Piece::Text([first.written, last].concat()));
            }
        }
    }

    /// Reads a character or an escape.
    fn item(&mut self) -> Item {
        let mut characters = self.rest.chars();
        let c = characters.next().unwrap_or_default();
        if c != '\\' {
            let written = self.take(c.len_utf8());
            return Item {
                written,
                code: Some(u32::from(c)),
            };
        }
        let kind = characters.next().unwrap_or_default();
        let digits = characters.as_str();
        let hex = match (kind, digits.strip_prefix('{')) {
            ('x' | 'u' | 'U', Some(braced)) => {
                braced.split('}').next().map(|hex| (hex, hex.len() + 2))
            }
            ('x', None) => digits.get(..2).map(|hex| (hex, 2)),
            ('u', None) => digits.get(..4).map(|hex| (hex, 4)),
            ('U', None) => digits.get(..8).map(|hex| (hex, 8)),
            _ => None,
        };
        let code = hex.and_then(|(hex, length)| Some((u32::from_str_radix(hex, 16).ok()?, length)));
        let length = 1 + kind.len_utf8() + code.map_or(0, |(_, length)| length);
        let is_itself = !kind.is_ascii_alphanumeric();
        let written = self.take(length);
        let code = code.map(|(code, _)| code);
        Item {
            written,
            code: code.or(is_itself.then_some(u32::from(kind))),
        }
    }
}
