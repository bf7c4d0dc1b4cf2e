//! Recognises the type of a file by its first bytes.

use super::table::of_media;

/// The number of bytes of a file that [`Content::of`] reads.
pub const SNIFFED_BYTES: usize = 4096;

/// The bytes with which files of a type begin, and the type; `?` stands for any byte. The first match counts.
const SIGNATURES: [(&[u8], &str); 45] = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"RIFF????WEBP", "image/webp"),
    (b"RIFF????WAVE", "audio/wav"),
    (b"RIFF????AVI ", "video/x-msvideo"),
    (b"????ftypavi", "image/avif"),
    (b"????ftyphei", "image/heic"),
    (b"????ftyphev", "image/heic"),
    (b"????ftypmif1", "image/heic"),
    (b"????ftypmsf1", "image/heic"),
    (b"????ftypM4A", "audio/mp4"),
    (b"????ftypqt  ", "video/quicktime"),
    (b"????ftyp", "video/mp4"),
    (b"????moov", "video/quicktime"),
    (b"????mdat", "video/quicktime"),
    (b"????wide", "video/quicktime"),
    (b"BM????\0\0\0\0", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword"),
    (b"{\\rtf", "application/rtf"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"MZ", PROGRAM),
    (b"\x7fELF", PROGRAM),
    (b"\xfe\xed\xfa\xce", PROGRAM),
    (b"\xfe\xed\xfa\xcf", PROGRAM),
    (b"\xce\xfa\xed\xfe", PROGRAM),
    (b"\xcf\xfa\xed\xfe", PROGRAM),
    (b"\xca\xfe\xba\xbe", PROGRAM),
    (b"L\0\0\0\x01\x14\x02\0", PROGRAM),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
    (b"\xff\xfa", "audio/mpeg"),
    (b"\xff\xf2", "audio/mpeg"),
    (b"\xff\xf1", "audio/aac"),
    (b"\xff\xf9", "audio/aac"),
];

const PROGRAM: &str = "application/x-msdownload";
const HTML: &str = "text/html";

/// The number of bytes at the start of a file in which PDF readers search for the header.
const MAX_PDF_PREAMBLE_BYTES: usize = 1024;

/// The tags that mark a file as HTML or SVG at its start: those of WHATWG MIME Sniffing, section 7.1, and a few more.
const TAGS: &str = "!doctype html head script iframe h1 div font table a style title b body br p !-- svg link meta img \
    form base object embed";

/// The facts that the first bytes of a file reveal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The media type that a signature, a tag or a PDF header reveals; empty for unknown bytes.
    pub(super) media: &'static str,
    /// Whether the bytes contain a NUL; false for UTF-16.
    has_nul: bool,
}

impl Content {
    /// Reads the first bytes of a file.
    pub fn of(first: &[u8]) -> Content {
        let first = first.get(..SNIFFED_BYTES).unwrap_or(first);
        let is_utf16 = first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff");
        let mut signatures = SIGNATURES.iter().filter(|_| !is_utf16);
        let signature = signatures.find(|(signature, _)| begins(first, signature));
        let media = match signature {
            Some((_, media)) => media,
            None if is_html(first) => HTML,
            None => {
                let start = first.get(..MAX_PDF_PREAMBLE_BYTES).unwrap_or(first);
                let has_pdf = start.windows(5).any(|bytes| bytes == b"%PDF-");
                if has_pdf { "application/pdf" } else { "" }
            }
        };
        Content {
            media,
            has_nul: !is_utf16 && first.contains(&0),
        }
    }

    /// The facts that the stored type of a picture or PDF implies; `None` for other types.
    pub fn of_stored_type(stored_type: &str) -> Option<Content> {
        let known = of_media(stored_type).filter(|known| matches!(known.family, 'i' | 'p'))?;
        Some(Content {
            media: known.media,
            has_nul: false,
        })
    }

    fn family(self) -> Option<char> {
        of_media(self.media).map(|known| known.family)
    }

    /// Whether the bytes can be those of a file of a family (`TYPES`).
    pub(super) fn fits(self, family: Option<char>) -> bool {
        let found = self.family();
        match family {
            Some('o') => matches!(found, Some('o' | 'z')),
            Some(family @ ('i' | 'p' | 'z' | 'm')) => found == Some(family),
            Some('t') => {
                let is_other = matches!(found, Some('i' | 'p' | 'o' | 'z')) || self.media == HTML;
                !self.has_nul && !is_other
            }
            Some('x') => true,
            _ => self.media != PROGRAM,
        }
    }
}

fn begins(first: &[u8], signature: &[u8]) -> bool {
    let mut pairs = signature.iter().zip(first);
    first.len() >= signature.len()
        && pairs.all(|(expected, byte)| *expected == b'?' || expected == byte)
}

/// Whether a browser that sniffs the bytes would treat them as HTML or SVG.
fn is_html(first: &[u8]) -> bool {
    // Dropping zeros and bytes beyond ASCII makes UTF-16 readable, and removes the byte order mark.
    let text = first.iter().filter(|byte| **byte != 0 && byte.is_ascii());
    let text: Vec<u8> = text.map(u8::to_ascii_lowercase).collect();
    let text = String::from_utf8(text).unwrap_or_default();
    let mut text = text.trim_start();
    if let Some((_, rest)) = text
        .strip_prefix("<?xml")
        .and_then(|rest| rest.split_once("?>"))
    {
        text = rest.trim_start();
    }
    let Some(tag) = text.strip_prefix('<') else {
        return false;
    };
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with([' ', '>', '/', '\t', '\n', '\r', '\x0c']);
    let mut tags = TAGS.split_ascii_whitespace();
    tags.any(|known| {
        tag.strip_prefix(known)
            .is_some_and(|rest| known == "!--" || ends(rest))
    })
}
