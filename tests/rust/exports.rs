//! Exports: every submission once, despite concurrent changes, and tables that spreadsheets read correctly.

use cf_forms::forms::{FormSchema, check::parse_schema};
use cf_forms::http::Response;
use cf_forms::store::pages::Range;
use cf_forms::store::submissions::{Filter, StatusFilter, Walk};
use cf_forms::submissions::export::Columns;
use cf_forms::submissions::{Data, Submission};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture::{form, new, spam, stored};

fn schema(fields: Value) -> FormSchema {
    parse_schema(&json!({ "fields": fields })).unwrap()
}

/// Parses the rows of a table with an independent reader of RFC 4180.
fn rows(text: &str) -> Vec<Vec<String>> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(false)
        .from_reader(text.as_bytes())
        .records()
        .map(|record| record.unwrap().iter().map(str::to_owned).collect())
        .collect()
}

fn table(columns: &Columns, submissions: &[Submission]) -> Vec<Vec<String>> {
    let mut text = columns.header();
    text.extend(submissions.iter().map(|submission| columns.row(submission)));
    assert!(text.ends_with("\r\n"));
    rows(&text)
}

fn answers(answers: Value) -> Submission {
    Submission {
        id: 7,
        form_id: 1,
        status: "new".to_owned(),
        data: serde_json::from_value::<Data>(answers).unwrap(),
        ..Submission::default()
    }
}

/// Returns the cells of one submission's answers, by column.
fn cells(columns: &Columns, submission: &Submission) -> Vec<(String, String)> {
    let table = table(columns, std::slice::from_ref(submission));
    let [header, row] = table.as_slice() else {
        panic!("{table:?}");
    };
    let cells = header.iter().cloned().zip(row.iter().cloned());
    cells.skip(9).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    expected.iter().map(owned).collect()
}

#[test]
fn columns_are_in_the_order_of_the_schema_and_old_answers_come_last() {
    let schema = schema(json!([
        {"name": "who", "type": "name"},
        {"name": "topics", "type": "checkbox", "options": [{"value": "a", "label": "A"}]},
        {"name": "terms", "type": "consent"},
        {"name": "status", "type": "text"},
        {"name": "send", "type": "submit"},
    ]));
    let ever = ["gone", "status", "where"].map(str::to_owned).to_vec();
    let columns = Columns::new(&schema, ever);
    let submission = answers(json!({
        "status": "fine",
        "who": {"first": "Ada", "last": "Lovelace"},
        "topics": ["a", "b"],
        "terms": {"accepted": true, "text": "I agree"},
        "gone": -3,
        "where": {"city": "Rome", "country": "IT"},
    }));
    let expected = pairs(&[
        ("who.first", "Ada"),
        ("who.last", "Lovelace"),
        ("topics", "a; b"),
        ("terms.accepted", "true"),
        ("terms.text", "I agree"),
        ("status (2)", "fine"),
        ("gone", "-3"),
        ("where", "city: Rome; country: IT"),
    ]);
    assert_eq!(cells(&columns, &submission), expected);
}

#[test]
fn an_answer_is_exported_after_its_fields_type_changed() {
    let columns = Columns::new(&schema(json!([{"name": "who", "type": "name"}])), vec![]);
    for (answer, first) in [
        (json!("Ada Lovelace"), "Ada Lovelace"),
        (json!({"city": "Rome"}), "city: Rome"),
    ] {
        let submission = answers(json!({ "who": answer }));
        let expected = pairs(&[("who.first", first), ("who.last", "")]);
        assert_eq!(cells(&columns, &submission), expected);
    }
}

#[test]
fn a_cell_that_a_spreadsheet_would_run_gets_an_apostrophe() {
    let columns = Columns::new(&schema(json!([{"name": "a", "type": "text"}])), vec![]);
    for (sent, shown) in [
        ("=1+1", "'=1+1"),
        ("+49 30", "+49 30"),
        ("-(0) 30 12", "-(0) 30 12"),
        ("+49 30x", "'+49 30x"),
        ("+1-2", "'+1-2"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\rx", "'\rx"),
        (" \u{a0}=1", "' \u{a0}=1"),
        ("\u{feff}=1", "'\u{feff}=1"),
        ("＝1", "'＝1"),
        ("＠x", "'＠x"),
        ("a=1", "a=1"),
        ("", ""),
    ] {
        let row = cells(&columns, &answers(json!({ "a": sent })));
        assert_eq!(row, pairs(&[("a", shown)]));
    }
}

/// Whether a spreadsheet might run a cell; written from OWASP's list, independent of the engine's code.
fn looks_like_a_formula(cell: &str) -> bool {
    let signs = "=+-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}";
    // A phone number as a formula can only calculate.
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let is_other = |c: char| !c.is_ascii_digit() && !" +-()".contains(c);
    if digits >= 3 && !cell.contains(is_other) {
        return false;
    }
    let visible = cell.trim_start();
    [cell, visible]
        .iter()
        .any(|text| text.chars().next().is_some_and(|c| signs.contains(c)))
}

proptest! {
    #[test]
    fn tables_follow_rfc_4180_and_contain_no_formula(
        texts in prop::collection::vec("[=+\\-@'\"＝,;\t\r\n a-zé0-9]{0,12}", 1..6),
        agent in "\\PC{0,20}",
    ) {
        let fields: Vec<Value> = (0..texts.len())
            .map(|index| json!({"name": format!("=field {index}"), "type": "textarea"}))
            .collect();
        let columns = Columns::new(&schema(json!(fields)), vec![]);
        let data = texts.iter().enumerate();
        let data = data.map(|(index, text)| (format!("=field {index}"), json!(text)));
        let submission = Submission {
            user_agent: agent.clone(),
            data: Data(data.collect()),
            ..answers(json!({}))
        };
        let table = table(&columns, std::slice::from_ref(&submission));
        prop_assert_eq!(table.len(), 2);
        for cell in table.iter().flatten() {
            prop_assert!(!looks_like_a_formula(cell), "{:?}", cell);
        }
        let row = table.last().unwrap();
        let sent = std::iter::once(&agent).chain(&texts);
        let found = std::iter::once(&row[6]).chain(&row[9..]);
        for (sent, found) in sent.zip(found) {
            let prefixed = ["'", sent].concat();
            prop_assert!(found == sent || (found == &prefixed && looks_like_a_formula(sent)) , "{:?} {:?}", sent, found);
        }
    }
}

fn export(host: &mut Host, path: &str) -> Response {
    let request = host.request("GET", &format!("/cf/v1{path}"), None);
    host.handle(request)
}

fn exported_ids(response: &Response) -> Vec<i64> {
    let list: Value = serde_json::from_slice(&response.body).unwrap();
    let list = list.as_array().unwrap().iter();
    list.map(|item| item["id"].as_i64().unwrap()).collect()
}

#[test]
fn a_long_export_is_streamed_and_contains_every_submission_once() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let mut expected = Vec::new();
    for number in 0..600 {
        host.now += i64::from(number % 3 == 0);
        expected.push(stored(&mut host, new(form, &format!("answer {number}"))));
    }
    stored(&mut host, spam(form, "spam"));
    expected.reverse();
    let json = export(
        &mut host,
        &format!("/forms/{form}/submissions/export?format=json"),
    );
    assert_eq!(exported_ids(&json), expected);
    assert_eq!(host.pieces.len(), 3);
    let lines = export(
        &mut host,
        &format!("/forms/{form}/submissions/export?format=ndjson"),
    );
    let text = String::from_utf8(lines.body).unwrap();
    let ids: Vec<i64> = text
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["id"]
                .as_i64()
                .unwrap()
        })
        .collect();
    assert_eq!(ids, expected);
    let table = export(&mut host, &format!("/forms/{form}/submissions/export"));
    assert_eq!(rows(std::str::from_utf8(&table.body).unwrap()).len(), 601);
}

#[test]
fn a_chunk_is_limited_in_bytes() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for _ in 0..40 {
        stored(&mut host, new(form, &"x".repeat(90_000)));
    }
    let json = export(
        &mut host,
        &format!("/forms/{form}/submissions/export?format=json"),
    );
    assert_eq!(exported_ids(&json).len(), 40);
    assert!(
        host.pieces.iter().all(|bytes| *bytes < 400_000),
        "{:?}",
        host.pieces
    );
}

#[test]
fn an_export_skips_no_submission_when_others_are_added_or_deleted() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for number in 0..300 {
        host.now += 1;
        stored(&mut host, new(form, &number.to_string()));
    }
    let filter = Filter {
        form_id: Some(form),
        status: StatusFilter::Listed,
        range: Range::default(),
        words: None,
        hidden_forms: Vec::new(),
    };
    let (walk, first) = host.run(async move |cx| {
        let mut walk = Walk::new(filter);
        let piece = walk.next(&cx).await.unwrap();
        (walk, piece)
    });
    assert!(!walk.is_done());
    host.now += 1;
    stored(&mut host, new(form, "late"));
    let deleted = first[100].id;
    assert_eq!(
        host.send("DELETE", &format!("/submissions/{deleted}"), None)
            .0,
        200
    );
    let rest = host.run(async move |cx| {
        let mut walk = walk;
        let piece = walk.next(&cx).await.unwrap();
        assert!(walk.is_done());
        piece
    });
    let mut ids: Vec<i64> = first.iter().chain(&rest).map(|found| found.id).collect();
    ids.reverse();
    assert_eq!(ids, (1..=300).collect::<Vec<i64>>());
}

#[test]
fn a_search_exports_what_it_lists() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let mut wanted = Vec::new();
    for number in 0..600 {
        let answer = if number % 2 == 0 {
            "red herring"
        } else {
            "blue whale"
        };
        let id = stored(&mut host, new(form, answer));
        if number % 2 == 0 {
            wanted.push(id);
        }
    }
    wanted.reverse();
    let path = format!("/forms/{form}/submissions/export?format=json&search=red");
    let found = export(&mut host, &path);
    assert_eq!(exported_ids(&found), wanted);
    let nothing = export(
        &mut host,
        &format!("/forms/{form}/submissions/export?format=json&search=green"),
    );
    assert_eq!(nothing.body, b"[]");
}

#[test]
fn known_answer_names_need_no_further_statements() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    stored(&mut host, new(form, "first"));
    let before = host.statements;
    stored(&mut host, new(form, "second"));
    let second = host.statements - before;
    let mut other = new(form, "third");
    other
        .submission
        .data
        .0
        .push(("other".to_owned(), json!("x")));
    let before = host.statements;
    stored(&mut host, other);
    assert_eq!(host.statements - before, second + 1);
    let table = export(&mut host, &format!("/forms/{form}/submissions/export"));
    let rows = rows(std::str::from_utf8(&table.body).unwrap());
    assert_eq!(rows[0][9..], ["answer", "other"]);
}

#[test]
fn an_export_of_many_unknown_ids_is_rejected_in_one_statement() {
    let mut host = Host::new();
    let (id, _) = crate::front_fixture::make_form(&mut host, "<input name=a>", json!({}));
    let ids: Vec<String> = (1..=200).map(|id: i64| id.to_string()).collect();
    let before = host.statements;
    let path = format!("/forms/export?ids={}", ids.join(","));
    let (status, error) = host.send("GET", &path, None);
    assert_eq!(status, 404, "{error}");
    assert!(
        host.statements - before <= 2,
        "{}",
        host.statements - before
    );
    assert!(!error.to_string().contains(&format!("[{id},")), "{error}");
}
