//! Captcha widgets on visitors' pages, and the content security policies that allow them.

use serde_json::{Value, json};

use crate::front_fixture::{make_form, post, text_of, visitor};
use crate::host::Host;

/// Returns a page's HTML and its content security policy.
fn page(host: &mut Host, path: &str) -> (String, String) {
    let request = visitor(host, "GET", path);
    let response = host.visit(request);
    let policy = response
        .header("content-security-policy")
        .expect("a policy");
    (text_of(&response), policy.to_owned())
}

fn form(host: &mut Host, checks: Value) -> String {
    let markup = "<input name=\"name\" required><button>Go</button>";
    make_form(host, markup, json!({"spam_checks": checks})).1
}

/// Returns the sources of a directive.
fn sources<'a>(policy: &'a str, directive: &str) -> Option<&'a str> {
    let mut directives = policy.split("; ");
    directives.find_map(|text| text.strip_prefix(directive)?.strip_prefix(' '))
}

#[test]
fn a_form_with_a_captcha_has_its_widget_and_allows_its_service() {
    let rows = [
        (
            "turnstile",
            "https://challenges.cloudflare.com",
            "https://challenges.cloudflare.com",
        ),
        (
            "hcaptcha",
            "https://hcaptcha.com https://*.hcaptcha.com",
            "https://hcaptcha.com https://*.hcaptcha.com",
        ),
        (
            "recaptcha",
            "https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
            "https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
        ),
    ];
    for (kind, scripts, frames) in rows {
        let mut host = Host::new();
        let check = json!({"type": kind, "site_key": "key\"1", "secret": "captcha-secret"});
        let slug = form(&mut host, json!([check]));
        for path in [format!("/{slug}"), format!("/{slug}/embed")] {
            let (html, policy) = page(&mut host, &path);
            let place = format!(
                "<div class=\"cf-captcha\" data-captcha=\"{kind}\" data-sitekey=\"key&quot;1\" data-message="
            );
            assert!(html.contains(&place), "{html}");
            let words = "<noscript><p class=\"cf-message cf-message-error\">Confirm that you’re human. This check needs JavaScript.</p></noscript>";
            assert!(html.contains(words), "{html}");
            assert!(!html.contains("captcha-secret"), "{html}");
            let (site, others) = sources(&policy, "script-src")
                .unwrap()
                .split_once(' ')
                .unwrap();
            if path.ends_with("/embed") {
                assert_eq!(site, "http://localhost/forms/-/assets/", "{policy}");
            } else {
                assert!(site.starts_with("'nonce-"), "{policy}");
            }
            assert_eq!(others, scripts, "{policy}");
            assert_eq!(sources(&policy, "frame-src"), Some(frames), "{policy}");
            // The services' scripts do not support trusted types.
            assert!(!policy.contains("trusted-types"), "{policy}");
            assert!(html.contains(" data-captchas=\"1\""), "{html}");
            assert!(!policy.contains("unsafe"), "{policy}");
        }
        // The form has the widget after a rejected submit too.
        let request = post(&host, &slug, &[("name", "")]);
        let response = host.visit(request);
        assert_eq!(response.status, 400);
        assert!(text_of(&response).contains("class=\"cf-captcha\""));
    }
}

#[test]
fn other_forms_allow_no_captcha_service() {
    let rows = [
        json!([]),
        json!([{"type": "turnstile", "secret": "s"}, {"type": "turnstile", "site_key": " ", "secret": "s"}]),
        json!([{"type": "akismet", "site_key": "key-1", "api_key": "k"}, {"type": "links", "site_key": "key-1"}]),
    ];
    for checks in rows {
        let mut host = Host::new();
        let slug = form(&mut host, checks.clone());
        let (html, policy) = page(&mut host, &format!("/{slug}"));
        assert!(!html.contains("cf-captcha"), "{checks}");
        let scripts = sources(&policy, "script-src").unwrap();
        assert!(
            scripts.starts_with("'nonce-") && !scripts.contains(' '),
            "{policy}"
        );
        assert!(
            policy.contains("; require-trusted-types-for 'script'; trusted-types cf-forms"),
            "{policy}"
        );
        assert_eq!(sources(&policy, "frame-src"), None, "{checks}");
    }
}

#[test]
fn an_invisible_captcha_names_its_version_and_uses_the_forms_messages() {
    let mut host = Host::new();
    let check = json!({"type": "recaptcha", "site_key": "key-1", "secret": "s", "version": 3});
    let body = json!({
        "title": "Contact", "markup": "<input name=a>", "messages": {"captcha_required": "Bitte <b>bestätigen</b>."},
        "settings": {"spam_checks": [check]},
    });
    let (_, form) = host.send("POST", "/forms", Some(body));
    let path = format!("/{}", form["slug"].as_str().expect("a slug"));
    let (html, _) = page(&mut host, &path);
    assert!(html.contains(" data-version=\"3\""), "{html}");
    assert!(
        html.contains("Bitte &lt;b&gt;bestätigen&lt;/b&gt;."),
        "{html}"
    );
    let place = html.find("cf-captcha").expect("the widget");
    assert!(
        place < html.find("cf-submit").expect("the button"),
        "{html}"
    );
}
