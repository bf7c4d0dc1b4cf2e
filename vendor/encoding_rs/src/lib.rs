//! A stand-in for the crate encoding_rs that knows UTF-8 alone: `README.md` says why.
//!
//! The names and signatures are those of encoding_rs 0.8.

mod decoder;

use std::borrow::Cow;

pub use decoder::Decoder;

/// An encoding; [`UTF_8`] is the only one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    name: &'static str,
}

/// UTF-8.
pub static UTF_8: &Encoding = &Encoding { name: "UTF-8" };

/// UTF-8 too: lol_html uses this name only to show bytes of an unknown encoding in debug output.
pub static WINDOWS_1252: &Encoding = UTF_8;

/// Why a coder stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoderResult {
    /// All input was consumed.
    InputEmpty,
    /// There is input left, and no room for the next character.
    OutputFull,
}

impl Encoding {
    /// The encoding for a label, by the Encoding Standard's list; `None` for any but UTF-8's.
    #[must_use]
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Self> {
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

    /// The same: there is no encoding here that only replaces.
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Self> {
        Self::for_label_no_replacement(label)
    }

    /// The encoding's name.
    #[must_use]
    pub fn name(&'static self) -> &'static str {
        self.name
    }

    /// Whether ASCII bytes mean ASCII characters, as in UTF-8 they do.
    #[must_use]
    pub fn is_ascii_compatible(&'static self) -> bool {
        true
    }

    /// The number of bytes before the first one that is not ASCII.
    #[must_use]
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        let other = bytes.iter().position(|byte| !byte.is_ascii());
        other.unwrap_or(bytes.len())
    }

    /// Decodes a whole buffer: the text, the encoding, and whether there were invalid bytes.
    #[must_use]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Self, bool) {
        let text = String::from_utf8_lossy(bytes);
        let had_errors = matches!(text, Cow::Owned(_));
        (text, self, had_errors)
    }

    /// Encodes a string: the bytes, the encoding, and false, since UTF-8 has every character.
    #[must_use]
    pub fn encode<'a>(&'static self, text: &'a str) -> (Cow<'a, [u8]>, &'static Self, bool) {
        (Cow::Borrowed(text.as_bytes()), self, false)
    }

    /// A decoder for input that comes in pieces.
    #[must_use]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::new(self)
    }

    /// An encoder for text that comes in pieces.
    #[must_use]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder { _private: () }
    }
}

/// Copies text to bytes, piece by piece.
pub struct Encoder {
    _private: (),
}

impl Encoder {
    /// Whether a character is half written: never, in UTF-8.
    #[must_use]
    pub fn has_pending_state(&self) -> bool {
        false
    }

    /// Writes as many whole characters as fit: why it stopped, the bytes read, the bytes written,
    /// and false, since no character is ever replaced.
    pub fn encode_from_utf8(
        &mut self,
        text: &str,
        output: &mut [u8],
        _last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let length = text.floor_char_boundary(output.len());
        for (target, byte) in output.iter_mut().zip(text.bytes().take(length)) {
            *target = byte;
        }
        let result = if length == text.len() {
            CoderResult::InputEmpty
        } else {
            CoderResult::OutputFull
        };
        (result, length, length, false)
    }
}
