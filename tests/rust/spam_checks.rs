//! Spam checks that a form turns on, and the services that some of them call.

use std::collections::BTreeMap;

use cf_forms::action_types::secrets::MASK;
use cf_forms::task::{IncomingResponse, PortError};
use serde_json::{Value, json};

use crate::host::Host;

/// Submits to a form with a check; returns the submission as its owner sees it.
fn submit(host: &mut Host, check: Value, mut data: Value) -> Value {
    let markup = "<input name=\"email\" type=\"email\"><textarea name=\"message\"></textarea>";
    let body = json!({"title": "Contact", "markup": markup, "settings": {"spam_checks": [check]}});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    if data.get("email").is_none() {
        data["email"] = json!("ann@example.org");
    }
    let path = format!("/{}", form["slug"].as_str().expect("a slug"));
    let mut request = host.request("POST", &path, Some(data));
    request.principal = None;
    request
        .headers
        .insert("accept".to_owned(), "application/json".to_owned());
    request
        .headers
        .insert("user-agent".to_owned(), "Browser/1".to_owned());
    let response = host.visit(request);
    assert_eq!(
        response.status, 200,
        "the response to spam looks like success"
    );
    let (_, submissions) = host.send("GET", "/submissions?status=any", None);
    submissions[0].clone()
}

fn response(body: &str, header: Option<(&str, &str)>) -> IncomingResponse {
    let headers = header.map(|(name, value)| (name.to_owned(), value.to_owned()));
    IncomingResponse {
        status: 200,
        headers: headers.into_iter().collect(),
        body: body.as_bytes().to_vec(),
    }
}

fn sent_form(host: &mut Host) -> (String, BTreeMap<String, String>) {
    let request = host.requests.pop().expect("a request");
    let body = request.body.expect("a body");
    (
        request.url,
        form_urlencoded::parse(&body).into_owned().collect(),
    )
}

#[test]
fn links_and_deny_list_words_are_counted() {
    let rows = [
        (
            json!({"type": "links"}),
            "see http://a.example and HTTPS://b.example",
            None,
        ),
        (
            json!({"type": "links"}),
            "http://a http://b http://c",
            Some("links:3"),
        ),
        (
            json!({"type": "links", "max": "0"}),
            "http://a",
            Some("links:1"),
        ),
        (
            json!({"type": "deny_list", "words": "casino\n\n viagra "}),
            "a quiet message",
            None,
        ),
        (
            json!({"type": "deny_list", "words": "casino\nviagra"}),
            "buy VIAGRA",
            Some("deny_list"),
        ),
        (
            json!({"type": "deny_list", "words": "browser/1"}),
            "hello",
            Some("deny_list"),
        ),
        (
            json!({"type": "deny_list", "words": "192.0.2.7"}),
            "hello",
            Some("deny_list"),
        ),
        (
            json!({"type": "unknown"}),
            "http://a http://b http://c",
            None,
        ),
    ];
    for (check, message, reason) in rows {
        let submission = submit(&mut Host::new(), check.clone(), json!({"message": message}));
        assert_eq!(submission["is_spam"], reason.is_some(), "{check} {message}");
        let reasons: Vec<&str> = reason.into_iter().collect();
        assert_eq!(submission["spam_reasons"], json!(reasons));
    }
}

#[test]
fn a_deny_list_matches_whole_words_unless_an_entry_has_a_wildcard() {
    // Columns: entry, texts that match, texts that do not.
    let rows: &[(&str, &[&str], &[&str])] = &[
        (
            "casino",
            &["Casino!", "a casino-bonus", "CASINO_1"],
            &["casinos", "ocasino", "casi no"],
        ),
        (
            "casino*",
            &["casino", "Casinos", "online casinos"],
            &["ocasino"],
        ),
        ("*casino", &["casino", "ocasino"], &["casinos"]),
        ("*sino*", &["casinos", "sino"], &["sin o"]),
        ("  *  ", &[], &["anything * here"]),
        (
            "cheap pills",
            &["Buy cheap\n  pills now"],
            &["cheap blue pills", "cheap pillsx"],
        ),
        ("cheap pill*", &["cheap pills"], &["dear pills"]),
        ("ana", &["banana ana"], &["banana"]),
        ("a a", &["xa a a"], &["xa ax"]),
        ("café", &["CAFÉ", "cafe", "cafe\u{301}"], &["cafes"]),
        ("strasse", &["Straße"], &[]),
        ("$$$", &["win $$$ now", "win$$$"], &["$$"]),
        ("赌博", &["网上赌博游戏"], &["赌 博"]),
        (
            "evil.com",
            &[
                "http://evil.com/x",
                "www.evil.com",
                "me@evil.com",
                "Visit evil.com.",
            ],
            &[
                "notevil.com",
                "not-evil.com",
                "evil.com.au",
                "evil.community",
                "evil-com",
            ],
        ),
        ("*@evil.com", &["me@evil.com"], &["me@mail.evil.com"]),
        (
            "@evil.com",
            &["me@evil.com"],
            &["me@mail.evil.com", "evil.com"],
        ),
        (
            "ada@evil.com",
            &["Ada@Evil.com", "<ada@evil.com>", "mailto:ada@evil.com"],
            &[
                "grenada@evil.com",
                "x.ada@evil.com",
                "x-ada@evil.com",
                "ada@evil.com.br",
            ],
        ),
        (
            "münchen.de",
            &["ada@xn--mnchen-3ya.de", "https://MÜNCHEN.de"],
            &["ada@koeln.de"],
        ),
        (
            "ada@xn--mnchen-3ya.de",
            &["ada@münchen.de"],
            &["bob@münchen.de"],
        ),
        ("192.0.2.7", &["the visitor's own"], &[]),
        ("192.0.2.*", &["the visitor's own"], &[]),
        ("::ffff:192.0.2.7", &["the visitor's own"], &[]),
        ("192.0.2", &[], &["hello"]),
        ("2.0.2.7", &[], &["hello"]),
        (
            "203.0.113.9",
            &["from 203.0.113.9.", "203.0.113.9:80"],
            &[
                "203.0.113.91",
                "1203.0.113.9",
                "203.0.113.9.1",
                "4.203.0.113.9",
            ],
        ),
        (
            "2001:db8::1",
            &["at 2001:DB8::1!"],
            &["2001:db8::12", "2001:db8::1:5"],
        ),
        ("browser", &["hello"], &[]),
        ("rowser", &[], &["hello"]),
    ];
    for (entry, found, not_found) in rows {
        let texts = found.iter().map(|text| (*text, true));
        let texts = texts.chain(not_found.iter().map(|text| (*text, false)));
        for (text, is_spam) in texts {
            let words = format!("zebra\r\n{entry}\n\nquagga");
            let check = json!({"type": "deny_list", "words": words});
            let submission = submit(&mut Host::new(), check, json!({"message": text}));
            assert_eq!(submission["is_spam"], is_spam, "{entry:?} in {text:?}");
        }
    }
}

#[test]
fn a_long_deny_list_checks_a_long_text_in_bounded_time() {
    let words: Vec<String> = (0..9_000).map(|number| format!("denied{number}")).collect();
    let text = "an innocent word and another ".repeat(3_000);
    let check = json!({"type": "deny_list", "words": words.join("\n")});
    let started = crate::stopwatch::Stopwatch::start();
    let submission = submit(&mut Host::new(), check, json!({"message": text}));
    assert_eq!(submission["is_spam"], false);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_captcha_is_verified_with_its_service() {
    let services = [
        (
            "turnstile",
            "cf-turnstile-response",
            "https://challenges.cloudflare.com/turnstile/v0/siteverify",
        ),
        (
            "hcaptcha",
            "h-captcha-response",
            "https://api.hcaptcha.com/siteverify",
        ),
        (
            "recaptcha",
            "g-recaptcha-response",
            "https://www.google.com/recaptcha/api/siteverify",
        ),
    ];
    for (kind, input, url) in services {
        let check = json!({"type": kind, "secret": "captcha-secret"});
        let mut host = Host::new();
        host.responses
            .push(Ok(response("{\"success\":true,\"score\":0.9}", None)));
        let submission = submit(
            &mut host,
            check.clone(),
            json!({input: "token-1", "message": "hi"}),
        );
        assert_eq!(submission["is_spam"], false, "{kind}");
        assert_eq!(
            submission["data"],
            json!({"email": "ann@example.org", "message": "hi"})
        );
        let (sent_to, form) = sent_form(&mut host);
        assert_eq!(sent_to, url);
        let expected = [
            ("remoteip", "192.0.2.7"),
            ("response", "token-1"),
            ("secret", "captcha-secret"),
        ];
        let form: Vec<(&str, &str)> = form
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(form, expected);

        let mut host = Host::new();
        host.responses.push(Ok(response(
            "{\"success\":false,\"error-codes\":[\"timeout-or-duplicate\"]}",
            None,
        )));
        let submission = submit(&mut host, check.clone(), json!({input: "token-1"}));
        assert_eq!(submission["spam_reasons"], json!([kind]));

        let mut host = Host::new();
        let submission = submit(&mut host, check, json!({"message": "hi"}));
        assert_eq!(
            submission["spam_reasons"],
            json!([format!("{kind}_missing")])
        );
        assert!(host.requests.is_empty());
    }
}

#[test]
fn a_low_score_is_spam() {
    for (least, is_spam) in [(json!(null), true), (json!("0.2"), false)] {
        let mut host = Host::new();
        host.responses
            .push(Ok(response("{\"success\":true,\"score\":0.3}", None)));
        let check = json!({"type": "recaptcha", "secret": "s", "min_score": least});
        let submission = submit(&mut host, check, json!({"g-recaptcha-response": "t"}));
        assert_eq!(submission["is_spam"], is_spam);
    }
}

#[test]
fn akismet_gets_the_documented_request() {
    for (body, header, spam) in [
        ("false", None, false),
        ("true", None, true),
        ("true", Some(("x-akismet-pro-tip", "discard")), true),
        ("invalid", None, false),
    ] {
        let mut host = Host::new();
        host.responses.push(Ok(response(body, header)));
        let check = json!({"type": "akismet", "api_key": "key-1"});
        let submission = submit(&mut host, check, json!({"message": "hello"}));
        assert_eq!(submission["is_spam"], spam, "{body}");
        let (url, form) = sent_form(&mut host);
        assert_eq!(url, "https://rest.akismet.com/1.1/comment-check");
        assert_eq!(form["api_key"], "key-1");
        assert_eq!(form["blog"], "http://localhost");
        assert_eq!(form["user_ip"], "192.0.2.7");
        assert_eq!(form["user_agent"], "Browser/1");
        assert_eq!(form["comment_type"], "contact-form");
        assert_eq!(form["comment_author_email"], "ann@example.org");
        assert!(form["comment_content"].contains("hello"));
    }
}

#[test]
fn an_unavailable_service_marks_nothing_as_spam() {
    let mut host = Host::new();
    host.responses.push(Err(PortError {
        port: "http".to_owned(),
        code: "timeout".to_owned(),
        message: "no answer".to_owned(),
    }));
    let submission = submit(
        &mut host,
        json!({"type": "akismet", "api_key": "key-1"}),
        json!({"message": "x"}),
    );
    assert_eq!(submission["is_spam"], false);
}

#[test]
fn the_secret_of_a_check_is_masked_and_kept() {
    let mut host = Host::new();
    submit(
        &mut host,
        json!({"type": "turnstile", "secret": "captcha-secret"}),
        json!({}),
    );
    let (_, forms) = host.send("GET", "/forms", None);
    let checks = forms[0]["settings"]["spam_checks"].clone();
    assert_eq!(checks[0]["secret"], MASK);
    let path = format!("/forms/{}", forms[0]["id"]);
    host.send(
        "PATCH",
        &path,
        Some(json!({"settings": {"spam_checks": checks}})),
    );
    let stored: String = host
        .database
        .query_row("SELECT settings FROM cf_forms", [], |row| row.get(0))
        .expect("settings");
    assert!(
        stored.contains("sealed:1:") && !stored.contains("captcha-secret"),
        "{stored}"
    );
}

#[test]
fn a_check_without_a_type_is_rejected_and_an_unknown_one_reported() {
    let mut host = Host::new();
    let body = |checks: Value| json!({"title": "Contact", "settings": {"spam_checks": checks}});
    let (status, error) = host.send("POST", "/forms", Some(body(json!([{"max": 2}, "links"]))));
    assert_eq!(status, 400, "{error}");
    let details = &error["data"]["details"];
    assert!(
        details["settings.spam_checks[0].type"].is_object()
            && details["settings.spam_checks[1]"].is_object(),
        "{error}"
    );
    for (kind, warning) in [
        ("turnstyle", Some("unknown spam check \"turnstyle\"")),
        ("links", None),
        ("akismet", None),
    ] {
        let check = json!([{"type": kind, "api_key": "k"}]);
        let request = host.request("POST", "/cf/v1/forms", Some(body(check)));
        let response = host.handle(request);
        assert_eq!(response.status, 201);
        assert_eq!(response.header("x-cf-warning"), warning, "{kind}");
    }
}
