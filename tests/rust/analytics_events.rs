//! Counted events, and the moment when the engine writes them.

use serde_json::json;

use crate::analytics_fixture::{ANN, PHONE, Visitor, events, get, send, site};

#[test]
fn visitors_of_several_days_are_merged() {
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
    assert_eq!(funnel["views"], 4);
    // In one of a thousand runs, two of the visitors share a register of the sketch.
    let visitors = funnel["visitors"].as_i64();
    assert!(
        matches!(visitors, Some(3 | 4)),
        "{visitors:?} visitors of 4"
    );
    let visitors = get(&mut host, "1/funnel")["visitors"].as_i64();
    assert!(
        matches!(visitors, Some(5 | 6)),
        "{visitors:?} visitors of 6"
    );
    let sketches: i64 = host
        .database
        .query_row("SELECT COUNT(*) FROM cf_visitors", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sketches, 2, "events of past days are deleted");
}

#[test]
fn bots_and_signed_in_users_are_not_counted() {
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
        json!({"form_id": 1_i64 << 53, "events": [{"event_type": "view"}]}),
        json!({"form_id": i64::MIN, "events": [{"event_type": "view"}]}),
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
fn an_ip_address_adds_at_most_thirty_events_a_minute_and_each_once() {
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
fn interactions_with_fields_are_counted() {
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
fn events_are_written_in_batches_and_kept_after_a_failure() {
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
        "each flush is one read of the sketch and one write"
    );
    let funnel = get(&mut host, "1/funnel");
    assert_eq!(
        (&funnel["views"], &funnel["visitors"]),
        (&json!(2), &json!(2))
    );
}
