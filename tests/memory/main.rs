//! How much memory reading a document takes: a page at most four times its length, beside the result.
//! A program of its own, because it counts what its allocator gives.

#![allow(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use cf_forms::markup::parse;

/// How many times its length reading a page may take.
const MOST: f64 = 4.0;

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: each call is handed on as it is to the system's allocator.
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

/// What a call holds at most while it runs beside its result, and what its result holds.
fn measured<T>(call: impl FnOnce() -> T) -> (usize, usize) {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = call();
    let held = HELD.load(Ordering::Relaxed) - before;
    drop(result);
    (PEAK.load(Ordering::Relaxed) - before - held, held)
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

/// One test, so that no other allocates meanwhile.
#[test]
fn reading_a_document_takes_a_few_times_its_length_at_most_beside_the_result() {
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
        ("5 MB of small tags", MOST, "<b>x</b>".repeat(600_000)),
        ("5 MB of empty tags", MOST, "<i></i>".repeat(700_000)),
        ("5 MB of nested tags", MOST, "<div>".repeat(1_000_000)),
        ("5 MB of blocks", MOST, "<div>a</div>".repeat(400_000)),
        ("5 MB of line breaks", MOST, "a<br>".repeat(1_000_000)),
        ("5 MB of list items", MOST, "<li>a".repeat(1_000_000)),
        (
            "5 MB of table cells",
            MOST,
            format!("<table>{}", "<tr><td>a".repeat(550_000)),
        ),
        ("5 MB of links", MOST, "<a href=a>b</a>".repeat(330_000)),
        ("5 MB of comments", MOST, "a<!---->".repeat(600_000)),
        ("5 MB of ids", MOST, "<i id=a></i>".repeat(420_000)),
        ("5 MB of labels", MOST, "<label>a</label>".repeat(310_000)),
        (
            "5 MB of conditions",
            MOST,
            "<i data-show-if=a></i>".repeat(230_000),
        ),
        (
            "2 MB of options",
            MOST,
            format!(
                "<select name=a>{}",
                "<option value=1234567890>".repeat(80_000)
            ),
        ),
        (
            "2 MB of radios",
            MOST,
            "<input type=radio name=a value=b>".repeat(60_000),
        ),
        (
            "2 MB of text areas",
            MOST,
            "<textarea name=a>b</textarea>".repeat(70_000),
        ),
        (
            "5 MB of attributes",
            MOST,
            "<input name=a a b c d e f g h i>".repeat(95_000),
        ),
        (
            "1 MB of short inputs",
            MOST,
            "<input name=a>".repeat(95_000),
        ),
        (
            "1 MB of short options",
            MOST,
            format!("<datalist id=a>{}", "<option>b".repeat(99_000)),
        ),
        (
            "1 MB of short labels",
            MOST,
            "<label for=a>".repeat(100_000),
        ),
        ("1 MB of shorter labels", MOST, "<label>".repeat(150_000)),
        ("5 MB of short ids", MOST, "<i id=a>".repeat(620_000)),
        ("5 MB of steps", MOST, "<i data-step>".repeat(380_000)),
        (
            "5 MB in one tag",
            MOST,
            format!("<i {}>", "b=c ".repeat(1_250_000)),
        ),
        (
            "5 MB of names in one tag",
            MOST,
            format!(
                "<input name=a {}>",
                (0..800_000).map(|n| format!("{n:x} ")).collect::<String>()
            ),
        ),
        // Tags that are shorter than what is kept of them until their fields are made (an item, its
        // texts), so that more than so many are too many for any schema: held where it is.
        ("1 MB of dividers", 4.3, "<hr>".repeat(250_000)),
        ("1 MB of paragraphs", 8.5, "<p>a".repeat(250_000)),
        ("1 MB of buttons", 7.0, "<button>".repeat(125_000)),
        // As many fields as a schema holds, each of some three hundred bytes in the result: beside
        // that an item, where the field stands, and the names that controls bear.
        ("40 KB of dividers", 18.0, "<hr>".repeat(10_000)),
        ("40 KB of paragraphs", 22.0, "<p>a".repeat(10_000)),
        ("80 KB of buttons", 11.0, "<button>".repeat(10_000)),
        (
            "140 KB of controls",
            8.5,
            (0..10_000).map(|n| format!("<input name={n}>")).collect(),
        ),
    ] {
        let (taken, result) = measured(|| parse(&html).map_err(|error| error.to_string()));
        let times = taken as f64 / html.len() as f64;
        println!("{what}: {times:.2} times its length, and a result of {result} bytes");
        if times > most {
            over.push(format!("{what}: {times:.2} times, more than {most}"));
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
