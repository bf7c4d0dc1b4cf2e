//! The decoder for input that comes in pieces, which may end inside a character.

use crate::{CoderResult, Encoding};

/// Decodes UTF-8 piece by piece; invalid bytes become U+FFFD, as in `String::from_utf8_lossy`.
pub struct Decoder {
    encoding: &'static Encoding,
    /// The start of a character whose end is in the next piece: valid so far, at most 3 bytes.
    pending: Vec<u8>,
}

impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        Self {
            encoding,
            pending: Vec::with_capacity(4),
        }
    }

    /// The encoding this decodes.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Decodes `input` into the start of `output`: why it stopped, the bytes read, the bytes
    /// written, and whether there were invalid bytes. `last` says that no input follows. An
    /// output of 4 bytes or more makes progress with every call.
    pub fn decode_to_str(
        &mut self,
        input: &[u8],
        output: &mut str,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        // SAFETY: `Output` writes whole characters from the start without a gap, and
        // `Output::finish` overwrites what is left of a character that the last one cut.
        let bytes = unsafe { output.as_bytes_mut() };
        let mut output = Output {
            bytes,
            written: 0,
            had_errors: false,
        };
        let (result, read) = self.decode(input, &mut output, last);
        output.finish();
        (result, read, output.written, output.had_errors)
    }

    fn decode(&mut self, input: &[u8], output: &mut Output, last: bool) -> (CoderResult, usize) {
        let mut read = 0;
        while !self.pending.is_empty() {
            let next = input.get(read).copied();
            if next.is_none() && !last {
                return (CoderResult::InputEmpty, read);
            }
            self.pending.extend(next);
            let (character, is_complete) = match std::str::from_utf8(&self.pending) {
                Ok(character) => (character, true),
                Err(error) if error.error_len().is_none() && next.is_some() => {
                    read += 1;
                    continue;
                }
                // The next byte does not belong to the character, or there is none.
                Err(_) => ("\u{FFFD}", false),
            };
            if output.room() < character.len() {
                self.pending
                    .truncate(self.pending.len() - next.iter().len());
                return (CoderResult::OutputFull, read);
            }
            output.write(character);
            output.had_errors |= !is_complete;
            read += usize::from(is_complete);
            self.pending.clear();
        }
        for chunk in input.get(read..).unwrap_or_default().utf8_chunks() {
            let written = output.write(chunk.valid());
            read += written;
            if written < chunk.valid().len() {
                return (CoderResult::OutputFull, read);
            }
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            let ends_input = read + invalid.len() == input.len();
            if ends_input && !last && may_continue(invalid) {
                self.pending.extend_from_slice(invalid);
            } else if output.write("\u{FFFD}") == 0 {
                return (CoderResult::OutputFull, read);
            } else {
                output.had_errors = true;
            }
            read += invalid.len();
        }
        (CoderResult::InputEmpty, read)
    }
}

/// Whether bytes that are no character could become one by those that follow.
fn may_continue(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

struct Output<'a> {
    bytes: &'a mut [u8],
    written: usize,
    had_errors: bool,
}

impl Output<'_> {
    fn room(&self) -> usize {
        self.bytes.len() - self.written
    }

    /// Writes as many whole characters of `text` as fit and gives their length in bytes.
    fn write(&mut self, text: &str) -> usize {
        let length = text.floor_char_boundary(self.room());
        let target = self.bytes.iter_mut().skip(self.written);
        for (target, byte) in target.zip(text.bytes().take(length)) {
            *target = byte;
        }
        self.written += length;
        length
    }

    /// Makes the bytes after the written ones valid again: the end of a character that was there
    /// before has lost its start.
    fn finish(&mut self) {
        let rest = self.bytes.iter_mut().skip(self.written);
        for byte in rest.take_while(|byte| (0x80..0xC0).contains(*byte)) {
            *byte = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UTF_8;

    /// Decodes pieces into a buffer of `room` bytes, as lol_html does.
    fn decode_pieces(pieces: &[&[u8]], room: usize) -> String {
        let mut decoder = UTF_8.new_decoder_without_bom_handling();
        // Characters of several bytes, so that writing over them cuts some.
        let mut buffer = "é".repeat(room.div_ceil(2));
        let mut text = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let mut rest = *piece;
            loop {
                let last = index + 1 == pieces.len();
                let (result, read, written, _) = decoder.decode_to_str(rest, &mut buffer, last);
                assert!(std::str::from_utf8(buffer.as_bytes()).is_ok());
                text.push_str(&buffer[..written]);
                rest = &rest[read..];
                if result == CoderResult::InputEmpty {
                    assert!(rest.is_empty());
                    break;
                }
                assert!(read + written > 0, "no progress");
            }
        }
        text
    }

    const SAMPLES: &[&[u8]] = &[
        b"",
        b"plain",
        "Grüße, 日本語 🦀!".as_bytes(),
        b"\xEF\xBB\xBFmark",
        b"\xFF\xFE",
        b"\x80\xBFx",
        b"\xC0\xAF",
        b"\xE2\x82",
        b"\xE2\x82x\xE2\x82\xAC",
        b"\xF0\x9F\xA6",
        b"\xF0\x9F\xA6\xF0\x9F\xA6\x80",
        b"\xED\xA0\x80\xF4\x90\x80\x80",
        b"\xF0\x80\x80\xE0\x80a\xC3",
    ];

    #[test]
    fn decodes_like_the_standard_library_however_the_input_is_cut() {
        for sample in SAMPLES {
            let expected = String::from_utf8_lossy(sample);
            for first in 0..=sample.len() {
                for second in first..=sample.len() {
                    let pieces = [&sample[..first], &sample[first..second], &sample[second..]];
                    for room in [4, 5, 6, 7, 64] {
                        assert_eq!(decode_pieces(&pieces, room), expected, "{sample:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn decodes_like_the_standard_library_byte_by_byte() {
        for sample in SAMPLES {
            let mut pieces: Vec<&[u8]> = sample.chunks(1).collect();
            pieces.push(b"");
            assert_eq!(decode_pieces(&pieces, 4), String::from_utf8_lossy(sample));
        }
    }

    #[test]
    fn reports_invalid_bytes() {
        let mut buffer = "\0".repeat(16);
        let mut decoder = UTF_8.new_decoder_without_bom_handling();
        assert!(!decoder.decode_to_str(b"a\xC3", &mut buffer, false).3);
        assert!(decoder.decode_to_str(b"", &mut buffer, true).3);
    }
}
