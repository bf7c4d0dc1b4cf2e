//! Files that are read in parts: the parts make the whole, wherever the reading begins again, in linear time.

use std::time::{Duration, Instant};

use ::import::{Contents, Report, Session, contents_of};
use serde_json::{Value, json};

use crate::fuzzed_readers::session;

/// Sizes of the pieces in which a file arrives.
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
fn parts_of_csv_make_the_whole() {
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
fn a_reading_that_begins_again_gives_the_rest_and_the_same_report() {
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

#[test]
fn forms_come_one_by_one_with_the_notes_of_each() {
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
            let begun = Instant::now();
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
