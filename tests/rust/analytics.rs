//! Analytics: from events and submissions to counters and reports.

use cf_forms::analytics::Visit;
use cf_forms::store::submissions::NewSubmission;
use cf_forms::submissions::Submission;
use serde_json::json;

use crate::analytics_fixture::{ANN, Visitor, events, get, send, site, submit};
use crate::front_fixture::{self, make_form};
use crate::host::Host;
use crate::submissions_fixture::{self as fixture, count};

#[test]
fn the_funnel_counts_events_and_submissions() {
    let mut host = site();
    for address in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"] {
        let visitor = Visitor { address, ..ANN };
        send(&mut host, &visitor, &events(&["view", "start"]));
    }
    send(&mut host, &ANN, &events(&["view", "abandon"]));
    submit(&mut host, |new| new.visit = Visit::Started);
    submit(&mut host, |new| {
        new.visit = Visit::Started;
        new.submission.is_spam = true;
        new.submission.status = "spam".to_owned();
    });
    let expected = json!({
        "views": 5, "visitors": 4, "starts": 4, "submissions": 1, "abandonments": 1, "spam": 1,
        "saved": 0, "resumed": 0, "saved_submissions": 0,
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
fn attribution_leaves_out_spam() {
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
fn the_number_of_stored_campaigns_is_limited() {
    let mut host = site();
    host.database
        .execute_batch(
            "INSERT INTO cf_stats (form_id, metric, date, label, shard, count) \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 995) \
             SELECT 1, 'campaign', '', '[\"s' || i || '\",\"\",\"\"]', 0, 1 FROM n",
        )
        .unwrap();
    for number in 990..1_010 {
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
    let rest = json!({"utm_source": "other", "utm_medium": "", "utm_campaign": "", "count": 9});
    assert_eq!(shown["utm_sources"][0], rest);
}

#[test]
fn spam_is_shown_by_day_and_reason() {
    let mut host = site();
    let spam = |reasons: &'static [&str]| {
        move |new: &mut NewSubmission| {
            new.submission.is_spam = true;
            new.submission.status = "spam".to_owned();
            new.submission.spam_reasons =
                reasons.iter().map(|reason| (*reason).to_owned()).collect();
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
fn recommendations_cover_the_last_four_weeks() {
    let mut host = site();
    for number in 0..210 {
        let address = format!("198.51.100.{number}");
        let visitor = Visitor {
            address: &address,
            ..ANN
        };
        send(&mut host, &visitor, &events(&["view"]));
    }
    let recommendations = get(&mut host, "1/recommendations");
    assert_eq!(recommendations[0]["code"], "few_starts");
    assert_eq!(recommendations[0]["severity"], "warning");
    assert_eq!(
        (
            &recommendations[0]["value"],
            &recommendations[0]["threshold"]
        ),
        (&json!(0.0), &json!(10.0))
    );
    assert_eq!(recommendations[0].get("field"), None);
    host.now += 28 * 86_400_000;
    assert_eq!(get(&mut host, "1/recommendations"), json!([]));
}

#[test]
fn a_deleted_form_leaves_no_analytics() {
    let mut host = site();
    host.send("POST", "/forms", Some(json!({"title": "Other"})));
    send(&mut host, &ANN, &events(&["view", "start"]));
    submit(&mut host, |_| {});
    get(&mut host, "1/funnel");
    send(&mut host, &ANN, &events(&["view"]));
    assert_eq!(host.send("DELETE", "/forms/1?force=true", None).0, 200);
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
fn the_overview_shows_the_fifty_busiest_forms_in_few_statements() {
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

/// Runs a rebuild and returns the differences that it found: form, metric, day, label, amount, corrected.
pub fn rebuild(host: &mut crate::host::Host) -> Vec<String> {
    let mut place = json!({"form_id": 0, "day": 0});
    let mut found = Vec::new();
    while !place.is_null() {
        let request = host.request("POST", "", Some(place));
        let progress = host.engine.rebuild_counters(request);
        let response = host.drive(progress);
        assert_eq!(response.status, 200, "{:?}", response.log);
        let step: serde_json::Value = serde_json::from_slice(&response.body).unwrap();
        for difference in step["differences"].as_array().unwrap() {
            let part = |name: &str| difference[name].to_string().replace('"', "");
            let parts = ["form_id", "metric", "date", "label", "by", "corrected"].map(part);
            found.push(parts.join(" "));
        }
        place = step["next"].clone();
    }
    found
}

#[test]
fn a_rebuild_counts_the_submissions_again() {
    let mut host = site();
    send(&mut host, &ANN, &events(&["view", "start"]));
    let first = submit(&mut host, |_| {});
    for _ in 0..3 {
        submit(&mut host, |_| {});
        host.now += 86_400_000;
    }
    submit(&mut host, |new| {
        new.submission.is_spam = true;
        new.submission.status = "spam".to_owned();
        new.submission.spam_reasons = vec!["links".to_owned()];
    });
    let funnel = get(&mut host, "1/funnel");
    assert_eq!(rebuild(&mut host), Vec::<String>::new());
    host.database
        .execute_batch(
            "UPDATE cf_stats SET count = 0 WHERE metric = 'submit' AND date = '2026-01-03';
             DELETE FROM cf_stats WHERE metric = 'spam_reason';
             UPDATE cf_stats SET count = 7 WHERE metric = 'view' AND date = '';
             UPDATE cf_stats SET count = 9 WHERE metric = 'status' AND label = 'new';",
        )
        .unwrap();
    let found = rebuild(&mut host);
    for expected in [
        "1 submit 2026-01-03  1 true",
        "1 spam_reason 2026-01-05 links 1 true",
        "1 view   -6 true",
        "1 status  new -5 true",
        "0 status  new -5 true",
    ] {
        let says = found.iter().any(|line| line == expected);
        assert!(says, "{expected}: {found:#?}");
    }
    assert_eq!(get(&mut host, "1/funnel"), funnel);
    assert_eq!(rebuild(&mut host), Vec::<String>::new());
    let (status, _) = host.send("DELETE", &format!("/submissions/{first}"), None);
    assert_eq!(status, 200);
    let left = rebuild(&mut host);
    assert!(
        left.contains(&"1 submit 2026-01-02  -1 false".to_owned()),
        "{left:?}"
    );
    assert_eq!(
        get(&mut host, "1/funnel"),
        funnel,
        "deleted submissions still count as arrivals"
    );
}

#[test]
fn sums_of_large_numbers_are_split_over_small_counters() {
    let mut host = Host::new();
    let (id, slug) = make_form(&mut host, "<input type=number step=any name=n>", json!({}));
    let answers = ["1e15", "999999999999.9999", "-1234567.25", "1000000", "0.5"];
    for answer in answers {
        let (status, body) = front_fixture::submit(&mut host, &slug, &[("n", answer)]);
        assert_eq!(status, 200, "{answer}: {body}");
    }
    let sums = get(&mut host, &format!("{id}/answers"));
    let sum = 1e12 + 999_999_999_999.999_9 - 1_234_567.25 + 1e6 + 0.5;
    assert_eq!(
        (&sums[0]["count"], &sums[0]["sum"]),
        (&json!(5), &json!(sum))
    );
    let greatest = "SELECT MAX(ABS(count)) FROM cf_stats WHERE metric = 'answer'";
    assert!(count(&host, greatest) <= 2_000_000);
    for submission in 1..=5 {
        let path = format!("/submissions/{submission}");
        assert_eq!(host.send("DELETE", &path, None).0, 200);
    }
    assert_eq!(get(&mut host, &format!("{id}/answers"))[0]["sum"], 0);
}
