//! Detection of an uploaded file's type, by its last extension and its bytes.

use model::file_types::{Content, Judgement, judge, shown_picture, stored_type};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x10JFIF";
const PDF: &[u8] = b"%PDF-1.7\n%\xe2\xe3";
const ZIP: &[u8] = b"PK\x03\x04\x14\0\x06\0";
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";
const HEIC: &[u8] = b"\0\0\0\x18ftypheic\0\0";
const MP4: &[u8] = b"\0\0\0\x18ftypisom\0\0";
const PROGRAM: &[u8] = b"MZ\x90\0\x03\0\0\0";
const HTML: &[u8] = b"\xef\xbb\xbf \n<!DOCTYPE html><script>alert(1)</script>";

#[test]
fn the_bytes_must_match_the_extension() {
    let taken = [
        ("me.png", PNG),
        // Cameras and messengers often use the wrong extension for images.
        ("me.jpg", PNG),
        ("IMG_1.heic", HEIC),
        ("IMG_1.JPG", HEIC),
        ("cv.pdf", PDF),
        ("scan.pdf", b"\n\n%PDF-1.4"),
        ("brochure.pl.pdf", PDF),
        ("letter.docx", ZIP),
        ("with a password.docx", OLE),
        ("letter.doc", OLE),
        ("letter.doc", b"{\\rtf1\\ansi"),
        ("sheet.xlsx", ZIP),
        ("clip.mp4", MP4),
        ("clip.mov", b"\0\0\0\x08wide\0\0"),
        ("song.mp3", b"ID3\x03\0"),
        ("song.mp3", b"\xff\xfb\x90\x64"),
        ("voice.ogg", b"OggS\0\x02"),
        ("voice.webm", b"\x1a\x45\xdf\xa3\x9f"),
        ("notes.txt", b"I <b>said</b> so, and <script> too"),
        ("notes.txt", b""),
        ("unicode.txt", b"\xff\xfeH\0i\0"),
        ("list.csv", b"a;b\r\n1;2\r\n"),
        // Without a known extension, the bytes decide.
        ("scan", PDF),
        ("IMG_2044", JPEG),
    ];
    for (name, bytes) in taken {
        let judged = judge(name, Some(Content::of(bytes)), "");
        assert_eq!(judged, Judgement::Taken, "{name} {bytes:?}");
    }
    let mismatches: [(&str, &[u8]); 19] = [
        ("cv.pdf", HTML),
        ("cv.pdf", PROGRAM),
        ("cv.pdf", b"\x7fELF\x02\x01\x01"),
        ("cv.pdf", PNG),
        ("cv.pdf", b"nothing that is known"),
        ("cv.pdf", b""),
        ("cv.pdf", b"<html>%PDF-1.7"),
        ("me.png", HTML),
        ("me.png", b"<svg onload=alert(1)>"),
        ("me.png", MP4),
        ("me.png", b"\x89PNF"),
        ("letter.docx", PROGRAM),
        ("letter.docx", b"<html xmlns:w=\"word\">"),
        ("song.mp3", PNG),
        ("notes.txt", b"a\0b"),
        ("notes.txt", HTML),
        (
            "notes.txt",
            b"<?xml version=\"1.0\"?>\n<svg onload=alert(1)>",
        ),
        ("notes.txt", b"\xff\xfe<\0h\0t\0m\0l\0>\0"),
        ("notes.txt", PDF),
    ];
    for (name, bytes) in mismatches {
        let judged = judge(name, Some(Content::of(bytes)), "");
        assert_eq!(judged, Judgement::Mismatch, "{name} {bytes:?}");
    }
}

#[test]
fn programs_are_accepted_only_if_accept_names_them() {
    for (name, bytes) in [
        ("x.html", HTML),
        ("x.svg", b"<svg>".as_slice()),
        ("x.exe", PROGRAM),
        ("x.js", b"alert(1)"),
        ("x.lnk", b"L\0\0\0\x01\x14\x02\0"),
        (".htaccess", b"AddHandler"),
        ("x.pdf.exe.", PROGRAM),
    ] {
        let content = Some(Content::of(bytes));
        assert_eq!(judge(name, content, ""), Judgement::NotAllowed, "{name}");
        assert_eq!(judge(name, content, "*/*"), Judgement::NotAllowed, "{name}");
        assert_eq!(stored_type(name, content), "application/octet-stream");
    }
    let html = Some(Content::of(HTML));
    assert_eq!(judge("x.html", html, ".pdf, .html"), Judgement::Taken);
    assert_eq!(judge("x.html", html, "text/html"), Judgement::Taken);
    let program = Some(Content::of(PROGRAM));
    assert_eq!(judge("x.dat", program, ".dat"), Judgement::Mismatch);
}

#[test]
fn the_stored_type_never_comes_from_the_sender() {
    for (name, bytes, stored) in [
        ("me.jpg", PNG, "image/png"),
        ("scan", PDF, "application/pdf"),
        ("cv.pdf", PDF, "application/pdf"),
        ("a.csv", b"a;b".as_slice(), "text/csv"),
        ("x.html", HTML, "application/octet-stream"),
        ("x.unknown", b"?", "application/octet-stream"),
    ] {
        assert_eq!(
            stored_type(name, Some(Content::of(bytes))),
            stored,
            "{name}"
        );
    }
    assert_eq!(shown_picture("me.jpg", PNG), Some("image/png"));
    for (name, first) in [
        ("me.png", HTML),
        ("me.html", PNG),
        ("a.pdf", PDF),
        ("a.heic", HEIC),
    ] {
        assert_eq!(shown_picture(name, first), None, "{name}");
    }
}
