//! Reading files in parts gives the same as reading them whole, wherever the reading resumes, and takes linear time.

use std::time::Duration;

use ::import::{Contents, Report, Session, contents_of};
use serde_json::{Value, json};

use crate::fuzzed_readers::session;
use crate::stopwatch::Stopwatch;

/// Sizes in bytes of the pieces in which a file arrives.
const PIECES: [usize; 3] = [1, 7, 64 * 1024];

fn options(mapping: &Value) -> String {
    let fields = json!([
        {"name": "email", "type": "email", "label": "E-mail"},
        {"name": "day", "type": "date", "label": "Day"},
    ]);
    json!({"forms": {"": {"fields": fields}}, "mapping": mapping}).to_string()
}

/// All parts of a file, and the report.
fn parts(session: &mut Session, options: &str) -> (Vec<Contents>, Report) {
    let (mut parts, mut report) = (Vec::new(), Report::default());
    while !session.is_done() {
        let part = session.next(options);
        assert!(!part.is_empty());
        parts.push(contents_of(&part, &mut report).unwrap());
    }
    (parts, report)
}

fn csv(rows: usize) -> String {
    let row = |row: usize| {
        format!(
            "person{row}@example.org;{}.04.2026;\"a\"\"b\n{row}\"\n",
            row % 28 + 1
        )
    };
    let rows: String = (0..rows).map(row).collect();
    ["E-mail;Day;Other\n", &rows].concat()
}

#[test]
fn a_csv_file_read_in_parts_equals_the_whole() {
    let text = csv(1_203);
    let described: Value = {
        let mut scan = session(&json!({"scan": true}), &text, 4_096);
        serde_json::from_str(&scan.scan()).unwrap()
    };
    assert_eq!(described["submissions"], 1_203);
    assert_eq!(
        described["mapping"]["headings"],
        json!(["E-mail", "Day", "Other"])
    );
    for piece in PIECES {
        let setup = json!({"import_id": 7, "month_first": described["month_first"]});
        let (parts, report) = parts(&mut session(&setup, &text, piece), &options(&json!({})));
        assert!(
            parts
                .iter()
                .all(|part| part.import_id == 7 && part.submissions.len() <= 500)
        );
        let all: Vec<_> = parts
            .into_iter()
            .flat_map(|part| part.submissions)
            .collect();
        assert_eq!(all.len(), 1_203);
        assert_eq!(all[13].answers["day"], "2026-04-14");
        assert_eq!(all[1_202].answers["other"], "a\"b\n1202");
        let notes = report.into_notes();
        assert_eq!(notes.len(), 1);
        assert!(notes[0].message.contains("1203"), "{notes:?}");
    }
}

#[test]
fn a_resumed_reading_gives_the_rest_and_the_same_report() {
    let text = csv(1_203);
    let setup =
        |from: usize| json!({"import_id": 7, "from": from, "month_first": [false, false, false]});
    let (whole, report) = parts(&mut session(&setup(0), &text, 999), &options(&json!({})));
    let whole: Vec<_> = whole
        .into_iter()
        .flat_map(|part| part.submissions)
        .collect();
    let notes = report.into_notes();
    for from in [1, 500, 777, 1_203] {
        let mut again = session(&setup(from), &text, 999);
        let (rest, report) = parts(&mut again, &options(&json!({})));
        let rest: Vec<_> = rest.into_iter().flat_map(|part| part.submissions).collect();
        assert_eq!(rest, whole[from..]);
        assert_eq!(report.into_notes(), notes);
        assert_eq!(again.done(), 1_203);
    }
}

/// JSON of Gravity's entries, each with an answer without a field.
fn entries(count: usize) -> String {
    let entry = |number: usize| {
        json!({
            "id": number.to_string(), "form_id": if number.is_multiple_of(3) { "4" } else { "5" },
            "date_created": "2026-01-20 01:15:58", "is_starred": 0, "payment_status": null,
            "1": format!("person{number}@example.org"), "2": "2026-04-03", "3": "a \\ \"quoted] } text",
        })
    };
    let entries: Vec<Value> = (0..count).map(entry).collect();
    json!({"total_count": count, "entries": entries}).to_string()
}

fn known_forms() -> String {
    let form = json!({
        "fields": [{"name": "email", "type": "email"}, {"name": "day", "type": "date"}],
        "ids": {"1": "email", "2": "day"},
    });
    json!({"forms": {"4": form, "5": form}, "are_forms_known": true}).to_string()
}

#[test]
fn submissions_of_large_json_come_one_by_one() {
    const COUNT: usize = 6_000;
    let text = entries(COUNT);
    assert!(text.len() > 1 << 20);
    let mut report = Report::default();
    let whole = ::import::read_as_json(&text, &known_forms());
    let whole = contents_of(&whole, &mut report).unwrap().submissions;
    let in_notes = |report: Report| -> usize {
        let notes = report.into_notes().into_iter();
        let unknown = notes.filter(|note| note.code == "unknown_answer");
        unknown
            .map(|note| {
                note.message
                    .split(' ')
                    .next()
                    .unwrap()
                    .parse::<usize>()
                    .unwrap()
            })
            .sum()
    };
    assert_eq!(in_notes(report), COUNT);
    let described: Value = {
        let mut scan = session(&json!({"scan": true}), &text, 64 * 1024);
        serde_json::from_str(&scan.scan()).unwrap()
    };
    assert_eq!(described["format"], "gravity-entries");
    assert_eq!(described["submissions"], COUNT);
    for (piece, from) in [
        (64 * 1024, 0),
        (4_097, 0),
        (64 * 1024, 777),
        (64 * 1024, COUNT),
    ] {
        let mut session = session(&json!({"import_id": 7, "from": from}), &text, piece);
        let (parts, report) = parts(&mut session, &known_forms());
        assert!(parts.iter().all(|part| part.submissions.len() <= 500));
        let all = parts.into_iter().flat_map(|part| part.submissions);
        assert_eq!(all.collect::<Vec<_>>(), whole[from..]);
        assert_eq!(session.done(), COUNT);
        assert_eq!(in_notes(report), COUNT - from);
    }
}

#[test]
fn submissions_wait_until_their_forms_are_known() {
    for count in [1_200, 6_000] {
        let text = entries(count);
        let mut session = session(&json!({"import_id": 7}), &text, 64 * 1024);
        let (mut stored, mut report) = (0, Report::default());
        while !session.is_done() {
            let ids = contents_of(&session.next("{}"), &mut report).unwrap();
            let mut ids: Vec<&str> = ids
                .submissions
                .iter()
                .map(|one| one.form.id.as_str())
                .collect();
            ids.sort_unstable();
            assert_eq!(ids, ["4", "5"]);
            let part = contents_of(&session.next(&known_forms()), &mut report).unwrap();
            stored += part.submissions.len();
        }
        assert_eq!(stored, count);
    }
}

#[test]
fn other_large_files_are_rejected_with_the_limit() {
    let form = json!({"title": "A", "fields": [{"blockType": "text", "name": "a", "label": "x".repeat(17 << 20)}]});
    for text in [
        json!({"docs": [form]}).to_string(),
        format!("<html>{}</html>", "y".repeat(33 << 20)),
    ] {
        let mut session = session(&json!({"scan": true}), &text, 64 * 1024);
        let described: Value = serde_json::from_str(&session.scan()).unwrap();
        assert_eq!(described["forms"], 0);
        let error = contents_of(&session.next("{}"), &mut Report::default()).unwrap_err();
        assert!(error.message.contains("16 MB"), "{error:?}");
    }
}

#[test]
fn no_step_of_large_json_takes_long() {
    let text = entries(12_000);
    let begun = Stopwatch::start();
    let mut longest = Duration::ZERO;
    let mut timed = |step: &mut dyn FnMut()| {
        let begun = Stopwatch::start();
        step();
        longest = longest.max(begun.elapsed());
    };
    let mut session = Session::of("{}");
    for piece in text.as_bytes().chunks(64 * 1024) {
        let piece = std::str::from_utf8(piece).unwrap();
        timed(&mut || session.push(piece));
    }
    timed(&mut || session.end());
    while !session.is_done() {
        timed(&mut || assert!(!session.next(&known_forms()).is_empty()));
    }
    let all = begun.elapsed();
    assert!(longest * 4 < all, "{longest:?} of {all:?}");
}

#[test]
fn each_part_is_one_form_with_its_notes() {
    let form = |title: &str, odd: &str| {
        json!({"title": title, "fields": [
            {"blockType": "text", "name": "a", "label": "A"},
            {"blockType": odd, "name": odd},
        ], "emails": []})
    };
    let file = json!({"docs": [form("One", "text"), form("Two", "odd"), form("Two", "strange")]})
        .to_string();
    let setup = json!({"import_id": 7, "forms": [0, 2], "made": [0]});
    let mut all = session(&json!({}), &file, 50);
    let (whole, _) = parts(&mut all, "{}");
    assert_eq!(
        whole
            .iter()
            .map(|part| part.forms.len())
            .collect::<Vec<_>>(),
        [1, 1, 1]
    );
    let mut chosen = session(&setup, &file, 50);
    let first = chosen.next("{}");
    let made = contents_of(&first, &mut Report::default()).unwrap();
    assert!(made.forms.is_empty(), "this form exists already");
    let mut report = Report::default();
    let second = contents_of(&chosen.next("{}"), &mut report).unwrap();
    assert_eq!(second.forms[0].part, "7:2");
    assert!(chosen.is_done());
    let notes = report.into_notes();
    assert!(
        notes.iter().any(|note| note.place.contains("strange")),
        "{notes:?}"
    );
    assert!(
        notes.iter().all(|note| !note.place.contains("odd")),
        "{notes:?}"
    );
}

#[test]
fn rows_take_linear_time() {
    let time = |rows: usize| {
        let text = csv(rows);
        let run = || {
            let begun = Stopwatch::start();
            let (parts, _) = parts(
                &mut session(&json!({}), &text, 64 * 1024),
                &options(&json!({})),
            );
            assert_eq!(
                parts
                    .iter()
                    .map(|part| part.submissions.len())
                    .sum::<usize>(),
                rows
            );
            begun.elapsed()
        };
        (0..3).map(|_| run()).min().unwrap()
    };
    let (small, large) = (time(2_000), time(20_000));
    assert!(
        large < small * 30 + Duration::from_millis(50),
        "{small:?} {large:?}"
    );
}
