//! From a browser's event and a visitor's submission to the numbers.

use cf_forms::http::Response;
use cf_forms::store::submissions::{Inserted, NewSubmission, insert};
use cf_forms::submissions::Submission;
use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture as fixture;

const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36";
const PHONE: &str =
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36";

/// A site with a form of two fields.
fn site() -> Host {
    let mut host = Host::new();
    host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Contact", "slug": "contact"})),
    );
    let fields = json!({"fields": [
        {"name": "email", "type": "email", "label": "Your mail"},
        {"name": "who", "type": "name"},
        {"name": "send", "type": "submit"},
    ]});
    let (status, body) = host.send("PUT", "/forms/1/schema", Some(fields));
    assert_eq!(status, 200, "{body}");
    host
}

/// Who sends events.
struct Visitor<'a> {
    address: &'a str,
    browser: &'a str,
}

const ANN: Visitor = Visitor {
    address: "192.0.2.1",
    browser: BROWSER,
};

fn send(host: &mut Host, visitor: &Visitor<'_>, body: &Value) -> Response {
    let mut request = host.request("POST", "/-/events", None);
    request.principal = None;
    request.address = Some(visitor.address.to_owned());
    request
        .headers
        .insert("user-agent".to_owned(), visitor.browser.to_owned());
    request
        .headers
        .insert("content-type".to_owned(), "text/plain".to_owned());
    request.body = body.to_string().into_bytes();
    let response = host.visit(request);
    assert_eq!(
        (response.status, response.body.len()),
        (204, 0),
        "{:?}",
        response.log
    );
    response
}

fn events(types: &[&str]) -> Value {
    let events: Vec<Value> = types.iter().map(|own| json!({"event_type": own})).collect();
    json!({"form_id": 1, "events": events})
}

fn get(host: &mut Host, path: &str) -> Value {
    let (status, body) = host.send("GET", &format!("/analytics/{path}"), None);
    assert_eq!(status, 200, "{path}: {body}");
    body
}

fn submit(host: &mut Host, change: impl FnOnce(&mut NewSubmission)) -> i64 {
    let mut new = fixture::new(1, "a");
    new.submission.submitted_at = host.now;
    new.submission.modified_at = host.now;
    change(&mut new);
    let inserted = host.run(async move |cx| insert(&cx, &new).await).unwrap();
    match inserted {
        Inserted::Stored(id) => id,
        other => panic!("{other:?}"),
    }
}

#[test]
fn events_and_submissions_make_the_funnel() {
    let mut host = site();
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] {
        let visitor = Visitor { address, ..ANN };
        send(&mut host, &visitor, &events(&["view", "start"]));
    }
    send(&mut host, &ANN, &events(&["view", "abandon"]));
    submit(&mut host, |_| {});
    submit(&mut host, |new| {
        new.submission.is_spam = true;
        new.submission.status = "spam".to_owned();
    });
    let expected = json!({
        "views": 5, "visitors": 4, "starts": 4, "submissions": 1, "abandonments": 1, "spam": 1,
        "start_rate": 80.0, "completion_rate": 25.0, "abandonment_rate": 25.0, "spam_rate": 50.0,
    });
    assert_eq!(get(&mut host, "1/funnel"), expected);
    assert_eq!(
        get(
            &mut host,
            "1/funnel?date_from=2026-01-02&date_to=2026-01-02"
        ),
        expected
    );
    assert_eq!(get(&mut host, "1/funnel?date_to=2026-01-01")["views"], 0);
    let daily = get(&mut host, "1/daily?date_from=2026-01-01&date_to=2026-01-31");
    let day = |event: &str, count: i64| json!({"date": "2026-01-02", "event_type": event, "count": count});
    let expected = [
        ("abandon", 1),
        ("spam", 1),
        ("start", 4),
        ("submit", 1),
        ("view", 5),
    ];
    assert_eq!(
        daily,
        json!(expected.map(|(event, count)| day(event, count)))
    );
    let overview = get(&mut host, "overview");
    assert_eq!(overview["totals"]["visitors"], 4);
    assert_eq!(overview["forms"][0]["views"], 5);
    assert_eq!(
        overview["forms"][0]["last_submission_at"],
        "2026-01-02T03:04:05.000Z"
    );
}

#[test]
fn days_add_up_and_so_do_their_visitors() {
    let mut host = site();
    for _ in 0..3 {
        send(&mut host, &ANN, &events(&["view"]));
        send(
            &mut host,
            &Visitor {
                browser: PHONE,
                ..ANN
            },
            &events(&["view"]),
        );
        host.now += 86_400_000;
    }
    let funnel = get(
        &mut host,
        "1/funnel?date_from=2026-01-02&date_to=2026-01-03",
    );
    assert_eq!(
        (&funnel["views"], &funnel["visitors"]),
        (&json!(4), &json!(4))
    );
    assert_eq!(get(&mut host, "1/funnel")["visitors"], 6);
    let sketches: i64 = host
        .database
        .query_row("SELECT COUNT(*) FROM cf_visitors", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sketches, 2, "those of days that are over go");
}

#[test]
fn who_is_no_visitor_is_not_counted() {
    let mut host = site();
    send(
        &mut host,
        &Visitor {
            browser: "Googlebot/2.1",
            ..ANN
        },
        &events(&["view"]),
    );
    let mut editor = host.request("POST", "/-/events", None);
    editor.body = events(&["view"]).to_string().into_bytes();
    assert_eq!(host.visit(editor).status, 204);
    for nonsense in [
        json!({"form_id": 99, "events": [{"event_type": "view"}]}),
        json!({"form_id": "1", "events": [{"event_type": "view"}]}),
        json!({"form_id": 1, "events": [{"event_type": "submit"}, {"event_type": "spam"}, {"event_type": "x"}]}),
        json!({"form_id": 1, "events": [{"event_type": "field_interaction", "field_name": "other"}]}),
        json!({"form_id": 1, "events": [{"event_type": "field_interaction"}]}),
        json!({"form_id": 1, "events": [{"event_type": "view", "event_id": "x".repeat(65)}]}),
        json!({"form_id": 1, "events": [{"event_type": "view"}], "more": "x".repeat(20_000)}),
        json!([1, 2]),
        json!("view"),
    ] {
        send(&mut host, &ANN, &nonsense);
    }
    let mut broken = host.request("POST", "/-/events", None);
    broken.principal = None;
    broken.body = b"\xff{not json".to_vec();
    assert_eq!(host.visit(broken).status, 204);
    assert_eq!(get(&mut host, "1/funnel")["views"], 0);
    let daily = get(&mut host, "1/daily?date_from=2026-01-01&date_to=2026-01-31");
    assert_eq!(daily, json!([]));
}

#[test]
fn an_address_counts_thirty_times_a_minute_and_an_event_once() {
    let mut host = site();
    for _ in 0..4 {
        send(&mut host, &ANN, &events(&["view"; 10]));
    }
    send(
        &mut host,
        &Visitor {
            address: "192.0.2.9",
            ..ANN
        },
        &events(&["view"]),
    );
    assert_eq!(get(&mut host, "1/funnel")["views"], 31);
    host.now += 60_000;
    let twice = json!({"form_id": 1, "events": [{"event_type": "start", "event_id": "a"}]});
    send(&mut host, &ANN, &twice);
    send(&mut host, &ANN, &twice);
    assert_eq!(get(&mut host, "1/funnel")["starts"], 1);
}

#[test]
fn fields_are_counted_by_what_visitors_touched() {
    let mut host = site();
    let touched = |field: &str| json!({"event_type": "field_interaction", "field_name": field});
    let left = |field: &str| json!({"event_type": "abandon", "field_name": field});
    let sent = [touched("email"), touched("who[first]"), left("who[last]")];
    send(&mut host, &ANN, &json!({"form_id": 1, "events": sent}));
    send(
        &mut host,
        &ANN,
        &json!({"form_id": 1, "events": [touched("email"), left("gone")]}),
    );
    let expected = json!([
        {"field_name": "email", "label": "Your mail", "interactions": 2, "drop_offs": 0, "drop_off_rate": 0.0},
        {"field_name": "who", "label": "who", "interactions": 1, "drop_offs": 1, "drop_off_rate": 100.0},
    ]);
    assert_eq!(get(&mut host, "1/field-dropoff"), expected);
    assert_eq!(
        get(&mut host, "1/field-dropoff?date_from=2026-01-02"),
        expected
    );
    let earlier = get(&mut host, "1/field-dropoff?date_to=2026-01-01");
    assert_eq!(earlier[0]["interactions"], 0);
    assert_eq!(get(&mut host, "1/funnel")["abandonments"], 2);
}

#[test]
fn origins_are_those_of_submissions_that_are_not_spam() {
    let mut host = site();
    let from = |page: &str, referrer: &str| {
        let (page, referrer) = (page.to_owned(), referrer.to_owned());
        move |new: &mut NewSubmission| {
            new.submission = Submission {
                page_url: page,
                referer_url: referrer,
                ..std::mem::take(&mut new.submission)
            };
        }
    };
    let campaign = "http://localhost/a?utm_source=news&utm_medium=mail&utm_campaign=may";
    submit(&mut host, from(campaign, "https://search.example/q"));
    submit(&mut host, from(campaign, ""));
    let id = submit(
        &mut host,
        from("http://localhost/a", "https://search.example/"),
    );
    let both = json!({
        "utm_sources": [
            {"utm_source": "news", "utm_medium": "mail", "utm_campaign": "may", "count": 2},
            {"utm_source": "direct", "utm_medium": "", "utm_campaign": "", "count": 1},
        ],
        "referrers": [
            {"referrer_domain": "search.example", "count": 2},
            {"referrer_domain": "direct", "count": 1},
        ],
    });
    assert_eq!(get(&mut host, "1/attribution"), both);
    assert_eq!(
        get(
            &mut host,
            "1/attribution?date_from=2026-01-02&date_to=2026-01-02"
        ),
        both
    );
    let (status, _) = host.send(
        "PATCH",
        &format!("/submissions/{id}"),
        Some(json!({"status": "spam"})),
    );
    assert_eq!(status, 200);
    let left = get(&mut host, "1/attribution");
    assert_eq!(left["utm_sources"].as_array().unwrap().len(), 1);
    assert_eq!(left["referrers"][0]["count"], 1);
    let funnel = get(&mut host, "1/funnel");
    assert_eq!(
        (&funnel["submissions"], &funnel["spam"]),
        (&json!(2), &json!(1))
    );
}

#[test]
fn a_flood_of_campaigns_is_bounded() {
    let mut host = site();
    for number in 0..1_010 {
        submit(&mut host, |new| {
            new.submission.page_url = format!("http://localhost/?utm_source=s{number}");
        });
    }
    let labels: i64 = host
        .database
        .query_row(
            "SELECT COUNT(*) FROM cf_stats WHERE metric = 'campaign' AND date = '' AND form_id = 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(labels, 1_001);
    let shown = get(&mut host, "1/attribution");
    assert_eq!(shown["utm_sources"].as_array().unwrap().len(), 20);
    let rest = json!({"utm_source": "other", "utm_medium": "", "utm_campaign": "", "count": 10});
    assert_eq!(shown["utm_sources"][0], rest);
}

#[test]
fn spam_is_shown_by_day_and_reason() {
    let mut host = site();
    let spam = |reasons: &'static [&str]| {
        move |new: &mut NewSubmission| {
            new.submission.is_spam = true;
            new.submission.status = "spam".to_owned();
            new.submission.spam_reasons = reasons.iter().map(|own| (*own).to_owned()).collect();
        }
    };
    submit(&mut host, spam(&["honeypot", "honeypot", "links"]));
    submit(&mut host, |_| {});
    host.now += 86_400_000;
    submit(&mut host, spam(&["honeypot"]));
    let trends = get(&mut host, "1/spam-trends?days=2");
    let expected = json!({
        "days": 2, "total_spam": 2, "total_submissions": 1, "spam_rate": 66.7,
        "by_day": [
            {"date": "2026-01-02", "spam": 1, "submissions": 1, "spam_rate": 50.0},
            {"date": "2026-01-03", "spam": 1, "submissions": 0, "spam_rate": 100.0},
        ],
        "by_reason": [{"reason": "honeypot", "count": 2}, {"reason": "links", "count": 1}],
    });
    assert_eq!(trends, expected);
    assert_eq!(get(&mut host, "1/spam-trends?days=1")["total_spam"], 1);
}

#[test]
fn recommendations_speak_of_the_last_four_weeks() {
    let mut host = site();
    for number in 0..210 {
        let address = format!("198.51.100.{number}");
        let visitor = Visitor {
            address: &address,
            ..ANN
        };
        send(&mut host, &visitor, &events(&["view"]));
    }
    let said = get(&mut host, "1/recommendations");
    assert_eq!(said[0]["code"], "few_starts");
    assert_eq!(said[0]["severity"], "warning");
    assert_eq!(
        (&said[0]["value"], &said[0]["threshold"]),
        (&json!(0.0), &json!(10.0))
    );
    assert_eq!(said[0].get("field"), None);
    host.now += 28 * 86_400_000;
    assert_eq!(get(&mut host, "1/recommendations"), json!([]));
}

#[test]
fn events_are_written_together_and_wait_when_they_cannot_be() {
    let mut host = site();
    let answer = send(&mut host, &ANN, &events(&["view", "start"]));
    assert!(answer.flush_events);
    send(
        &mut host,
        &Visitor {
            browser: PHONE,
            ..ANN
        },
        &events(&["view", "start"]),
    );
    let before = host.batches;
    host.database
        .execute_batch("ALTER TABLE cf_stats RENAME TO away")
        .unwrap();
    let request = host.request("POST", "", None);
    let progress = host.engine.flush_events(request);
    let failed = host.drive(progress);
    assert_eq!(failed.status, 500);
    assert!(failed.log.unwrap().contains("events could not be written"));
    host.database
        .execute_batch("ALTER TABLE away RENAME TO cf_stats")
        .unwrap();
    let request = host.request("POST", "", None);
    let progress = host.engine.flush_events(request);
    assert_eq!(host.drive(progress).status, 204);
    assert_eq!(
        host.batches - before,
        4,
        "each time one look at the sketch and one write"
    );
    let funnel = get(&mut host, "1/funnel");
    assert_eq!(
        (&funnel["views"], &funnel["visitors"]),
        (&json!(2), &json!(2))
    );
}

#[test]
fn a_deleted_form_leaves_no_numbers() {
    let mut host = site();
    host.send("POST", "/forms", Some(json!({"title": "Other"})));
    send(&mut host, &ANN, &events(&["view", "start"]));
    submit(&mut host, |_| {});
    get(&mut host, "1/funnel");
    send(&mut host, &ANN, &events(&["view"]));
    assert_eq!(host.send("DELETE", "/forms/1", None).0, 200);
    let overview = get(&mut host, "overview");
    assert_eq!(overview["totals"]["views"], 0, "{overview}");
    assert_eq!(overview["totals"]["submissions"], 0);
    assert_eq!(overview["forms"].as_array().unwrap().len(), 1);
    let left: i64 = host
        .database
        .query_row(
            "SELECT (SELECT COUNT(*) FROM cf_stats WHERE form_id = 1) + (SELECT COUNT(*) FROM cf_visitors)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 0);
}

#[test]
fn the_overview_shows_fifty_forms_with_the_most_submissions_in_few_statements() {
    let mut host = site();
    for number in 2..=60 {
        let id = fixture::form(&mut host, &format!("form{number}"), json!({}));
        assert_eq!(id, number);
    }
    for form_id in [3, 5, 5] {
        submit(&mut host, |new| new.submission.form_id = form_id);
    }
    let before = host.statements;
    let overview = get(&mut host, "overview");
    assert!(host.statements - before <= 5);
    let ids: Vec<i64> = overview["forms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|form| form["form_id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 50);
    assert_eq!(ids[..4], [5, 3, 60, 59]);
    assert_eq!(overview["totals"]["submissions"], 3);
}
