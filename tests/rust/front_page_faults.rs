//! Messages of faults next to their fields, and their summary above the form.

use serde_json::json;

use crate::front_fixture::{hidden, make_form, page, post, submissions, text_of};
use crate::front_page::MARKUP;
use crate::host::Host;

#[test]
fn faults_are_shown_next_to_their_fields_and_answers_are_kept() {
    let mut host = Host::new();
    let (id, slug) = make_form(&mut host, MARKUP, json!({"hide_after_success": false}));
    let first = page(&mut host, &format!("/{slug}"));
    let (key, time) = (
        hidden(&first, "_submission_key"),
        hidden(&first, "_cf_time"),
    );
    host.now += 60_000;
    let pairs = [
        ("topic", "Help"),
        ("message", "<b>&"),
        ("_submission_key", key.as_str()),
        ("_cf_time", time.as_str()),
        ("_cf_referrer", "https://example.net/"),
    ];
    let request = post(&host, &slug, &pairs);
    let response = host.visit(request);
    let html = text_of(&response);
    assert_eq!(response.status, 400);
    assert!(html.contains("<title>Error: Contact</title>"));
    assert!(html.contains("class=\"cf-summary\" role=\"alert\" tabindex=\"-1\" autofocus"));
    assert_eq!(html.matches("class=\"cf-error\"").count(), 2, "{html}");
    assert!(html.contains("&lt;b&gt;&amp;</textarea>"), "{html}");
    assert!(html.contains("<option selected=\"\">Help"), "{html}");
    assert!(html.contains("aria-invalid=\"true\""));
    assert_eq!(
        (hidden(&html, "_submission_key"), hidden(&html, "_cf_time")),
        (key.clone(), time.clone())
    );
    assert_eq!(hidden(&html, "_cf_referrer"), "https://example.net/");
    // Every link of the summary has a target.
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}");
    }
    assert_eq!(html.matches("href=\"#").count(), 2);

    let words = json!({"messages": {"error_title": "Fehler auf „{title}“"}});
    assert_eq!(
        host.send("PATCH", &format!("/forms/{id}"), Some(words)).0,
        200
    );
    let request = post(&host, &slug, &pairs);
    let html = text_of(&host.visit(request));
    assert!(
        html.contains("<title>Fehler auf „Contact“</title>"),
        "{html}"
    );

    let pairs = [
        ("name", "Ada"),
        ("_submission_key", key.as_str()),
        ("_cf_time", time.as_str()),
    ];
    let request = post(&host, &slug, &pairs);
    let response = host.visit(request);
    assert_eq!(response.status, 303);
    let address = response.header("location").unwrap().to_owned();
    let success = page(&mut host, address.strip_prefix("/forms").unwrap());
    assert!(
        success.contains("<p class=\"cf-message cf-message-success\">Thank you."),
        "{success}"
    );
    assert!(success.contains("<form"), "another can be sent");
    assert_ne!(hidden(&success, "_submission_key"), key);
    assert_eq!(submissions(&mut host)[0]["is_spam"], json!(false));
    host.now += 2 * 3_600_000;
    assert!(
        !page(&mut host, address.strip_prefix("/forms").unwrap()).contains("cf-message-success")
    );
    assert!(
        !page(&mut host, &format!("/{slug}?submitted=1.forged")).contains("cf-message-success")
    );
}

#[test]
fn a_form_from_a_schema_is_rendered_with_answers_and_faults() {
    let mut host = Host::new();
    let (id, slug) = make_form(&mut host, "", json!({"language": "ar"}));
    let fields = json!([
        {"name": "who", "type": "name", "label": "You", "required": true},
        {"name": "size", "type": "radio", "label": "Size", "required": true,
         "options": [{"value": "s", "label": "S"}, {"value": "l", "label": "L"}]},
        {"name": "file", "type": "file", "label": "File"},
    ]);
    let (status, answer) = host.send(
        "PUT",
        &format!("/forms/{id}/schema"),
        Some(json!({"fields": fields})),
    );
    assert_eq!(status, 200, "{answer}");
    let html = page(&mut host, &format!("/{slug}"));
    assert!(html.contains("<html lang=\"ar\" dir=\"rtl\">"));
    assert!(html.contains("enctype=\"multipart/form-data\""));
    let request = post(&host, &slug, &[("who[first]", "Ada")]);
    let response = host.visit(request);
    let html = text_of(&response);
    assert_eq!(response.status, 400);
    assert!(html.contains("value=\"Ada\""), "{html}");
    for link in html.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap();
        assert!(html.contains(&format!("id=\"{target}\"")), "{target}");
    }
    assert!(html.matches("href=\"#").count() >= 2, "{html}");
}

#[test]
fn the_summary_links_to_controls_with_the_authors_ids() {
    let mut host = Host::new();
    let markup = "<label for=\"mail\">Mail</label><input id=mail name=mail required>\
        <label for='why'>Why</label><textarea id='why' name=why required></textarea>";
    let (_, slug) = make_form(&mut host, markup, json!({}));
    let request = post(&host, &slug, &[("mail", "")]);
    let html = text_of(&host.visit(request));
    for id in ["mail", "why"] {
        assert!(html.contains(&format!("<li><a href=\"#{id}\">")), "{html}");
    }
}

#[test]
fn faults_of_thousands_of_fields_are_rendered_in_linear_time() {
    let mut host = Host::new();
    let set =
        |index: usize| format!("<input type=\"radio\" name=\"r{index}\" value=\"a\" required>");
    let markup: String = (0..2_000).map(set).collect();
    let (_, slug) = make_form(&mut host, &markup, json!({}));
    let request = post(&host, &slug, &[("x", "1")]);
    let began = crate::stopwatch::Stopwatch::start();
    let response = host.visit(request);
    let took = began.elapsed();
    assert_eq!(response.status, 400);
    let html = text_of(&response);
    assert!(html.contains("<li><a href=\"#cf-1--r1999--error\">"));
    // A debug build needs a thirtieth of this limit. With one search per fault, it would need four times the limit.
    assert!(took.as_secs() < 3, "{took:?}");
}
