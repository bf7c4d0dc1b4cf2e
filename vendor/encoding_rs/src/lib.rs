//! A replacement for the crate encoding_rs that supports only UTF-8; `README.md` says why.
//!
//! The names and signatures are those of encoding_rs 0.8.

use std::borrow::Cow;

/// An encoding; [`UTF_8`] is the only one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    name: &'static str,
}

/// UTF-8.
pub static UTF_8: &Encoding = &Encoding { name: "UTF-8" };

/// UTF-8 as well, because lol_html uses this name only for the debug output of bytes.
pub static WINDOWS_1252: &Encoding = UTF_8;

/// The result of a call of a [`Decoder`] or [`Encoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// All input was read.
    InputEmpty,
    /// The output has no room for the next character.
    OutputFull,
}

impl Encoding {
    /// The encoding for a label, by the Encoding Standard's list; `None` for labels of other encodings than UTF-8.
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Self> {
        const LABELS: &[&[u8]] = &[
            b"unicode-1-1-utf-8",
            b"unicode11utf8",
            b"unicode20utf8",
            b"utf-8",
            b"utf8",
            b"x-unicode20utf8",
        ];
        let label = label.trim_ascii().to_ascii_lowercase();
        LABELS.contains(&label.as_slice()).then_some(UTF_8)
    }

    /// The encoding's name.
    #[must_use]
    pub fn name(&'static self) -> &'static str {
        self.name
    }

    /// Decodes a whole buffer. Returns the text, the encoding, and whether invalid bytes were replaced.
    #[must_use]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Self, bool) {
        let text = String::from_utf8_lossy(bytes);
        let had_errors = matches!(text, Cow::Owned(_));
        (text, self, had_errors)
    }

    /// Equals [`Encoding::for_label`], because there is no `replacement` encoding here.
    #[must_use]
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Self> {
        Self::for_label(label)
    }

    /// Whether ASCII bytes encode ASCII characters, which is true for UTF-8.
    #[must_use]
    pub const fn is_ascii_compatible(&'static self) -> bool {
        true
    }

    /// The number of ASCII bytes before the first other byte.
    #[must_use]
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        let other = bytes.iter().position(|byte| !byte.is_ascii());
        other.unwrap_or(bytes.len())
    }

    /// Encodes a text. Returns the bytes, the encoding, and whether the encoding lacks a character of the text.
    #[must_use]
    pub fn encode<'a>(&'static self, text: &'a str) -> (Cow<'a, [u8]>, &'static Self, bool) {
        (Cow::Borrowed(text.as_bytes()), self, false)
    }

    /// Creates a decoder of text in pieces.
    #[must_use]
    pub const fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder { encoding: self }
    }

    /// Creates an encoder of text in pieces.
    #[must_use]
    pub const fn new_encoder(&'static self) -> Encoder {
        Encoder
    }
}

/// Decodes text in pieces. A character must not be split between two pieces. Callers that pass a whole `&str` meet this
/// condition, because lol_html splits it only at ASCII bytes.
#[derive(Debug)]
pub struct Decoder {
    encoding: &'static Encoding,
}

impl Decoder {
    /// The encoding of the input.
    #[must_use]
    pub const fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Decodes bytes into a text. Returns the result, the numbers of bytes read and written, and whether invalid bytes
    /// were replaced.
    pub fn decode_to_str(
        &mut self,
        bytes: &[u8],
        text: &mut str,
        _last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let mut valid = bytes.utf8_chunks();
        let chunk = valid.next();
        let (good, bad) = chunk.map_or(("", &[][..]), |chunk| (chunk.valid(), chunk.invalid()));
        let fits = good.floor_char_boundary(text.len());
        // SAFETY: only whole characters are written, and the rest of a character that they cut becomes U+0000.
        let target = unsafe { text.as_bytes_mut() };
        let mut written = 0;
        for (to, from) in target.iter_mut().zip(good.bytes().take(fits)) {
            *to = from;
            written += 1;
        }
        let mut read = written;
        let mark = char::REPLACEMENT_CHARACTER;
        let had_errors = read == good.len() && !bad.is_empty();
        let has_room = target.len() - written >= mark.len_utf8();
        if had_errors && has_room {
            let mut buffer = [0; 4];
            let bytes = mark.encode_utf8(&mut buffer).bytes();
            let rest = target.iter_mut().skip(written);
            rest.zip(bytes).for_each(|(to, from)| *to = from);
            written += mark.len_utf8();
            read += bad.len();
        }
        let is_part = |byte: &&mut u8| **byte & 0xc0 == 0x80;
        let rest = target.iter_mut().skip(written);
        rest.take_while(is_part).for_each(|byte| *byte = 0);
        let result = match read == bytes.len() {
            true => CoderResult::InputEmpty,
            false => CoderResult::OutputFull,
        };
        (result, read, written, had_errors)
    }
}

/// Encodes text in pieces.
#[derive(Debug)]
pub struct Encoder;

impl Encoder {
    /// Whether the encoder has read characters that it has not written yet.
    #[must_use]
    pub const fn has_pending_state(&self) -> bool {
        false
    }

    /// Encodes a text into bytes. Returns the result, the numbers of bytes read and written, and whether the encoding
    /// lacks a character of the text.
    pub fn encode_from_utf8(
        &mut self,
        text: &str,
        bytes: &mut [u8],
        _last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let fits = text.floor_char_boundary(bytes.len());
        bytes
            .iter_mut()
            .zip(text.bytes().take(fits))
            .for_each(|(to, from)| *to = from);
        let result = match fits == text.len() {
            true => CoderResult::InputEmpty,
            false => CoderResult::OutputFull,
        };
        (result, fits, fits, false)
    }
}
