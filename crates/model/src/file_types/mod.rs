//! Types of uploaded files, by the last extension of the name and by the first bytes. The type that a browser
//! claims is ignored.
//!
//! `TYPES` and `SIGNATURES` hold every fact; a new type is a new line there.

use crate::filenames::clean_filename;

/// The media type of unknown bytes.
pub const ANY_BYTES: &str = "application/octet-stream";

/// How many bytes of a file [`Content::of`] reads.
pub const SNIFFED_BYTES: usize = 4096;

/// The extensions that a field without `accept` accepts.
pub const DEFAULT_EXTENSIONS: &str = "png jpg jpeg gif webp avif heic pdf txt csv rtf doc docx xls xlsx ppt pptx \
    odt ods odp mp3 m4a wav ogg mp4 mov webm";

/// The family, the media type and the extensions of each type of file. If several lines have an extension, the
/// first is its type; the others are synonyms that authors use in `accept`. Families: `i` pictures, `p` PDF, `o`
/// office documents, `z` archives, `m` sound and film, `t` plain text, `x` executable on a reader's machine or in
/// a browser, `-` without a signature.
const TYPES: &str = "\
i image/png png
i image/jpeg jpg jpeg jpe jfif
i image/jpg jpg jpeg jpe jfif
i image/pjpeg jpg jpeg jpe jfif
i image/gif gif
i image/webp webp
i image/avif avif
i image/heic heic
i image/heif heif hif heic
i image/bmp bmp
i image/tiff tif tiff
i image/x-icon ico
p application/pdf pdf
p application/x-pdf pdf
o application/msword doc dot
o application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
o application/vnd.ms-excel xls
o application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
o application/vnd.ms-powerpoint ppt pps
o application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
o application/vnd.oasis.opendocument.text odt
o application/vnd.oasis.opendocument.spreadsheet ods
o application/vnd.oasis.opendocument.presentation odp
o application/rtf rtf
o text/rtf rtf
z application/zip zip
z application/x-zip-compressed zip
z application/epub+zip epub
m audio/mpeg mp3
m audio/mp3 mp3
m audio/mp4 m4a
m audio/x-m4a m4a
m audio/wav wav
m audio/x-wav wav
m audio/ogg ogg oga opus
m audio/aac aac
m audio/flac flac
m video/mp4 mp4 m4v
m video/quicktime mov
m video/webm webm
m audio/webm webm weba
m video/ogg ogv ogg
m video/x-matroska mkv
m video/x-msvideo avi
t text/plain txt text log
t text/csv csv
t text/tab-separated-values tsv
- image/x-raw dng cr2 cr3 nef arw orf rw2 raf psd jxl jp2
- video/mpeg mpg mpeg
- video/3gpp 3gp
- video/x-ms-wmv wmv
- audio/x-ms-wma wma
- audio/midi mid midi
- audio/amr amr
- audio/aiff aif aiff
- application/json json
- application/xml xml
- text/xml xml
- text/calendar ics
- text/vcard vcf
- text/markdown md
x text/html html htm shtml mht mhtml
x application/xhtml+xml xhtml xht
x image/svg+xml svg svgz
x text/javascript js mjs cjs jse
x application/javascript js mjs cjs jse
x application/x-javascript js mjs cjs jse
x application/x-sh sh bash csh ksh zsh command
x application/x-httpd-php php php3 php4 php5 php7 php8 phtml phps phar
x application/java-archive jar
x application/vnd.android.package-archive apk
x application/x-msdownload exe com bat cmd msi msp msix msixbundle appx appxbundle scr pif cpl dll sys vb vbs vbe ws wsf wsc wsh \
ps1 psm1 psd1 ps1xml app dmg pkg deb rpm appimage run bin elf out lnk url scf desktop webloc reg inf hta chm hlp swf \
class jnlp application gadget msc xll xlam library-ms search-ms settingcontent-ms diagcab iso img vhd vhdx cgi pl py pyc pyw rb \
lua jsp jspx asp aspx ashx cfm htaccess htpasswd scpt osascript workflow
";

/// The bytes that begin files of a type; `?` is any byte. The first match counts.
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

/// How many bytes PDF readers search for the beginning of a PDF.
const PDF_WITHIN: usize = 1024;

/// The tags by which browsers recognise HTML (WHATWG MIME Sniffing, section 7.1), and SVG.
const TAGS: &str = "!doctype html head script iframe h1 div font table a style title b body br p !-- svg link meta img \
    form base object embed";

/// The types of pictures that a page may show unchanged.
const SHOWN_PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A line of [`TYPES`].
#[derive(Clone, Copy)]
struct FileType {
    family: char,
    media: &'static str,
    extensions: &'static str,
}

impl FileType {
    fn has(&self, extension: &str) -> bool {
        has_word(self.extensions, extension)
    }
}

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn types() -> impl Iterator<Item = FileType> {
    TYPES.lines().filter_map(|line| {
        let (family, rest) = line.split_once(' ')?;
        let (media, extensions) = rest.split_once(' ')?;
        Some(FileType {
            family: family.chars().next()?,
            media,
            extensions,
        })
    })
}

fn of_extension(extension: &str) -> Option<FileType> {
    types().find(|known| known.has(extension))
}

fn of_media(media: &str) -> Option<FileType> {
    types().find(|known| known.media == media)
}

/// The facts from the first bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The media type of the signature; empty without one.
    media: &'static str,
    /// Whether there is a NUL, except in UTF-16.
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
                let start = first.get(..PDF_WITHIN).unwrap_or(first);
                let has_pdf = start.windows(5).any(|bytes| bytes == b"%PDF-");
                if has_pdf { "application/pdf" } else { "" }
            }
        };
        Content {
            media,
            has_nul: !is_utf16 && first.contains(&0),
        }
    }

    /// The facts that follow from the stored type of a picture or PDF; `None` for other types.
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

    /// Whether the bytes may belong to a file of a family.
    fn fits(self, family: Option<char>) -> bool {
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
    // Removes the zeros and the byte order mark of UTF-16, or the mark of UTF-8.
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

/// The verdict of a field on a file.
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

/// The last extension of a name in lower case; for an unknown one, that of the picture or PDF in the bytes.
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
            // The extensions of an unlisted media type are unknown.
            known.any(|kind| kind.media == token)
                || of_extension(extension).is_none() && of_media(token).is_none()
        }
    })
}

/// Whether a field can reject a file by its name, before its bytes are known.
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

/// The `accept` without tokens that admit programs, for authors who may not allow these; `None` if it has no such
/// token.
pub fn without_programs(accept: &str) -> Option<String> {
    let (removed, kept): (Vec<&str>, Vec<&str>) =
        tokens(accept).partition(|token| admits_programs(token));
    (!removed.is_empty()).then(|| kept.join(","))
}

/// The media type to store for a file: that of its bytes for a picture, or else that of its extension. A file that
/// a browser or a mail program might run gets [`ANY_BYTES`].
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

/// The media type with which a page may show a picture; `None` for any other file, and for one whose name is that
/// of a program.
pub fn shown_picture(filename: &str, first: &[u8]) -> Option<&'static str> {
    let name = filename.to_ascii_lowercase();
    let runs = of_extension(extension_of(&name, None)).is_some_and(|kind| kind.family == 'x');
    let media = Content::of(first).media;
    Some(media).filter(|media| !runs && SHOWN_PICTURES.contains(media))
}
