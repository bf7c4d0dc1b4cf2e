//! Pages whose URL fills in fields, and texts that show answers.

use serde_json::{Value, json};

use crate::front_fixture::{
    accept_json, hidden, json_of, make_form, page, post, submissions, text_of, visitor,
};
use crate::host::Host;

/// Creates a form from a schema; returns its slug.
fn make_schema_form(host: &mut Host, fields: Value, settings: Value) -> String {
    let body = json!({"title": "Stay", "schema": {"fields": fields}, "settings": settings});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["slug"].as_str().unwrap().to_owned()
}

fn page_at(host: &mut Host, path: &str, query: &str) -> String {
    let mut request = visitor(host, "GET", path);
    request.query = query.to_owned();
    let response = host.visit(request);
    assert_eq!(response.status, 200, "{:?}", response.log);
    assert_eq!(response.header("cache-control"), Some("no-store"));
    text_of(&response)
}

#[test]
fn a_url_fills_in_the_controls_of_a_schema() {
    let mut host = Host::new();
    let fields = json!([
        {"name": "email", "type": "email"},
        {"name": "who", "type": "name"},
        {"name": "topic", "type": "select", "options": ["Sales", "Help"], "default_value": "Sales"},
        {"name": "size", "type": "radio", "options": ["s", "l"], "default_value": "s"},
        {"name": "more", "type": "checkbox", "options": ["a", "b"]},
        {"name": "news", "type": "checkbox", "default_value": "on"},
        {"name": "text", "type": "textarea"},
        {"name": "source", "type": "hidden", "attributes": {"data-prefill": "utm_source"}},
        {"name": "plan", "type": "hidden", "default_value": "free"},
        {"name": "mood", "type": "range"},
    ]);
    let slug = make_schema_form(&mut host, fields, json!({}));
    let query = "email=a%22b%40example.org&email=ada%40example.org&who.first=%3Cb%3E&topic=help&size=l&more=b&news=0&text=%3C/textarea%3E&utm_source=mail&plan=gold&mood=40";
    for path in [format!("/{slug}"), format!("/{slug}/embed")] {
        let html = page_at(&mut host, &path, query);
        for part in [
            "value=\"ada@example.org\" data-cf-prefilled",
            "value=\"&lt;b&gt;\"",
            "<option value=\"Help\" selected",
            "value=\"l\" checked",
            "value=\"b\" checked",
            ">&lt;/textarea&gt;</textarea>",
            "name=\"source\" data-prefill=\"utm_source\" value=\"mail\"",
            "name=\"plan\" value=\"free\"",
            "value=\"40\"",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        for part in ["value=\"s\" checked", "name=\"news\" checked", "gold"] {
            assert!(!html.contains(part), "{part}\n{html}");
        }
    }
    assert!(!page(&mut host, &format!("/{slug}")).contains("data-cf-prefilled"));
}

#[test]
fn a_url_fills_in_an_authors_html_unless_the_form_forbids_it() {
    let mut host = Host::new();
    let markup = "<label>Name <input name=\"name\"></label><input type=\"hidden\" name=\"plan\" value=\"free\">\
        <input type=\"hidden\" name=\"ref\" data-prefill=\"\"><label>No <input name=\"no\" data-prefill=\"off\"></label><button>Go</button>";
    let query = "name=Ada&plan=gold&ref=mail&no=1";
    let (_, slug) = make_form(&mut host, markup, json!({}));
    let html = page_at(&mut host, &format!("/{slug}"), query);
    for part in [
        "<input name=\"name\" value=\"Ada\" data-cf-prefilled=\"\">",
        "name=\"plan\" value=\"free\">",
        "name=\"ref\" data-prefill=\"\" value=\"mail\" data-cf-prefilled=\"\">",
        "<input name=\"no\" data-prefill=\"off\">",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    let (_, slug) = make_form(&mut host, markup, json!({"prefill": "off"}));
    assert!(!page_at(&mut host, &format!("/{slug}"), query).contains("Ada"));
}

#[test]
fn stored_urls_contain_no_answers() {
    let mut host = Host::new();
    let fields = || json!([{"name": "email", "type": "email"}]);
    let slug = make_schema_form(&mut host, fields(), json!({}));
    let address = "https://example.org/page?email=ada%40example.org&gclid=1";
    let send = |host: &mut Host, slug: &str| {
        let pairs = [
            ("email", "ada@example.org"),
            ("_cf_page", address),
            ("_cf_referrer", address),
        ];
        let request = post(host, slug, &pairs);
        assert_eq!(host.visit(request).status, 303);
        let stored = submissions(host).swap_remove(0);
        (stored["page_url"].clone(), stored["referer_url"].clone())
    };
    let kept = json!("https://example.org/page?gclid=1");
    assert_eq!(send(&mut host, &slug), (kept.clone(), kept));
    let slug = make_schema_form(&mut host, fields(), json!({"prefill": "off"}));
    assert_eq!(send(&mut host, &slug), (json!(address), json!(address)));
    // The page with the faults of a rejected submit has the same URL.
    let slug = make_schema_form(&mut host, fields(), json!({}));
    let request = post(&host, &slug, &[("email", "x"), ("_cf_page", address)]);
    let html = text_of(&host.visit(request));
    assert_eq!(
        hidden(&html, "_cf_page"),
        "https://example.org/page?gclid=1"
    );
}

fn stay() -> Value {
    json!([
        {"name": "nick", "label": "Name"},
        {"name": "stay", "type": "rating", "label": "How was it, [nick|dear guest]?", "required": true},
        {"name": "room", "type": "select", "label": "Room", "placeholder": "Choose, [nick|you]",
            "options": [{"value": "x", "label": "For [nick|you]"}]},
        {"name": "note", "label": "Note", "placeholder": "Dear [nick|host]"},
        {"name": "terms", "type": "consent", "label": "I, [nick|a guest], accept the [terms](/terms)"},
    ])
}

#[test]
fn texts_show_the_answers_that_the_server_knows() {
    let mut host = Host::new();
    let slug = make_schema_form(&mut host, stay(), json!({}));
    let bdi = |text: &str| {
        format!("How was it, <bdi data-cf-pipe=\"nick\" data-cf-else=\"dear guest\">{text}</bdi>?")
    };
    let empty = page(&mut host, &format!("/{slug}"));
    for part in [
        &*bdi("dear guest"),
        "<option value=\"x\" data-cf-text=\"For [nick|you]\">For you</option>",
        "placeholder=\"Dear host\" data-cf-text-placeholder=\"Dear [nick|host]\"",
        "accept the <a target=\"_blank\" rel=\"noopener\" href=\"/terms\">terms</a>",
    ] {
        assert!(empty.contains(part), "{part}\n{empty}");
    }
    let filled = page_at(&mut host, &format!("/{slug}"), "nick=%3Ci%3E");
    assert!(filled.contains(&bdi("&lt;i&gt;")), "{filled}");
    assert!(filled.contains(">For &lt;i&gt;</option>"), "{filled}");
    let mut request = post(&host, &slug, &[("nick", "Ada")]);
    let again = text_of(&host.visit(request.clone()));
    assert!(again.contains(&bdi("Ada")), "{again}");
    // The message names the field by its label.
    accept_json(&mut request);
    let (status, answer) = json_of(&host.visit(request));
    assert_eq!(status, 400);
    let message = answer["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("How was it, Ada"), "{message}");
}

#[test]
fn endings_show_answers_and_lists_show_the_fallback() {
    let mut host = Host::new();
    let settings =
        json!({"success_summary": true, "success_title": "Bye [nick|guest], [room|no room]"});
    let slug = make_schema_form(&mut host, stay(), settings);
    let pairs = [("nick", "Ada"), ("stay", "4"), ("terms[accepted]", "on")];
    let mut request = post(&host, &slug, &pairs);
    accept_json(&mut request);
    request.body.extend(b"&_cf_script=1");
    let (status, answer) = json_of(&host.visit(request));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["message"]["title"], "Bye Ada, no room");
    let ending = answer["ending"].as_str().unwrap();
    assert!(ending.contains("<dt>How was it, Ada?</dt>"), "{ending}");
    let stored = submissions(&mut host).swap_remove(0);
    let text = "I, Ada, accept the terms";
    assert_eq!(
        stored["data"]["terms"],
        json!({"accepted": true, "text": text})
    );
    let form_id = stored["form_id"].as_i64().unwrap();
    let (_, sums) = host.send("GET", &format!("/analytics/{form_id}/answers"), None);
    let labels = sums
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| sum["label"].as_str().unwrap());
    assert!(
        labels
            .collect::<Vec<_>>()
            .contains(&"How was it, dear guest?"),
        "{sums}"
    );
    let path = format!("/cf/v1/forms/{form_id}/submissions/export?titles=labels");
    let request = host.request("GET", &path, None);
    let csv = text_of(&host.handle(request));
    assert!(csv.contains("\"How was it, dear guest?\""), "{csv}");
}

#[test]
fn deleting_a_field_that_a_text_shows_is_a_conflict() {
    let mut host = Host::new();
    let body = json!({"title": "Stay", "schema": {"fields": stay()}});
    let (_, form) = host.send("POST", "/forms", Some(body));
    let path = format!("/forms/{}/fields", form["id"]);
    let (status, error) = host.send("DELETE", &format!("{path}/nick"), None);
    assert_eq!((status, &error["code"]), (409, &json!("field_in_use")));
    assert_eq!(
        error["data"]["used_by"],
        json!(["stay", "room", "note", "terms"])
    );
    let (status, _) = host.send(
        "PATCH",
        &format!("{path}/nick"),
        Some(json!({"name": "short"})),
    );
    assert_eq!(status, 200);
    let (_, fields) = host.send("GET", &path, None);
    let fields = fields.as_array().unwrap();
    let stay = fields.iter().find(|field| field["name"] == "stay");
    assert_eq!(stay.unwrap()["label"], "How was it, [short|dear guest]?");
}
