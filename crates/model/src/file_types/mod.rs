//! Types of uploaded files, by the last extension of the name and by the first bytes. The type that the browser sends
//! is ignored.
//!
//! `TYPES` (`table.rs`) and `SIGNATURES` (`content.rs`) hold every fact; a new type is a new line there.

mod content;
mod table;

pub use content::{Content, SNIFFED_BYTES};

use crate::filenames::clean_filename;
use table::{has_word, of_extension, of_media, types};

/// The media type of a file of unknown type.
pub const ANY_BYTES: &str = "application/octet-stream";

/// The extensions that a field without `accept` accepts.
pub const DEFAULT_EXTENSIONS: &str = "png jpg jpeg gif webp avif heic pdf txt csv rtf doc docx xls xlsx ppt pptx \
    odt ods odp mp3 m4a wav ogg mp4 mov webm";

/// The types of pictures that a page may show unchanged.
const SHOWN_PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Whether a field accepts a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The field accepts the file.
    Taken,
    /// The field does not accept files of the type.
    NotAllowed,
    /// The bytes do not match the type of the name.
    Mismatch,
}

/// Judges a file by its name, by its bytes if known, and by the field's `accept`.
pub fn judge(filename: &str, content: Option<Content>, accept: &str) -> Judgement {
    let name = clean_filename(filename).to_ascii_lowercase();
    let extension = extension_of(&name, content);
    let known = of_extension(extension);
    let family = known.map(|known| known.family);
    if !is_accepted(&name, extension, family == Some('x'), accept) {
        Judgement::NotAllowed
    } else if content.is_some_and(|content| !content.fits(family)) {
        Judgement::Mismatch
    } else {
        Judgement::Taken
    }
}

/// The last extension of a name in lower case. If that extension is unknown, and the bytes are those of a picture or
/// PDF, returns an extension of the bytes' type.
fn extension_of(name: &str, content: Option<Content>) -> &str {
    let extension = name
        .rsplit_once('.')
        .map_or(name, |(_, extension)| extension);
    if of_extension(extension).is_some() {
        return extension;
    }
    let of_bytes = content.and_then(|content| of_media(content.media));
    let of_bytes = of_bytes.filter(|known| matches!(known.family, 'i' | 'p'));
    let of_bytes = of_bytes.and_then(|known| known.extensions.split(' ').next());
    of_bytes.unwrap_or(extension)
}

fn is_accepted(name: &str, extension: &str, is_program: bool, accept: &str) -> bool {
    let accept = accept.to_ascii_lowercase();
    let mut tokens = tokens(&accept).peekable();
    if tokens.peek().is_none() {
        return !is_program && has_word(DEFAULT_EXTENSIONS, extension);
    }
    tokens.any(|token| {
        let mut known = types().filter(|kind| kind.has(extension));
        if let Some(listed) = token.strip_prefix('.') {
            name.ends_with(token)
                || !name.ends_with(extension) && known.any(|kind| kind.has(listed))
        } else if let Some(family) = token.strip_suffix('*') {
            let is_of_family = family.is_empty() || family == "*/";
            !is_program && (is_of_family || known.any(|kind| kind.media.starts_with(family)))
        } else {
            // The extensions of a media type that `TYPES` lacks are unknown, so any unknown extension is accepted.
            known.any(|kind| kind.media == token)
                || of_extension(extension).is_none() && of_media(token).is_none()
        }
    })
}

/// Whether a field rejects a file by its name alone, before the bytes are known.
pub fn is_rejected_by_name(filename: &str, accept: &str) -> bool {
    let name = clean_filename(filename).to_ascii_lowercase();
    let is_known = of_extension(extension_of(&name, None)).is_some();
    is_known && judge(filename, None, accept) == Judgement::NotAllowed
}

/// The extensions of the files that a field accepts, separated by spaces; empty if it also accepts files of unknown
/// types.
pub fn accepted_extensions(accept: &str) -> String {
    let accept_lower = accept.to_ascii_lowercase();
    let is_listed = |token: &str| match token.strip_prefix('.') {
        Some(extension) => of_extension(extension).is_some(),
        None => token.ends_with("/*") && token.len() > 3 || of_media(token).is_some(),
    };
    if !tokens(&accept_lower).all(is_listed) {
        return String::new();
    }
    let mut accepted: Vec<&str> = Vec::new();
    for extension in types().flat_map(|known| known.extensions.split(' ')) {
        let name = format!("x.{extension}");
        if !accepted.contains(&extension) && judge(&name, None, accept) == Judgement::Taken {
            accepted.push(extension);
        }
    }
    accepted.join(" ")
}

fn tokens(accept: &str) -> impl Iterator<Item = &str> {
    let tokens = accept.split(',').map(str::trim);
    tokens.filter(|token| !token.is_empty())
}

/// Whether a token of `accept` admits programs, scripts, shortcuts, HTML or SVG.
fn admits_programs(token: &str) -> bool {
    let token = token.to_ascii_lowercase();
    let known = match token.rsplit_once('.') {
        Some((_, extension)) if token.starts_with('.') => of_extension(extension),
        _ => of_media(&token),
    };
    known.is_some_and(|kind| kind.family == 'x')
}

/// Removes the tokens that admit programs from an `accept`, for authors who may not allow programs. `None` if there
/// is no such token.
pub fn without_programs(accept: &str) -> Option<String> {
    let (removed, kept): (Vec<&str>, Vec<&str>) =
        tokens(accept).partition(|token| admits_programs(token));
    (!removed.is_empty()).then(|| kept.join(","))
}

/// The media type to store for a file: for a picture the type of its bytes, otherwise the type of its extension. A
/// file that a browser or a mail program might run gets [`ANY_BYTES`].
pub fn stored_type(filename: &str, content: Option<Content>) -> &'static str {
    let name = clean_filename(filename).to_ascii_lowercase();
    let named = of_extension(extension_of(&name, content));
    let of_bytes = content.and_then(|content| of_media(content.media));
    match named {
        Some(named) if named.family == 'x' => ANY_BYTES,
        Some(named) if named.family == 'i' => {
            of_bytes
                .filter(|kind| kind.family == 'i')
                .unwrap_or(named)
                .media
        }
        Some(named) => named.media,
        None => ANY_BYTES,
    }
}

/// The media type with which a page may show a picture; `None` for any other file, and for a file with the name of a
/// program.
pub fn shown_picture(filename: &str, first: &[u8]) -> Option<&'static str> {
    let name = filename.to_ascii_lowercase();
    let runs = of_extension(extension_of(&name, None)).is_some_and(|kind| kind.family == 'x');
    let media = Content::of(first).media;
    Some(media).filter(|media| !runs && SHOWN_PICTURES.contains(media))
}
