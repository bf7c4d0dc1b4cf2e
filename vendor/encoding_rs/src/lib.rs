//! A stand-in for the crate encoding_rs that knows UTF-8 alone: `README.md` says why.
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

impl Encoding {
    /// The encoding for a label, by the Encoding Standard's list; `None` for any but UTF-8's.
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

    /// Decodes a whole buffer: the text, the encoding, and whether there were invalid bytes.
    #[must_use]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Self, bool) {
        let text = String::from_utf8_lossy(bytes);
        let had_errors = matches!(text, Cow::Owned(_));
        (text, self, had_errors)
    }
}
