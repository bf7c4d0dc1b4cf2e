//! Invariants of the readers of other systems' files, without a site: any file is read, or rejected with a message.
//! Reading it in parts gives the same as reading it whole, wherever the reading resumes.

use ::import::{Contents, ImportError, Note, Report, Session, contents_of, read_as_json};
use serde_json::{Value, json};

/// Options with a form for every submission.
const OPTIONS: &str = r#"{"forms": {"": {"fields": [
    {"name": "name", "type": "name", "label": "Name"}, {"name": "email", "type": "email", "label": "Email"},
    {"name": "day", "type": "date", "label": "Date"}, {"name": "size", "type": "number", "label": "Size"},
    {"name": "topics", "type": "checkbox", "label": "Topics", "options": [{"value": "a", "label": "A, b"}, {"value": "c", "label": "C"}]},
    {"name": "cv", "type": "file", "label": "CV"}, {"name": "ok", "type": "consent", "label": "Consent"}]}}}"#;

/// Reads a file whole and in parts; returns whether it has forms or submissions.
pub fn check(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    let mut is_taken = false;
    for options in ["{}", OPTIONS] {
        match contents_of(&read_as_json(&text, options), &mut Report::default()) {
            Ok(contents) => {
                is_taken |= !contents.forms.is_empty() || !contents.submissions.is_empty()
            }
            Err(error) => assert!(!error.message.is_empty()),
        }
        let whole = parts(&text, options, 0, 4_096);
        let described: Value = {
            let mut scan = session(&json!({"scan": true}), &text, 1_000);
            serde_json::from_str(&scan.scan()).unwrap()
        };
        assert!(described["submissions"].is_u64());
        let Ok((contents, notes)) = whole else {
            continue;
        };
        let all: Vec<_> = contents.iter().flat_map(|part| &part.submissions).collect();
        let forms = contents.iter().map(|part| part.forms.len()).sum::<usize>();
        // Resume in the middle of the submissions, with pieces of another size.
        let middle = forms + all.len() / 2;
        let (rest, again) = parts(&text, options, middle, 333).unwrap();
        let rest: Vec<_> = rest.iter().flat_map(|part| &part.submissions).collect();
        assert_eq!(rest, all[all.len() / 2..]);
        if forms == 0 {
            assert_eq!(again, notes);
        }
    }
    is_taken
}

type Parts = Result<(Vec<Contents>, Vec<Note>), ImportError>;

/// Returns the parts of a file from a place on, and their report.
fn parts(text: &str, options: &str, from: usize, piece: usize) -> Parts {
    let mut session = session(&json!({"import_id": 1, "from": from}), text, piece);
    let (mut parts, mut report) = (Vec::new(), Report::default());
    while !session.is_done() {
        let part = session.next(options);
        assert!(!part.is_empty(), "the file has ended");
        let contents = contents_of(&part, &mut report)?;
        let is_waiting = !contents.submissions.is_empty() && session.done() == 0;
        parts.push(contents);
        if is_waiting {
            // The forms of the submissions must be known first.
            break;
        }
    }
    Ok((parts, report.into_notes()))
}

/// The session of a file that has arrived in pieces.
pub fn session(setup: &Value, text: &str, piece: usize) -> Session {
    let mut session = Session::of(&setup.to_string());
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = piece.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (part, after) = rest.split_at(end);
        session.push(part);
        rest = after;
    }
    session.end();
    session
}
