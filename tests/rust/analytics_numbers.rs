//! Parts of analytics without a database: rates, sketches, sources and spans.

use cf_forms::analytics::attribution::{campaign_label, referrer_label};
use cf_forms::analytics::gathered::Event;
use cf_forms::analytics::metrics::rate;
use cf_forms::analytics::{
    Counted, Gathered, Guard, Sketch, Span, completion_bucket, is_bot, is_mobile, median_seconds,
};
use cf_forms::forms::check::parse_schema;
use model::analytics::answers::answer_sums;
use serde_json::json;
use sha2::{Digest, Sha256};

#[test]
fn a_rate_has_one_decimal_and_is_0_without_a_total() {
    assert_eq!(rate(450, 1500), 30.0);
    assert_eq!(rate(12, 192), 6.3);
    assert_eq!(rate(1, 3), 33.3);
    assert_eq!(rate(2, 3), 66.7);
    assert_eq!(rate(5, 0), 0.0);
    assert_eq!(rate(3, 2), 150.0);
    assert_eq!(rate(-3, 2), 0.0);
}

/// Returns the hash of a visitor, spread as evenly as the engine's.
fn hash(visitor: u32) -> u64 {
    let digest = Sha256::digest(visitor.to_le_bytes());
    u64::from_be_bytes(digest[..8].try_into().unwrap())
}

#[test]
fn a_rating_lists_at_most_the_points_from_0_to_100() {
    for (max, count) in [(5, 6), (100, 101), (1_000, 101)] {
        let bounds = json!({"min": 0, "max": max});
        let field = json!({"name": "r", "type": "rating", "validation": bounds});
        let schema = parse_schema(&json!({"fields": [field]})).unwrap();
        let sums = answer_sums(&schema, &[]);
        assert_eq!(sums[0]["options"].as_array().unwrap().len(), count, "{max}");
    }
}

#[test]
fn a_sketch_estimates_visitors_within_two_and_a_half_percent() {
    for count in [
        0, 1, 2, 10, 100, 1_000, 5_000, 20_000, 40_000, 100_000, 300_000,
    ] {
        let mut sketch = Sketch::default();
        for visitor in 0..count {
            sketch.add(hash(visitor));
            sketch.add(hash(visitor));
        }
        let error = (sketch.estimate() as f64 - f64::from(count)).abs();
        assert!(
            error <= f64::from(count) * 0.025,
            "{count}: {}",
            sketch.estimate()
        );
    }
}

#[test]
fn merged_sketches_equal_the_sketch_of_all_visitors() {
    let of = |visitors: std::ops::Range<u32>| {
        let mut sketch = Sketch::default();
        visitors.for_each(|visitor| sketch.add(hash(visitor)));
        sketch
    };
    let mut merged = of(0..6_000);
    merged.merge(&of(4_000..10_000));
    assert_eq!(merged, of(0..10_000));
    merged.merge(&of(0..10_000));
    assert_eq!(merged, of(0..10_000));
}

#[test]
fn a_sketch_round_trips_as_text_that_is_short_for_few_visitors() {
    for count in [0, 1, 50, 3_000, 50_000] {
        let mut sketch = Sketch::default();
        (0..count).for_each(|visitor| sketch.add(hash(visitor)));
        let text = sketch.to_text();
        assert_eq!(Sketch::from_text(&text), sketch, "{count}");
        let longest = (1 + 4 * count as usize).min(16_385);
        assert!(text.len() <= longest, "{count}: {}", text.len());
    }
    for broken in ["", "x", "d", "s!!!", "sAAA", "not a sketch"] {
        let _ = Sketch::from_text(broken).estimate();
    }
}

#[test]
fn a_campaign_is_read_from_the_page_url() {
    for (address, label) in [
        ("https://example.org/", r#"["direct","",""]"#),
        ("", r#"["direct","",""]"#),
        (
            "https://example.org/?utm_source=news&utm_medium=mail&utm_campaign=may",
            r#"["news","mail","may"]"#,
        ),
        (
            "https://example.org/?a=1&utm_medium=cpc#utm_source=x",
            r#"["","cpc",""]"#,
        ),
        ("/page?utm_source=a%20b%0A", r#"["a b","",""]"#),
        ("?utm_source=\"]", r#"["\"]","",""]"#),
    ] {
        assert_eq!(campaign_label(address), label, "{address}");
    }
    let long = format!("https://example.org/?utm_source={}", "é".repeat(1_000));
    assert_eq!(
        campaign_label(&long).chars().count(),
        100 + r#"["","",""]"#.len()
    );
}

#[test]
fn a_referrer_is_a_domain_or_direct() {
    for (address, domain) in [
        ("", "direct"),
        ("https://News.Example.com/a?b", "news.example.com"),
        ("http://user:secret@example.com:8080/", "example.com"),
        ("https://[2001:db8::1]:8443/x", "2001:db8::1"),
        ("android-app://com.example/", "direct"),
        ("javascript:alert(1)", "direct"),
        ("https:///nothing", "direct"),
        ("https://<script>/", "direct"),
        ("https://münchen.example", "münchen.example"),
    ] {
        assert_eq!(referrer_label(address), domain, "{address}");
    }
}

#[test]
fn bots_and_phones_are_recognized_by_user_agent() {
    let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 Safari/604.1";
    let desktop = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36";
    let google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    assert!(is_mobile(phone) && !is_mobile(desktop));
    assert!(!is_bot(phone) && !is_bot(desktop) && is_bot(google));
    assert!(is_bot("facebookexternalhit/1.1") && is_bot("AhrefsBot"));
    assert!(!is_bot(
        "Mozilla/5.0 (Linux; Android 9; CUBOT_P40) Chrome/99"
    ));
}

#[test]
fn a_span_covers_days_or_all_time() {
    assert_eq!(Span::between(None, None), Some(Span::all_time()));
    assert_eq!(Span::between(Some("2026-01-02"), Some("2026-01-01")), None);
    let week = Span::last_days(7, 1_767_323_045_000);
    assert_eq!(
        (week.from.as_str(), week.to.as_str()),
        ("2025-12-27", "2026-01-02")
    );
    assert_eq!(week.days().count(), 7);
    assert_eq!(week.days().next().as_deref(), Some("2025-12-27"));
    assert!(Span::between(None, Some("2026-01-02")).unwrap().length() > 366);
}

#[test]
fn the_guard_admits_thirty_events_per_address_form_and_minute_and_each_once() {
    let mut guard = Guard::default();
    assert!(guard.admit(1, 7, "a", 0));
    assert!(!guard.admit(1, 7, "a", 0));
    assert!(guard.admit(1, 8, "a", 0));
    for _ in 1..30 {
        assert!(guard.admit(1, 7, "", 59_999));
    }
    assert!(!guard.admit(1, 7, "", 59_999));
    assert!(guard.admit(2, 7, "", 59_999));
    assert!(guard.admit(1, 7, "", 60_000));
    assert!(!guard.admit(1, 7, "a", 60_000));
    assert!(guard.admit(1, 7, "a", 180_000));
}

#[test]
fn events_that_could_not_be_written_are_restored() {
    let mut gathered = Gathered::default();
    gathered.add(1, "2026-01-02", Event::Start { mobile: true }, hash(5));
    gathered.add(1, "2026-01-02", Event::Abandon(Some("email")), hash(5));
    let lost = std::mem::take(&mut gathered);
    gathered.add(1, "2026-01-02", Event::View, hash(9));
    gathered.add(1, "2026-01-02", Event::Start { mobile: false }, hash(9));
    gathered.restore(lost);
    let counts: Vec<(&str, &str, i64)> = gathered
        .counts
        .iter()
        .map(|(key, count)| (key.metric, key.label.as_str(), *count))
        .collect();
    let expected = [
        ("abandon", "", 1),
        ("field_abandon", "email", 1),
        ("mobile_start", "", 1),
        ("start", "", 2),
        ("view", "", 1),
    ];
    assert_eq!(counts, expected);
    assert_eq!(gathered.visitors.first().unwrap().1.estimate(), 2);
}

#[test]
fn the_median_completion_time_is_a_bucket() {
    assert_eq!(completion_bucket(0), Some(15));
    assert_eq!(completion_bucket(16), Some(30));
    assert_eq!(completion_bucket(3_601), None);
    assert_eq!(completion_bucket(-1), None);
    let timed = |bucket: &str, count| Counted {
        metric: "completion_time".to_owned(),
        key: bucket.to_owned(),
        count,
    };
    assert_eq!(median_seconds(&[]), None);
    let counted = [timed("600", 6), timed("30", 4), timed("60", 1)];
    assert_eq!(median_seconds(&counted), Some((600, 11)));
    let counted = [timed("600", 4), timed("30", 4)];
    assert_eq!(median_seconds(&counted), Some((30, 8)));
}
