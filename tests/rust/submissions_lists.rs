//! Routes that read submissions: lists, pages, searches.

use cf_forms::http::Response;
use cf_forms::store::submissions::NewSubmission;
use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture::{form, ids, new, spam, stored, with_action};

pub fn get(host: &mut Host, path: &str) -> (Response, Value) {
    let request = host.request("GET", &format!("/cf/v1{path}"), None);
    let response = host.handle(request);
    let body = serde_json::from_slice(&response.body).unwrap();
    (response, body)
}

fn links(response: &Response) -> Vec<String> {
    let all = response.headers.iter().filter(|(name, _)| *name == "link");
    all.map(|(_, value)| value.clone()).collect()
}

/// Creates a host with a form of 25 submissions, one per second.
pub fn with_submissions() -> (Host, i64) {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    for number in 1..=25 {
        stored(&mut host, new(form, &format!("Person {number}")));
        host.now += 1000;
    }
    (host, form)
}

#[test]
fn a_submission_has_the_members_of_the_contract() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let id = stored(&mut host, new(form, "Hi"));
    let (response, body) = get(&mut host, &format!("/submissions/{id}"));
    let expected = json!({
        "id": id, "form_id": form, "status": "new", "is_spam": false, "spam_reasons": [], "spam_score": 0,
        "data": {"answer": "Hi"}, "labels": {}, "files": [], "ip_address": "192.0.2.7", "user_agent": "",
        "referer_url": "", "page_url": "", "submitted_at": "2026-01-02T03:04:05.000Z",
        "modified_at": "2026-01-02T03:04:05.000Z", "schema_revision": 1, "starred": false,
    });
    assert_eq!(body, expected);
    assert!(response.header("etag").is_some());
    for unknown in ["99", "0", "9007199254740993", "99999999999999999999999"] {
        let (status, body) = host.send("GET", &format!("/submissions/{unknown}"), None);
        assert_eq!(
            (status, &body["code"]),
            (404, &json!("submission_not_found"))
        );
    }
}

#[test]
fn lists_are_newest_first_with_linked_pages() {
    let (mut host, form) = with_submissions();
    let (first, body) = get(&mut host, "/submissions?_locale=user");
    assert_eq!(ids(&body), (6..=25).rev().collect::<Vec<_>>());
    assert_eq!(first.header("x-wp-total"), Some("25"));
    assert_eq!(first.header("x-wp-totalpages"), Some("2"));
    let next = "<http://localhost/api/cf/v1/submissions?_locale=user&page=2>; rel=\"next\"";
    assert!(
        links(&first).contains(&next.to_owned()),
        "{:?}",
        links(&first)
    );

    let path = format!("/forms/{form}/submissions?per_page=10&page=2");
    let (middle, body) = get(&mut host, &path);
    assert_eq!(ids(&body), (6..=15).rev().collect::<Vec<_>>());
    let base = format!("http://localhost/api/cf/v1/forms/{form}/submissions?per_page=10");
    let both = format!("<{base}&page=1>; rel=\"prev\", <{base}&page=3>; rel=\"next\"");
    assert!(links(&middle).contains(&both), "{:?}", links(&middle));

    let (last, body) = get(&mut host, "/submissions?per_page=20&page=2");
    assert_eq!(ids(&body), [5, 4, 3, 2, 1]);
    assert!(!links(&last).concat().contains("next"));
    let (status, body) = host.send("GET", "/submissions?page=3", None);
    assert_eq!(
        (status, &body["code"]),
        (400, &json!("rest_post_invalid_page_number"))
    );
}

#[test]
fn any_page_of_an_empty_list_is_empty_and_an_unknown_form_is_not_found() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let (response, body) = get(&mut host, &format!("/forms/{form}/submissions?page=7"));
    assert_eq!((response.status, body), (200, json!([])));
    assert_eq!(response.header("x-wp-total"), Some("0"));
    assert_eq!(response.header("x-wp-totalpages"), Some("0"));
    let (status, body) = host.send("GET", "/forms/99/submissions", None);
    assert_eq!((status, &body["code"]), (404, &json!("form_not_found")));
}

#[test]
fn cursors_reach_the_whole_list_despite_new_submissions() {
    for orderby in ["submitted_at", "id"] {
        let (mut host, form) = with_submissions();
        let mut seen = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/submissions?per_page=4&orderby={orderby}&cursor={cursor}");
            let (response, body) = get(&mut host, &path);
            seen.extend(ids(&body));
            stored(&mut host, new(form, "late"));
            let Some(next) = response.header("x-cf-next-cursor") else {
                break;
            };
            cursor = next.to_owned();
            let link = format!("cursor={cursor}>; rel=\"next\"");
            assert!(links(&response).concat().contains(&link));
        }
        assert_eq!(seen, (1..=25).rev().collect::<Vec<_>>());
    }
    let (mut host, _) = with_submissions();
    let (response, _) = get(&mut host, "/submissions?per_page=4&orderby=id");
    let of_ids = response.header("x-cf-next-cursor").unwrap().to_owned();
    for bad in [of_ids.as_str(), "nonsense", "dC4xLngQ", "%00"] {
        let (status, body) = host.send("GET", &format!("/submissions?cursor={bad}"), None);
        assert_eq!(
            (status, &body["code"]),
            (400, &json!("rest_invalid_param")),
            "{bad}"
        );
    }
}

#[test]
fn a_list_may_have_an_order_an_offset_and_dates() {
    let (mut host, _) = with_submissions();
    let rows = [
        ("per_page=3&order=asc", vec![1, 2, 3]),
        ("per_page=3&orderby=id", vec![25, 24, 23]),
        ("per_page=3&orderby=date&order=asc&page=2", vec![4, 5, 6]),
        ("per_page=3&offset=1", vec![24, 23, 22]),
        ("after=2026-01-02T03:04:27Z", vec![25, 24]),
        ("before=2026-01-02T03:04:07Z", vec![2, 1]),
        (
            "after=2026-01-02T03:04:07Z&before=2026-01-02T03:04:10Z",
            vec![5, 4],
        ),
        ("after=2027-01-01", vec![]),
    ];
    for (query, expected) in rows {
        let (_, body) = get(&mut host, &format!("/submissions?{query}"));
        assert_eq!(ids(&body), expected, "{query}");
    }
    let (response, _) = get(
        &mut host,
        "/submissions?after=2026-01-02T03:04:07Z&per_page=2",
    );
    assert_eq!(response.header("x-wp-total"), Some("22"));
    for query in [
        "after=yesterday",
        "order=up",
        "orderby=data",
        "per_page=0",
        "per_page=101",
        "page=0",
    ] {
        let (status, body) = host.send("GET", &format!("/submissions?{query}"), None);
        assert_eq!(
            (status, &body["code"]),
            (400, &json!("rest_invalid_param")),
            "{query}"
        );
    }
}

#[test]
fn lists_by_id_and_by_time_contain_the_same_submissions() {
    let mut host = Host::new();
    let forms = ["one", "two"].map(|slug| form(&mut host, slug, json!({})));
    for number in 0..12 {
        let submission = match number % 4 {
            0 => spam(forms[number % 2], "Ada"),
            1 => with_action(NewSubmission {
                saved: false,
                ..new(forms[number % 2], "Ada")
            }),
            _ => new(forms[number % 2], "Ada"),
        };
        stored(&mut host, submission);
        host.now += 1000;
    }
    host.send("PATCH", "/submissions/3", Some(json!({"status": "read"})));
    let statuses = ["", "&status=any", "&status=read", "&status=spam"];
    let ranges = [
        "",
        "&after=2026-01-02T03:04:07Z&before=2026-01-02T03:04:15Z",
    ];
    for path in [
        "/submissions",
        "/forms/1/submissions",
        "/forms/2/submissions",
    ] {
        for filter in statuses
            .map(|status| ranges.map(|range| [status, range].concat()))
            .concat()
        {
            for order in ["asc", "desc"] {
                let list = format!("{path}?order={order}{filter}");
                let (by_time, expected) = get(&mut host, &list);
                let (by_id, body) = get(&mut host, &format!("{list}&orderby=id"));
                assert_eq!(ids(&body), ids(&expected), "{list}");
                let total = "x-wp-total";
                assert_eq!(by_id.header(total), by_time.header(total), "{list}");
                let (mut walked, mut cursor) = (Vec::new(), Some(String::new()));
                while let Some(from) = cursor {
                    let page = format!("{list}&orderby=id&per_page=2&cursor={from}");
                    let (response, body) = get(&mut host, &page);
                    walked.extend(ids(&body));
                    cursor = response.header("x-cf-next-cursor").map(str::to_owned);
                }
                assert_eq!(walked, ids(&expected), "{list}");
            }
        }
    }
    let (_, body) = get(&mut host, "/submissions?status=any&orderby=id");
    assert_eq!(ids(&body), [12, 11, 9, 8, 7, 5, 4, 3, 1]);
}

#[test]
fn spam_and_trash_are_listed_only_on_request() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let fresh = stored(&mut host, new(form, "a"));
    let thrown = stored(&mut host, new(form, "b"));
    let junk = stored(&mut host, spam(form, "c"));
    host.send(
        "PATCH",
        &format!("/submissions/{thrown}"),
        Some(json!({"status": "trash"})),
    );
    let rows = [
        ("", vec![fresh]),
        ("?status=any", vec![junk, thrown, fresh]),
        ("?status=spam", vec![junk]),
        ("?status=trash", vec![thrown]),
        ("?status=new", vec![fresh]),
        ("?status=read", vec![]),
        ("?status=spam&search=c", vec![junk]),
        ("?status=any&search=b", vec![thrown]),
        ("?search=b", vec![]),
    ];
    for (query, expected) in rows {
        for path in [
            "/submissions".to_owned(),
            format!("/forms/{form}/submissions"),
        ] {
            let (response, body) = get(&mut host, &format!("{path}{query}"));
            assert_eq!(ids(&body), expected, "{path}{query}");
            let total = response.header("x-wp-total").unwrap().to_owned();
            assert_eq!(total, expected.len().to_string(), "{path}{query}");
        }
    }
    let change = Some(json!({"status": "read"}));
    host.send("PATCH", &format!("/submissions/{thrown}"), change);
    for (query, expected) in [
        ("?search=b", vec![thrown]),
        ("?search=b&status=read", vec![thrown]),
        ("?search=b&status=trash", vec![]),
    ] {
        let (_, body) = get(&mut host, &format!("/submissions{query}"));
        assert_eq!(ids(&body), expected, "{query}, out of the trash again");
    }
    let (status, body) = host.send("GET", "/submissions?status=nonsense", None);
    assert_eq!((status, &body["code"]), (400, &json!("rest_invalid_param")));
    assert_eq!(
        body["data"]["details"]["status"]["code"],
        json!("rest_not_in_enum")
    );
}

#[test]
fn a_search_finds_words_and_their_beginnings() {
    let mut host = Host::new();
    let one = form(&mut host, "one", json!({}));
    let two = form(&mut host, "two", json!({}));
    let ada = stored(&mut host, new(one, "Ada Lovelace <ada@example.org> Zürich"));
    let grace = stored(&mut host, new(one, "Grace Hopper, grace@example.com"));
    let other = stored(&mut host, new(two, "Ada of the other form, 東京都"));
    let rows = [
        ("ada", vec![other, ada]),
        ("ADA love", vec![ada]),
        ("example", vec![grace, ada]),
        ("ada@example.org", vec![ada]),
        ("zür", vec![ada]),
        ("ZÜRICH", vec![ada]),
        ("lace", vec![]),
        ("京", vec![other]),
        ("192.0.2.7 grace", vec![grace]),
        ("hopper grace", vec![grace]),
        ("!?", vec![]),
        ("\" OR x=1 --", vec![]),
        ("ada* NOT grace", vec![]),
        ("words:ada", vec![]),
        // Words by which the index marks forms and statuses.
        ("f1", vec![]),
        ("snew", vec![]),
    ];
    for (search, expected) in rows {
        let encoded: String = form_urlencoded::byte_serialize(search.as_bytes()).collect();
        let (_, body) = get(&mut host, &format!("/submissions?search={encoded}"));
        assert_eq!(ids(&body), expected, "{search}");
    }
    for path in [
        format!("/forms/{two}/submissions?search=ada"),
        format!("/submissions?form_id={two}&search=ada"),
    ] {
        let (_, body) = get(&mut host, &path);
        assert_eq!(ids(&body), [other], "{path}");
    }
    let (_, body) = get(&mut host, &format!("/submissions?search={grace}"));
    assert!(ids(&body).contains(&grace), "by its id");
    let (_, body) = get(&mut host, "/submissions?search=");
    assert_eq!(ids(&body).len(), 3);
    let (_, body) = get(
        &mut host,
        "/submissions?search=ada&orderby=submitted_at&order=asc",
    );
    assert_eq!(ids(&body), [ada, other]);
}

#[test]
fn every_list_uses_an_index() {
    let (host, form) = with_submissions();
    let listed = "status NOT IN ('spam', 'trash', 'unsaved')";
    let rows = [
        (listed.to_owned(), "cf_submissions_listed"),
        (
            format!("{listed} AND form_id = {form}"),
            "cf_submissions_form_listed",
        ),
        ("status = 'read'".to_owned(), "cf_submissions_status"),
        (
            format!("status = 'read' AND form_id = {form}"),
            "cf_submissions_form_status",
        ),
        ("status <> 'unsaved'".to_owned(), "cf_submissions_time"),
        (
            format!("status <> 'unsaved' AND form_id = {form}"),
            "cf_submissions_form",
        ),
        (
            format!("{listed} AND submitted_at > 5"),
            "cf_submissions_listed",
        ),
    ];
    for (condition, index) in rows {
        let sql = format!(
            "EXPLAIN QUERY PLAN SELECT * FROM cf_submissions WHERE {condition} ORDER BY submitted_at DESC, id DESC LIMIT 20"
        );
        let mut prepared = host.database.prepare(&sql).unwrap();
        let plan: Vec<String> = prepared
            .query_map([], |row| row.get(3))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let plan = plan.join("\n");
        assert!(
            plan.contains(&format!("{index} ")) || plan.ends_with(index),
            "{condition}: {plan}"
        );
        assert!(!plan.contains("TEMP B-TREE"), "{condition}: {plan}");
    }
}
