//! Searches of submissions, lists by id, and the search index.

use cf_forms::http::Response;
use cf_forms::store::reindex;
use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue_purge::{DAY, purge};
use crate::submissions_fixture::{count, form, ids, new, stored};

fn get(host: &mut Host, path: &str) -> (Response, Value) {
    let request = host.request("GET", &format!("/cf/v1{path}"), None);
    let response = host.handle(request);
    let body = serde_json::from_slice(&response.body).unwrap();
    (response, body)
}

/// Stores two overlapping submissions: the first one to arrive is stored last.
fn overlapping(host: &mut Host) -> (i64, i64) {
    let form = form(host, "contact", json!({}));
    host.now += 2_000;
    let later = stored(host, new(form, "apple"));
    host.now -= 2_000;
    let earlier = stored(host, new(form, "apple"));
    host.now += 60_000;
    assert!(later < earlier);
    (later, earlier)
}

#[test]
fn a_list_is_filtered_by_at_most_ten_answers() {
    let mut host = Host::new();
    let of = |filters: usize| {
        let fields = (0..filters).map(|number| format!("&field[f{number}]=a"));
        fields.collect::<String>()
    };
    for star in ["", "&starred=true"] {
        for (filters, expected) in [(10, 200), (11, 400)] {
            let path = format!("/submissions?per_page=1{star}{}", of(filters));
            let (status, answer) = host.send("GET", &path, None);
            assert_eq!(status, expected, "{filters}{star}: {answer}");
        }
    }
}

#[test]
fn a_date_range_loses_no_overlapping_submission() {
    let mut host = Host::new();
    let (later, earlier) = overlapping(&mut host);
    for list in ["search=apple", "orderby=id"] {
        for range in [
            "after=2000-01-01T00:00:00Z",
            "before=2200-01-01T00:00:00Z",
            "after=2000-01-01T00:00:00Z&before=2200-01-01T00:00:00Z",
        ] {
            let (_, body) = get(&mut host, &format!("/submissions?{list}&{range}"));
            assert_eq!(ids(&body), [earlier, later], "{list}&{range}");
        }
        for none in ["after=2200-01-01T00:00:00Z", "before=2000-01-01T00:00:00Z"] {
            let (_, body) = get(&mut host, &format!("/submissions?{list}&{none}"));
            assert_eq!(ids(&body), [] as [i64; 0], "{list}&{none}");
        }
    }
}

#[test]
fn a_fully_counted_search_by_date_is_in_order_of_time() {
    let mut host = Host::new();
    let (later, earlier) = overlapping(&mut host);
    let rows = [
        ("", vec![earlier, later]),
        ("&orderby=id", vec![earlier, later]),
        ("&orderby=date", vec![later, earlier]),
        ("&orderby=submitted_at&order=asc", vec![earlier, later]),
        ("&orderby=date&after=2000-01-01", vec![later, earlier]),
    ];
    for (query, expected) in rows {
        let (first, body) = get(&mut host, &format!("/submissions?search=apple{query}"));
        assert_eq!(ids(&body), expected, "{query}");
        assert_eq!(first.header("x-wp-total"), Some("2"), "{query}");
        let path = format!("/submissions?search=apple{query}&per_page=1");
        let (first, body) = get(&mut host, &path);
        assert_eq!(ids(&body), expected[..1], "{query}");
        let cursor = first.header("x-cf-next-cursor").unwrap();
        let (_, body) = get(&mut host, &format!("{path}&cursor={cursor}"));
        assert_eq!(ids(&body), expected[1..], "{query}");
    }
}

#[test]
fn the_last_page_of_a_list_has_the_exact_total() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for _ in 0..130 {
        stored(&mut host, new(form, "apple pear plum"));
    }
    let total = |response: &Response| {
        let total = response.header("x-wp-total").unwrap().to_owned();
        (total, response.header("x-cf-total-is-least").is_some())
    };
    let search = "/submissions?search=apple+pear+plum&per_page=50";
    for (page, expected) in [
        ("", ("100", true)),
        ("&page=2", ("100", true)),
        ("&page=3", ("130", false)),
        ("&offset=120", ("130", false)),
    ] {
        let (response, _) = get(&mut host, &format!("{search}{page}"));
        let (count, is_least) = total(&response);
        assert_eq!((count.as_str(), is_least), expected, "{page}");
    }
    let (status, body) = host.send("GET", &search.replace("=50", "=50&page=4"), None);
    let no_page = json!("rest_post_invalid_page_number");
    assert_eq!((status, &body["code"]), (400, &no_page));
}

fn migrate(host: &mut Host) {
    let request = host.request("POST", "", None);
    let progress = host.engine.migrate(request);
    assert_eq!(host.drive(progress).status, 200);
}

#[test]
fn a_restart_reindexes_nothing() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for _ in 0..250 {
        stored(&mut host, new(form, "apple"));
    }
    let changes = "SELECT total_changes()";
    let before = count(&host, changes);
    migrate(&mut host);
    assert_eq!(count(&host, changes) - before, 0);
}

#[test]
fn reindexing_keeps_the_words_of_a_concurrent_change() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let id = stored(&mut host, new(form, "apple"));
    let forget = "DELETE FROM cf_settings WHERE name LIKE 'search_indexed%'";
    host.database.execute_batch(forget).unwrap();
    let outdated = host
        .run(async |cx| reindex::outdated(&cx).await)
        .expect("outdated");
    let outdated: Vec<_> = outdated
        .into_iter()
        .map(|stored| (stored, vec![]))
        .collect();
    assert_eq!(outdated.len(), 1);
    let read = Some(json!({"status": "read"}));
    host.send("PATCH", &format!("/submissions/{id}"), read);
    // As if the clock had stopped or had been set back.
    host.database
        .execute_batch("UPDATE cf_submissions SET modified_at = submitted_at")
        .unwrap();
    host.run(async move |cx| reindex::write(&cx, &outdated).await)
        .expect("indexed");
    for (status, expected) in [("read", vec![id]), ("new", vec![])] {
        let (_, body) = get(
            &mut host,
            &format!("/submissions?search=apple&status={status}"),
        );
        assert_eq!(ids(&body), expected, "{status}");
    }
}

#[test]
fn the_index_drops_an_unsaved_submission_without_queue_and_log_entries() {
    let mut host = Host::new();
    let settings = json!({"save_submissions": false, "actions": [{"type": "email", "to": "desk@example.org"}]});
    let (_, slug) = make_form(&mut host, "<input type=email name=mail>", settings);
    let answers = [("mail", "a@example.org")];
    assert_eq!(submit(&mut host, &slug, &answers).0, 200);
    let indexed = "SELECT COUNT(*) FROM cf_submission_search";
    assert_eq!(count(&host, indexed), 1);
    host.database
        .execute_batch("DELETE FROM cf_action_queue; DELETE FROM cf_action_logs")
        .unwrap();
    host.now += 100 * DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 0);
    assert_eq!(count(&host, indexed), 0);
}

#[test]
fn a_purge_merges_the_segments_of_the_index() {
    let parts = "SELECT COUNT(DISTINCT segid) FROM cf_submission_search_idx";
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let mut stored_ids: Vec<i64> = (0..3)
        .map(|_| stored(&mut host, new(form, "apple")))
        .collect();
    stored_ids.reverse();
    assert_eq!(count(&host, parts), 3);
    purge(&mut host);
    assert_eq!(count(&host, parts), 1);
    let (_, body) = get(&mut host, "/submissions?search=apple");
    assert_eq!(ids(&body), stored_ids);
    host.now += DAY;
    assert_eq!(purge(&mut host), 1, "there is nothing to merge");
}
