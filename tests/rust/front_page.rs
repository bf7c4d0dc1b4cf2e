//! Visitors' pages without script.

use cf_forms::hooks::Kind;
use serde_json::json;

use crate::front_fixture::{accept_json, hidden, make_form, page, post, text_of, visitor};
use crate::hooks::add_to;
use crate::host::Host;

pub const MARKUP: &str = "<p><label>Name <input name=\"name\" required></label></p>\
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
    // Each page has a new nonce for its script.
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
        // A select without a selected option gets an empty one, and a required field its mark. The rest does not
        // change.
        MARKUP
            .replacen(
                "<option>",
                "<option value=\"\" class=\"cf-choose\">Choose…</option><option>",
                1,
            )
            .replacen(
                "Name ",
                "Name <span class=\"cf-required\" aria-hidden=\"true\"> *</span>",
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
fn a_title_is_escaped_and_a_form_without_a_button_gets_one() {
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
fn a_closed_form_has_a_sign_in_link_only_if_signing_in_helps() {
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

#[test]
fn each_visitor_reads_the_forms_html_in_their_language() {
    let mut host = Host::with_languages(json!({"de": {"choose": "Bitte wählen"}}));
    let markup = "<select name=a required><option>x</option></select>";
    let (_, slug) = make_form(&mut host, markup, json!({"language": "auto"}));
    for (language, expected) in [
        ("de", "Bitte wählen"),
        ("en", "Choose"),
        ("de", "Bitte wählen"),
    ] {
        let mut request = visitor(&host, "GET", &format!("/{slug}"));
        let headers = &mut request.headers;
        headers.insert("accept-language".to_owned(), language.to_owned());
        let html = text_of(&host.visit(request));
        let option = html.split("class=\"cf-choose\">").nth(1).unwrap_or(&html);
        assert!(option.starts_with(expected), "{language}: {option}");
    }
}

#[test]
fn plugins_change_the_messages_of_the_script() {
    let mut host = Host::new();
    let markup = "<div data-layout=conversational><p><input name=a></p><p><input name=b></p></div>";
    let (_, slug) = make_form(&mut host, markup, json!({}));
    let names = [
        "cf_form_message_previous_step",
        "cf_form_message_send",
        "cf_form_message_error_title",
        "cf_form_default_messages",
    ];
    for (number, name) in (0..).zip(names) {
        let hooks = host.engine.hooks();
        add_to(
            &mut hooks.borrow_mut(),
            Kind::Filter,
            name,
            number,
            "my/plugin",
            10.0,
        );
        host.callbacks.insert(number, json!(format!("of {name}")));
    }
    let defaults = json!({"next_step": "Onwards", "skip": "Pass"});
    host.callbacks.insert(3, defaults);
    let html = page(&mut host, &format!("/{slug}"));
    for (key, text) in [
        ("previous_step", "of cf_form_message_previous_step"),
        ("send", "of cf_form_message_send"),
        ("error_title", "of cf_form_message_error_title"),
        ("next_step", "Onwards"),
        ("skip", "Pass"),
    ] {
        let shown = format!("&quot;{key}&quot;:&quot;{text}&quot;");
        assert!(html.contains(&shown), "{key}: {html}");
    }
}
