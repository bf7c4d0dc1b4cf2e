//! The known types of files.

/// The family, the media type and the extensions of each type of file, one type a line. If several lines have an
/// extension, the first is its type; the other lines are synonyms that authors use in `accept`. Families: `i`
/// pictures, `p` PDF, `o` office documents, `z` archives, `m` sound and film, `t` plain text, `x` files that a
/// computer or a browser may run, `-` other files. The first bytes of other files may be anything but a program's.
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

/// A line of [`TYPES`].
#[derive(Clone, Copy)]
pub(super) struct FileType {
    pub family: char,
    pub media: &'static str,
    pub extensions: &'static str,
}

impl FileType {
    pub fn has(&self, extension: &str) -> bool {
        has_word(self.extensions, extension)
    }
}

pub(super) fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

pub(super) fn types() -> impl Iterator<Item = FileType> {
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

pub(super) fn of_extension(extension: &str) -> Option<FileType> {
    types().find(|known| known.has(extension))
}

pub(super) fn of_media(media: &str) -> Option<FileType> {
    types().find(|known| known.media == media)
}
