//! Visitors' pages without script.

use serde_json::json;

use crate::front_fixture::{
    accept_json, hidden, make_form, page, post, submissions, text_of, visitor,
};
use crate::host::Host;

const MARKUP: &str = "<p><label>Name <input name=\"name\" required></label></p>\
    <p><label>Topic <select name=\"topic\"><option>Sales</option><option>Help</option></select></label></p>\
    <p><label>Message <textarea name=\"message\" minlength=\"5\"></textarea></label></p><button>Go</button>";

#[test]
fn a_form_has_a_complete_page() {
    let mut host = Host::new();
    let (id, slug) = make_form(&mut host, MARKUP, json!({}));
    let request = visitor(&host, "GET", &format!("/{slug}"));
    let response = host.visit(request);
    assert_eq!(response.status, 200);
    assert_eq!(
        response.header("content-type"),
        Some("text/html; charset=UTF-8")
    );
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let policy = response.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    // Each page has another nonce for its script.
    let nonce = |policy: &str| {
        let (_, rest) = policy.split_once("'nonce-").unwrap();
        rest.split_once('\'').unwrap().0.to_owned()
    };
    let first = nonce(policy);
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; img-src 'self' data: https:; font-src 'self'; style-src 'self'; \
             script-src 'nonce-{first}'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types cf-forms"
        )
    );
    let request = visitor(&host, "GET", &format!("/{slug}"));
    let again = host.visit(request);
    assert_ne!(
        nonce(again.header("content-security-policy").unwrap()),
        first
    );
    assert!(first.len() >= 22, "{first}");
    for (name, value) in [
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), microphone=(), geolocation=()",
        ),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.header(name), Some(value));
    }
    let html = text_of(&response);
    for part in [
        "<!doctype html>\n<html lang=\"en\" dir=\"ltr\">".to_owned(),
        "<title>Contact</title>".to_owned(),
        "<h1 class=\"cf-title\">Contact</h1>".to_owned(),
        format!("<form method=\"post\" action=\"/forms/{slug}\" class=\"cf-form cf-form-{id}\""),
        "role=\"status\" aria-live=\"polite\"".to_owned(),
        // A select without a selected option gets an empty one. All else stays as written.
        MARKUP.replacen(
            "<option>",
            "<option value=\"\" class=\"cf-choose\">Choose…</option><option>",
            1,
        ),
        format!("name=\"_cf_h{id}\" value=\"\" tabindex=\"-1\" autocomplete=\"off\""),
    ] {
        assert!(html.contains(&part), "{part}\n{html}");
    }
    assert_eq!(html.matches("<h1").count(), 1);
    assert_ne!(
        hidden(&html, "_submission_key"),
        hidden(&page(&mut host, &format!("/{slug}")), "_submission_key")
    );
}

#[test]
fn a_title_stays_text_and_a_form_without_a_button_gets_one() {
    let mut host = Host::new();
    let body =
        json!({"title": "<script>alert(1)</script>&", "slug": "x", "markup": "<input name=a>"});
    host.send("POST", "/forms", Some(body));
    let html = page(&mut host, "/x");
    assert!(!html.contains("<script"), "{html}");
    assert!(html.contains("<button type=\"submit\" class=\"cf-submit\">Send</button>"));
    let words = json!({"messages": {"send": "Absenden >", "network_error": "Nicht gesendet."}});
    host.send("PATCH", "/forms/1", Some(words));
    let html = page(&mut host, "/x");
    assert!(html.contains(">Absenden &gt;</button>"), "{html}");
    assert!(
        html.contains("&quot;network_error&quot;:&quot;Nicht gesendet.&quot;"),
        "{html}"
    );
}

#[test]
fn unknown_paths_are_not_found() {
    let mut host = Host::new();
    make_form(&mut host, MARKUP, json!({}));
    for path in [
        "",
        "/",
        "/nothing",
        "/contact/x",
        "/Contact",
        "/contact/embed/x",
        "/-",
        "/%00",
        "/a.b",
    ] {
        let request = visitor(&host, "GET", path);
        let response = host.visit(request);
        assert_eq!(response.status, 404, "{path}");
        assert!(text_of(&response).contains("<h1"), "{path}");
    }
    for (method, path) in [
        ("PUT", "/contact"),
        ("DELETE", "/contact"),
        ("POST", "/contact/embed"),
    ] {
        let request = visitor(&host, method, path);
        assert_eq!(host.visit(request).status, 405, "{method} {path}");
    }
    // A preflight lists the allowed headers; each response names the allowed origin.
    for (method, status, age, exposed) in [
        ("OPTIONS", 204, Some("600"), None),
        ("GET", 200, None, Some("Retry-After")),
        ("POST", 400, None, Some("Retry-After")),
    ] {
        let request = visitor(&host, method, "/contact");
        let response = host.visit(request);
        assert_eq!(response.status, status, "{method}");
        let header = |name| response.header(name);
        assert_eq!(header("access-control-allow-origin"), Some("*"), "{method}");
        assert_eq!(header("access-control-max-age"), age, "{method}");
        assert_eq!(
            header("access-control-allow-methods").is_some(),
            age.is_some(),
            "{method}"
        );
        assert_eq!(header("access-control-expose-headers"), exposed, "{method}");
    }
    let request = visitor(&host, "HEAD", "/contact");
    let response = host.visit(request);
    assert_eq!((response.status, response.body.len()), (200, 0));
}

#[test]
fn the_embedded_form_is_only_the_element_with_absolute_urls() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let request = visitor(&host, "GET", &format!("/{slug}/embed"));
    let response = host.visit(request);
    let html = text_of(&response);
    let start = format!("<form method=\"post\" action=\"http://localhost/forms/{slug}\"");
    assert!(html.starts_with(&start), "{html}");
    assert!(
        response
            .header("content-security-policy")
            .unwrap()
            .contains("frame-ancestors 'self';")
    );
    assert_eq!(response.header("cross-origin-resource-policy"), None);
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn faults_are_shown_beside_their_fields_and_answers_are_kept() {
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
fn a_form_may_hide_or_redirect_after_success() {
    let mut host = Host::new();
    let (_, slug) = make_form(
        &mut host,
        "<input name=name>",
        json!({"hide_after_success": true}),
    );
    let request = post(&host, &slug, &[("name", "x")]);
    let address = host.visit(request).header("location").unwrap().to_owned();
    let success = page(&mut host, address.strip_prefix("/forms").unwrap());
    assert!(
        success.contains("cf-message-success") && !success.contains("<form"),
        "{success}"
    );

    for (setting, expected) in [
        (
            "https://example.org/?n=[name]",
            "https://example.org/?n=%2F%2Fevil%20%22",
        ),
        ("/thanks#[name]", "/thanks#%2F%2Fevil%20%22"),
        ("[name]", "%2F%2Fevil%20%22"),
    ] {
        let (_, slug) = make_form(
            &mut host,
            "<input name=name>",
            json!({"redirect_url": setting}),
        );
        let request = post(&host, &slug, &[("name", "//evil \"")]);
        let response = host.visit(request);
        assert_eq!(
            (response.status, response.header("location")),
            (303, Some(expected))
        );
    }
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
fn a_form_for_signed_in_users_links_to_the_sign_in_and_back() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"require_user_logged_in": true}));
    for (path, site) in [("", ""), ("/embed", "http://localhost")] {
        let html = page(&mut host, &format!("/{slug}{path}"));
        let link = format!("<a href=\"{site}/sign-in?redirect_to=%2Fforms%2Fcontact\">Sign in</a>");
        assert!(html.contains(&link), "{path}: {html}");
        assert!(!html.contains("<form"), "{path}: {html}");
    }
    let mut request = visitor(&host, "GET", &format!("/{slug}"));
    request.principal = host.request("GET", "/", None).principal;
    assert!(request.principal.is_some());
    let html = text_of(&host.visit(request));
    assert!(
        html.contains("<form") && !html.contains("sign-in"),
        "{html}"
    );
}

#[test]
fn a_form_closed_for_another_reason_links_to_no_sign_in() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"submission_limit": 1}));
    let request = post(&host, &slug, &[("name", "x")]);
    assert_eq!(host.visit(request).status, 303);
    let html = page(&mut host, &format!("/{slug}"));
    assert!(
        html.contains("no longer accepting") && !html.contains("sign-in"),
        "{html}"
    );
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
fn only_a_form_with_steps_has_the_messages_for_steps() {
    let mut host = Host::new();
    for (markup, kind) in [
        (
            "<div data-step=1><input name=a></div><div data-step=2><input name=b></div>",
            Some("multi-step"),
        ),
        (
            "<div data-layout=conversational><p><input name=a></p><p><input name=b></p></div>",
            Some("conversational"),
        ),
        (
            "<div data-layout=single><div data-step=1><input name=a></div></div>",
            None,
        ),
        (MARKUP, None),
    ] {
        let (_, slug) = make_form(&mut host, markup, json!({}));
        let html = page(&mut host, &format!("/{slug}"));
        let steps = kind.map(|kind| format!(" data-steps=\"{kind}\">"));
        match steps {
            Some(steps) => {
                assert!(html.contains(&steps), "{html}");
                assert!(
                    html.contains("&quot;next_step&quot;:&quot;Next&quot;"),
                    "{html}"
                );
            }
            None => assert!(
                !html.contains("data-steps") && !html.contains("next_step"),
                "{html}"
            ),
        }
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
    // The limit is thirty times the duration of a debug build, and a quarter of that with one search for each fault.
    assert!(took.as_secs() < 3, "{took:?}");
}

/// Stored attributes that only the engine may write are removed from visitors' pages.
#[test]
fn authors_cannot_write_attributes_of_the_engine() {
    let mut host = Host::new();
    let evil = "<div data-cf-embed=\"/forms/-/files/1/1/x\">a</div>";
    let (id, slug) = make_form(
        &mut host,
        "<input name=a>",
        json!({"hide_after_success": true}),
    );
    // Markup as an older version stored it.
    let sql = "UPDATE cf_forms SET markup = ?1 || markup, \
        messages = json_set(messages, '$.success_html', ?1), revision = revision + 1 WHERE id = ?2";
    let changed = host.database.execute(sql, rusqlite::params![evil, id]);
    assert_eq!(changed.unwrap(), 1);
    for path in [format!("/{slug}"), format!("/{slug}/embed")] {
        let html = page(&mut host, &path);
        assert!(
            html.contains("<div>a</div>") && !html.contains("data-cf-embed"),
            "{html}"
        );
    }
    let mut request = post(&host, &slug, &[("a", "1")]);
    accept_json(&mut request);
    let answer = text_of(&host.visit(request));
    assert!(
        answer.contains("<div>a</div>") && !answer.contains("data-cf-embed"),
        "{answer}"
    );
    // A save removes and counts them, for every author.
    let ending = json!({"conditions": [], "html": evil});
    let body = json!({
        "title": "x", "markup": format!("{evil}<input name=b>"),
        "messages": {"success_html": evil}, "settings": {"endings": [ending]},
    });
    for (method, path) in [("POST", "/cf/v1/forms"), ("PATCH", "/cf/v1/forms/2")] {
        let request = host.request(method, path, Some(body.clone()));
        let response = host.handle(request);
        assert_eq!(response.header("x-cf-warnings"), Some("3"), "{method}");
        let form = text_of(&response);
        assert!(!form.contains("data-cf-embed"), "{form}");
    }
    let (_, preview) = host.send("POST", "/forms/preview", Some(body));
    let html = preview["html"].as_str().unwrap();
    assert!(!html.contains("data-cf-embed"), "{html}");
    assert_eq!(preview["warnings"].as_array().map(Vec::len), Some(1));
}
