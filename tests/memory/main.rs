//! The memory that parsing a document needs in addition to its result: at most five times the length of a page, fifteen
//! times for hostile documents, and four megabytes more for the fields of a full schema. And the memory that a large
//! import needs, which is bounded. These tests are a program of their own, because they replace the global allocator to
//! count memory.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::import::Session;
use cf_forms::markup::parse;

/// Limit for a page, as a multiple of its length.
const MOST: f64 = 5.0;

/// Limit for a document that the parser keeps nearly whole, as a multiple of its length.
const MAX_HOSTILE: f64 = 15.0;

/// Further memory in bytes, for the growing list of fields of a full schema.
const FOR_FIELDS: usize = 4 * 1024 * 1024;

/// Limit for an import in parts, in bytes.
const FOR_PARTS: usize = 12 * 1024 * 1024;

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each call goes unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(held, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The peak memory of a call in addition to its result, and the memory of its result.
fn measured<T>(call: impl FnOnce() -> T) -> (usize, usize) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = call();
    // The test runner's thread may free memory meanwhile.
    let held = HELD.load(Ordering::Relaxed).saturating_sub(before);
    drop(result);
    let peak = PEAK.load(Ordering::Relaxed).saturating_sub(before);
    (peak.saturating_sub(held), held)
}

fn dense(bytes: usize) -> String {
    let mut html = String::new();
    let mut n = 0;
    while html.len() < bytes {
        html += &format!(
            "<div class=row><label for=f{n} class=form-label>Question &amp; answer {n}</label>\n\
             <input type=email class=form-control id=f{n} name=f{n} placeholder=you@example.org required>\n\
             <select name=s{n} aria-label=Choice><option value=a selected>Alpha<option value=b>Beta</select>\n\
             <label><input type=radio name=r{n} value=y checked> Yes</label><label><input type=radio name=r{n} value=n> No</label>\n\
             <small id=h{n}>Help with <i>{n}</i></small></div>\n"
        );
        n += 1;
    }
    html
}

fn page(bytes: usize, form: &str) -> String {
    const ARTICLE: &str = "<p>Some <b>plain</b> text with a <a href=\"/page?a=1&amp;b=2\">link</a> and an <img src=\"/i.png\" alt=\"\">.</p>\n";
    let around = ARTICLE.repeat(bytes.saturating_sub(form.len()) / 2 / ARTICLE.len());
    format!("{around}<form>{form}</form>{around}")
}

/// Locked by each test, so that no other test allocates memory at the same time.
static ALONE: Mutex<()> = Mutex::new(());

/// The entries of Gravity Forms as JSON, of about so many bytes.
fn entries(bytes: usize) -> String {
    let mut json = String::from("{\"entries\": [");
    let mut number = 0;
    while json.len() < bytes {
        let comma = if number == 0 { "" } else { "," };
        json += &format!(
            "{comma}{{\"id\": \"{number}\", \"form_id\": \"4\", \"date_created\": \"2026-01-20 01:15:58\", \"is_starred\": 0, \
             \"1\": \"person{number}@example.org\", \"2\": \"{}\"}}",
            "word ".repeat(40)
        );
        number += 1;
    }
    json + "]}"
}

/// Reads a file in parts, as a host does; returns the number of submissions.
fn read_in_parts(file: &str) -> usize {
    const OPTIONS: &str = r#"{"forms": {"4": {"fields": [{"name": "email", "type": "email"}], "ids": {"1": "email"}}}}"#;
    let mut session = Session::of("{\"import_id\": 7}");
    let mut pieces = file.as_bytes().chunks(64 * 1024);
    while !session.is_done() {
        if session.next(OPTIONS).is_empty() {
            match pieces.next() {
                Some(piece) => session.push(&String::from_utf8_lossy(piece)),
                None => session.end(),
            }
        }
    }
    session.done()
}

#[test]
fn an_import_of_large_json_takes_bounded_memory() {
    let _alone = ALONE.lock();
    for bytes in [8_000_000, 32_000_000] {
        let file = entries(bytes);
        let (taken, count) = measured(|| read_in_parts(&file));
        println!("{bytes} bytes of JSON: {taken} bytes, beside {count}");
        assert!(taken < FOR_PARTS, "{bytes} bytes take {taken}");
    }
}

#[test]
fn parsing_a_document_takes_at_most_a_few_times_its_length_in_addition_to_the_result() {
    let _alone = ALONE.lock();
    let mut over = Vec::new();
    for (what, most, html) in [
        (
            "200 KB page with one form",
            MOST,
            page(200_000, &dense(4_000)),
        ),
        ("5 MB page", MOST, page(5_000_000, &dense(1_200_000))),
        ("200 KB, all form", MOST, dense(200_000)),
        ("1 MB, all form", MOST, dense(1_000_000)),
        ("5 MB of text", MOST, page(5_000_000, "")),
        (
            "5 MB of small tags",
            MAX_HOSTILE,
            "<b>x</b>".repeat(600_000),
        ),
        ("5 MB of empty tags", MAX_HOSTILE, "<i></i>".repeat(700_000)),
        (
            "5 MB of nested tags",
            MAX_HOSTILE,
            "<div>".repeat(1_000_000),
        ),
        (
            "5 MB of blocks",
            MAX_HOSTILE,
            "<div>a</div>".repeat(400_000),
        ),
        (
            "5 MB of line breaks",
            MAX_HOSTILE,
            "a<br>".repeat(1_000_000),
        ),
        ("5 MB of list items", MAX_HOSTILE, "<li>a".repeat(1_000_000)),
        (
            "5 MB of table cells",
            MAX_HOSTILE,
            format!("<table>{}", "<tr><td>a".repeat(550_000)),
        ),
        (
            "5 MB of links",
            MAX_HOSTILE,
            "<a href=a>b</a>".repeat(330_000),
        ),
        ("5 MB of comments", MAX_HOSTILE, "a<!---->".repeat(600_000)),
        ("5 MB of ids", MAX_HOSTILE, "<i id=a></i>".repeat(420_000)),
        (
            "5 MB of labels",
            MAX_HOSTILE,
            "<label>a</label>".repeat(310_000),
        ),
        (
            "5 MB of conditions",
            MAX_HOSTILE,
            "<i data-show-if=a></i>".repeat(230_000),
        ),
        (
            "2 MB of options",
            MAX_HOSTILE,
            format!(
                "<select name=a>{}",
                "<option value=1234567890>".repeat(80_000)
            ),
        ),
        (
            "2 MB of radios",
            MAX_HOSTILE,
            "<input type=radio name=a value=b>".repeat(60_000),
        ),
        (
            "2 MB of text areas",
            MAX_HOSTILE,
            "<textarea name=a>b</textarea>".repeat(70_000),
        ),
        (
            "5 MB of attributes",
            MAX_HOSTILE,
            "<input name=a a b c d e f g h i>".repeat(95_000),
        ),
        (
            "1 MB of short inputs",
            MAX_HOSTILE,
            "<input name=a>".repeat(95_000),
        ),
        (
            "1 MB of short options",
            MAX_HOSTILE,
            format!("<datalist id=a>{}", "<option>b".repeat(99_000)),
        ),
        (
            "1 MB of short labels",
            MAX_HOSTILE,
            "<label for=a>".repeat(100_000),
        ),
        (
            "1 MB of shorter labels",
            MAX_HOSTILE,
            "<label>".repeat(150_000),
        ),
        ("5 MB of short ids", MAX_HOSTILE, "<i id=a>".repeat(620_000)),
        (
            "5 MB of steps",
            MAX_HOSTILE,
            "<i data-step>".repeat(380_000),
        ),
        (
            "5 MB in one tag",
            MAX_HOSTILE,
            format!("<i {}>", "b=c ".repeat(1_250_000)),
        ),
        (
            "5 MB of names in one tag",
            MAX_HOSTILE,
            format!(
                "<input name=a {}>",
                (0..800_000).map(|n| format!("{n:x} ")).collect::<String>()
            ),
        ),
        ("1 MB of dividers", MAX_HOSTILE, "<hr>".repeat(250_000)),
        ("1 MB of paragraphs", MAX_HOSTILE, "<p>a".repeat(250_000)),
        ("1 MB of buttons", MAX_HOSTILE, "<button>".repeat(125_000)),
        // The maximum number of fields of a schema.
        ("40 KB of dividers", MAX_HOSTILE, "<hr>".repeat(10_000)),
        ("40 KB of paragraphs", MAX_HOSTILE, "<p>a".repeat(10_000)),
        ("80 KB of buttons", MAX_HOSTILE, "<button>".repeat(10_000)),
        (
            "140 KB of controls",
            MAX_HOSTILE,
            (0..10_000).map(|n| format!("<input name={n}>")).collect(),
        ),
    ] {
        let (taken, result) = measured(|| parse(&html).map_err(|error| error.to_string()));
        let times = taken.saturating_sub(FOR_FIELDS) as f64 / html.len() as f64;
        println!("{what}: {times:.2} times its length, and a result of {result} bytes");
        if times > most {
            over.push(format!("{what}: {times:.2} times, more than {most}"));
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
