//! Unique values and limited seats: the cases of `tests/cases/fields`, and what stored submissions occupy.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::{parse_schema, unchecked};
use cf_forms::forms::edit::{EditError, delete_field, update_field};
use cf_forms::http::Response;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::holds::{Hold, unique_key};
use cf_forms::logic::validate::Rules;
use cf_forms::markup::{RenderOptions, parse, render};
use serde_json::{Value, json};

use crate::cases::{case_file, schema_of};
use crate::field_extensions::{input_of, texts_in};
use crate::front_fixture::{page, submit};
use crate::host::Host;
use crate::submissions_fixture::count;

/// Returns how often a value or an option is already taken, by a case's `context`.
fn taken_in(context: &Value, schema: &FormSchema, hold: &Hold) -> i64 {
    if hold.is_seat {
        return context["taken"][&hold.field][&hold.key]
            .as_i64()
            .unwrap_or(0);
    }
    let field = schema.field(&hold.field).unwrap();
    let used = context["used"][&hold.field].as_array();
    let mut used = used.into_iter().flatten();
    i64::from(used.any(|value| unique_key(field, value).as_ref() == Some(&hold.key)))
}

#[test]
fn seats_and_unique_values_match_the_cases() {
    for file in ["unique", "seats"] {
        let cases = case_file(&format!("fields/{file}.json"))["cases"].clone();
        for raw in cases.as_array().unwrap() {
            let name = raw["name"].as_str().unwrap();
            let case = serde_json::from_value(raw.clone()).unwrap();
            let schema = schema_of(&case);
            let texts = texts_in(None);
            let rules = Rules {
                schema: &schema,
                visibility: &Visibility::of(&schema),
                messages: &texts,
                required_fields: &[],
                email_fields: &[],
                has_pipes: false,
                today: 0,
            };
            let (clean, mut faults) = rules.check(&input_of(&case));
            let holds = rules.holds(&clean);
            let taken: Vec<i64> = holds
                .iter()
                .map(|hold| taken_in(&raw["context"], &schema, hold))
                .collect();
            rules.check_holds(&holds, &taken, &mut faults);
            let expected = case.expect["errors"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            assert_eq!(faults.len(), expected.len(), "{name}: {faults:?}");
            for (fault, expected) in faults.iter().zip(&expected) {
                assert_eq!(
                    json!([fault.field, fault.code, fault.row]),
                    json!([expected["field"], expected["code"], expected["row"]]),
                    "{name}"
                );
                if let Some(left) = expected["left"].as_str() {
                    assert!(
                        fault.message.contains(&format!("Left: {left}.")),
                        "{name}: {}",
                        fault.message
                    );
                }
            }
            if let Some(data) = case.expect.get("data") {
                assert_eq!(&json!(clean.answers.to_map()), data, "{name}");
            }
            let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
            assert_eq!(read.schema, schema, "{name}");
        }
    }
}

#[test]
fn seats_are_whole_numbers_and_refer_to_an_existing_field() {
    let schema =
        |field: Value| parse_schema(&json!({"fields": [{"name": "n", "type": "number"}, field]}));
    let slots = |attributes: Value| json!({"name": "c", "type": "radio", "options": ["a"], "attributes": attributes});
    for seats in ["{\"a\":-1}", "{\"a\":1.5}", "[1]", "x", "{\"a\":\"1\"}"] {
        let faults = schema(slots(json!({"data-seats": seats}))).unwrap_err();
        assert_eq!(faults[0].path, "fields[1].attributes.data-seats", "{seats}");
    }
    let faults = schema(slots(json!({"data-seats": "{}", "data-seats-by": "gone"}))).unwrap_err();
    assert_eq!(faults[0].path, "fields[1].attributes.data-seats-by");
    let boxes = json!({"name": "c", "type": "checkbox", "options": ["a"], "attributes": {"data-unique": ""}});
    let warned = unchecked(&schema(boxes).unwrap());
    assert_eq!(warned, ["data-unique means nothing for the checkbox \"c\""]);
    let by = schema(slots(
        json!({"data-seats": "{\"a\":1}", "data-seats-by": "n"}),
    ))
    .unwrap();
    let (renamed, _) = update_field(&by, "n", &json!({"name": "party"})).unwrap();
    assert_eq!(
        renamed.field("c").unwrap().attributes["data-seats-by"],
        "party"
    );
    assert!(matches!(
        delete_field(&by, "n", false),
        Err(EditError::InUse { .. })
    ));
}

fn form(host: &mut Host, fields: Value, settings: Value) -> i64 {
    let body = json!({"title": "Sign up", "slug": "x", "schema": {"fields": fields}, "settings": settings});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["id"].as_i64().unwrap()
}

fn restore(host: &mut Host) -> Response {
    let request = host.request(
        "PATCH",
        "/cf/v1/submissions/1",
        Some(json!({"status": "new"})),
    );
    host.handle(request)
}

fn email(attributes: Value) -> Value {
    json!([{"name": "email", "type": "email", "attributes": attributes}, {"name": "n", "type": "text"}])
}

fn send(host: &mut Host, address: &str) -> u16 {
    submit(host, "x", &[("email", address), ("n", "1")]).0
}

fn patch(host: &mut Host, id: i64, body: Value) -> (u16, Value) {
    host.send("PATCH", &format!("/submissions/{id}"), Some(body))
}

#[test]
fn a_value_is_free_again_when_its_submission_is_removed() {
    let mut host = Host::new();
    form(&mut host, email(json!({"data-unique": ""})), json!({}));
    assert_eq!(send(&mut host, "ada@example.org"), 200);
    assert_eq!(send(&mut host, "ADA@example.org "), 400);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_unique"), 1);
    assert_eq!(
        count(
            &host,
            "SELECT COUNT(*) FROM cf_unique WHERE hash LIKE '%ada@%'"
        ),
        0
    );
    for status in ["spam", "trash"] {
        patch(&mut host, 1, json!({"status": status}));
        assert_eq!(
            count(&host, "SELECT COUNT(*) FROM cf_unique"),
            0,
            "{status}"
        );
        patch(&mut host, 1, json!({"status": "new"}));
        assert_eq!(send(&mut host, "ada@example.org"), 400, "{status}");
    }
    let (status, body) = patch(&mut host, 1, json!({"data": {"email": "bob@example.org"}}));
    assert_eq!(status, 200, "{body}");
    assert_eq!(send(&mut host, "ada@example.org"), 200);
    assert_eq!(send(&mut host, "bob@example.org"), 400);
    let (status, body) = patch(&mut host, 1, json!({"data": {"email": "Ada@example.org"}}));
    assert_eq!(
        (status, &body["data"]["details"]["data.email"]["code"]),
        (400, &json!("not_unique")),
        "{body}"
    );
    assert_eq!(host.send("DELETE", "/submissions/1", None).0, 200);
    assert_eq!(send(&mut host, "bob@example.org"), 200);
    let erased = host.send(
        "POST",
        "/privacy/erase",
        Some(json!({"email": "bob@example.org"})),
    );
    assert_eq!(erased.0, 200, "{}", erased.1);
    assert_eq!(send(&mut host, "bob@example.org"), 200);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_unique"), 2);
    assert_eq!(
        count(&host, "SELECT COUNT(*) FROM cf_unique WHERE taken <> 1"),
        0
    );
}

#[test]
fn a_restore_that_duplicates_a_value_gives_a_warning() {
    let mut host = Host::new();
    form(&mut host, email(json!({"data-unique": ""})), json!({}));
    send(&mut host, "ada@example.org");
    patch(&mut host, 1, json!({"status": "trash"}));
    assert_eq!(send(&mut host, "ada@example.org"), 200);
    let response = restore(&mut host);
    let warning = response
        .header("x-cf-warning")
        .unwrap_or_default()
        .to_owned();
    assert_eq!(warning, "not_unique: 2 submissions have the same \"email\"");
    host.send("DELETE", "/submissions/1", None);
    assert_eq!(
        send(&mut host, "ada@example.org"),
        400,
        "the other submission still has the value"
    );
}

#[test]
fn a_new_limit_counts_the_stored_submissions() {
    let mut host = Host::new();
    let id = form(&mut host, email(json!({})), json!({}));
    send(&mut host, "ada@example.org");
    send(&mut host, "ada@example.org");
    let schema = |attributes: Value| json!({"fields": email(attributes)});
    let path = format!("/forms/{id}/schema");
    assert_eq!(
        host.send("PUT", &path, Some(schema(json!({"data-unique": ""}))))
            .0,
        200
    );
    assert_eq!(send(&mut host, "ada@example.org"), 400);
    assert_eq!(
        count(&host, "SELECT COALESCE(SUM(taken), 0) FROM cf_unique"),
        2
    );
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_hold_fills"), 0);
    let renamed = host.send(
        "PATCH",
        &format!("/forms/{id}/fields/email"),
        Some(json!({"name": "mail"})),
    );
    assert_eq!(renamed.0, 200, "{}", renamed.1);
    assert_eq!(
        submit(&mut host, "x", &[("mail", "ada@example.org")]).0,
        400
    );
    let off = json!({"fields": [{"name": "mail", "type": "email"}]});
    assert_eq!(host.send("PUT", &path, Some(off)).0, 200);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_unique"), 0);
}

#[test]
fn an_ip_address_can_probe_only_a_few_used_values() {
    let mut host = Host::new();
    form(&mut host, email(json!({"data-unique": ""})), json!({}));
    send(&mut host, "ada@example.org");
    let statuses: Vec<u16> = (0..21)
        .map(|_| send(&mut host, "ada@example.org"))
        .collect();
    assert_eq!(statuses[..20], [400; 20]);
    assert_eq!(statuses[20], 429);
    assert_eq!(
        send(&mut host, "new@example.org"),
        429,
        "the response is the same for a used and a new value"
    );
    host.now += 3_600_000;
    assert_eq!(send(&mut host, "new@example.org"), 200);
}

fn slots(attributes: Value) -> Value {
    json!([
        {"name": "party", "type": "number"},
        {"name": "slot", "type": "radio", "options": [{"value": "10", "label": "10:00"}, {"value": "11", "label": "11:00"}], "attributes": attributes},
    ])
}

fn book(host: &mut Host, party: &str) -> u16 {
    submit(host, "x", &[("slot", "10"), ("party", party)]).0
}

fn taken(host: &Host) -> i64 {
    count(
        host,
        "SELECT COALESCE(SUM(taken), 0) FROM cf_seats WHERE option = '10'",
    )
}

#[test]
fn seats_are_released_and_an_editor_may_exceed_them() {
    let mut host = Host::new();
    let attributes = json!({"data-seats": "{\"10\":5,\"11\":0}", "data-seats-by": "party", "data-seats-left": ""});
    let id = form(&mut host, slots(attributes), json!({}));
    assert_eq!(book(&mut host, "3"), 200);
    assert_eq!(book(&mut host, "3"), 400);
    let shown = page(&mut host, "/x");
    assert!(
        shown.contains("10:00 <span class=\"cf-seats\">(2 left)</span></label>"),
        "{shown}"
    );
    assert!(shown.contains("value=\"11\" disabled"), "{shown}");
    assert!(!shown.contains("data-seats"), "{shown}");
    patch(&mut host, 1, json!({"status": "spam"}));
    assert_eq!(taken(&host), 0);
    assert_eq!(book(&mut host, "4"), 200);
    let response = restore(&mut host);
    let warning = response
        .header("x-cf-warning")
        .unwrap_or_default()
        .to_owned();
    assert_eq!(
        warning,
        "sold_out: 7 of 5 seats of \"10\" in \"slot\" are taken"
    );
    assert_eq!((response.status, taken(&host)), (200, 7));
    patch(&mut host, 2, json!({"data": {"party": 1}}));
    assert_eq!(taken(&host), 4);
    let bulk = json!({"ids": [1, 2], "action": "set_status", "status": "trash"});
    assert_eq!(host.send("POST", "/submissions/bulk", Some(bulk)).0, 200);
    assert_eq!(taken(&host), 0);
    let path = format!("/forms/{id}/schema");
    let one_each = json!({"fields": slots(json!({"data-seats": "{\"10\":1}"}))});
    patch(&mut host, 1, json!({"status": "new"}));
    assert_eq!(taken(&host), 3);
    assert_eq!(host.send("PUT", &path, Some(one_each)).0, 200);
    assert_eq!(taken(&host), 1, "the seats were counted again");
    assert!(page(&mut host, "/x").contains("<span class=\"cf-seats\">(sold out)</span>"));
    assert_eq!(
        host.send("DELETE", &format!("/forms/{id}?force=true"), None)
            .0,
        200
    );
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_seats"), 0);
}

#[test]
fn a_form_that_keeps_no_submissions_still_counts_seats() {
    let mut host = Host::new();
    let attributes = json!({"data-seats": "{\"10\":2}"});
    form(
        &mut host,
        slots(attributes),
        json!({"save_submissions": false}),
    );
    assert_eq!(
        [
            book(&mut host, ""),
            book(&mut host, ""),
            book(&mut host, "")
        ],
        [200, 200, 400]
    );
}

#[test]
fn remaining_seats_are_shown_in_selects_and_in_an_authors_labels() {
    use cf_forms::markup::{SeatNote, with_seats};
    let note = |field: &str, option: &str, is_full| SeatNote {
        field: field.to_owned(),
        option: option.to_owned(),
        is_full,
        text: "(<1>)".to_owned(),
    };
    let notes = [
        note("s", "10:00 & later", true),
        note("r", "a", false),
        note("r", "b", true),
    ];
    let html = "<label for=x>A</label><input id=x type=radio name=r value=a><label><input type=radio name=\"r[]\" value=b> B</label>\
        <select name=s><option>10:00 &amp; later</option><option value=c>C</select>";
    let rows = "<input id=y type=radio name='g[0][r]' value=a><label for=y>A</label>\
        <template><input type=radio name='g[{row}][r]' value=b></template>";
    let rows_shown = "<input id=y type=radio name='g[0][r]' value=a><label for=y>A <span class=\"cf-seats\">(&lt;1&gt;)</span></label>\
        <template><input type=radio name='g[{row}][r]' value=b disabled=\"\"></template>";
    assert_eq!(
        with_seats(rows, &notes).replace("disabled>", "disabled=\"\">"),
        rows_shown
    );
    let shown = "<label for=x>A <span class=\"cf-seats\">(&lt;1&gt;)</span></label><input id=x type=radio name=r value=a>\
        <label><input type=radio name=\"r[]\" value=b disabled=\"\"> B <span class=\"cf-seats\">(&lt;1&gt;)</span></label>\
        <select name=s><option disabled=\"\">10:00 &amp; later (&lt;1&gt;)</option><option value=c>C</select>";
    assert_eq!(
        with_seats(html, &notes).replace("disabled>", "disabled=\"\">"),
        shown
    );
}
