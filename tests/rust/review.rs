//! Regression tests for the findings of a review.

use serde_json::json;

use crate::host::Host;

#[test]
fn the_url_of_a_field_named_dot_dot_cannot_delete_the_form() {
    let mut host = Host::new();
    host.send("POST", "/forms", Some(json!({"title": "Contact"})));
    for name in [
        ".",
        "..",
        "_cf_time",
        "_submission_key",
        "_wpnonce",
        "_method",
    ] {
        let field = json!({"name": name, "type": "text"});
        let (status, body) = host.send("POST", "/forms/1/fields", Some(field));
        assert_eq!(status, 400, "{name}: {body}");
    }
}

#[test]
fn a_control_with_a_reserved_name_is_dropped_with_a_warning() {
    let mut host = Host::new();
    let markup = "<input name='_cf_time'><input name='..'><label>Email <input name=email></label>";
    host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Contact", "markup": markup})),
    );
    let (status, body) = host.send("POST", "/forms/1/schema/generate?report=true", None);
    assert_eq!(status, 200);
    let names: Vec<&str> = body["schema"]["fields"]
        .as_array()
        .map(|fields| {
            fields
                .iter()
                .filter_map(|field| field["name"].as_str())
                .collect()
        })
        .unwrap_or_default();
    assert_eq!(names, ["email"]);
    assert_eq!(body["warnings"].as_array().map(Vec::len), Some(2), "{body}");
}

#[test]
fn a_form_element_in_the_markup_does_not_end_the_pages_form() {
    let mut host = Host::new();
    let markup = "<form action=/x><input name=a></form>";
    host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Contact", "slug": "c", "markup": markup})),
    );
    let mut request = host.request("GET", "/c", None);
    request.principal = None;
    let page = String::from_utf8(host.visit(request).body).expect("UTF-8");
    assert_eq!(page.matches("<form").count(), 1, "{page}");
    assert_eq!(page.matches("</form>").count(), 1);
    assert!(page.find("type=\"submit\"") < page.find("</form>"));
    let (_, stored) = host.send("GET", "/forms/1", None);
    assert_eq!(stored["markup"], markup);
}

#[test]
fn a_redirect_to_another_site_needs_a_scheme() {
    let mut host = Host::new();
    for (address, status) in [
        ("//other.example/x", 400),
        ("/\\other.example", 400),
        ("https:evil", 400),
        ("javascript:alert(1)", 400),
        ("https://other.example/x y", 400),
        ("https://other.example/x", 201),
        ("/thanks?name=[name]", 201),
        ("thanks.html", 201),
    ] {
        let form = json!({"title": "Contact", "settings": {"redirect_url": address}});
        assert_eq!(
            host.send("POST", "/forms", Some(form)).0,
            status,
            "{address}"
        );
    }
}
