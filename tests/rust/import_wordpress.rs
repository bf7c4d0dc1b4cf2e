//! The export of a whole WordPress site (`tests/cases/imports/wordpress-site.xml`).

use serde_json::{Value, json};

use crate::host::Host;
use crate::import_samples::{compare, compare_reports, exported, file, plain};

fn import(host: &mut Host, content: &str) -> Value {
    let body = json!({ "content": content });
    let (status, imported) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(status, 200, "{imported}");
    imported
}

#[test]
fn a_site_file_gives_forms_submissions_and_the_pages_that_show_forms() {
    let expected: Value = serde_json::from_str(&file("wordpress-site.xml.expected.json")).unwrap();
    let mut host = Host::new();
    let imported = import(&mut host, &file("wordpress-site.xml"));
    let mut faults = Vec::new();
    compare(
        "format",
        &expected["format"],
        &imported["format"],
        &mut faults,
    );
    compare_reports(&expected["report"], &imported["report"], &mut faults);
    let forms = expected["forms"].as_array().unwrap();
    assert_eq!(imported["forms"].as_array().unwrap().len(), forms.len());
    for (index, form) in forms.iter().enumerate() {
        let id = &imported["forms"][index]["id"];
        let mut form = form.clone();
        let mut made = exported(&mut host, id);
        let (_, shown) = host.send("GET", &format!("/forms/{id}"), None);
        made["markup"] = shown["markup"].clone();
        made["status"] = shown["status"].clone();
        for absent in ["slug", "status", "markup", "schema"] {
            if form[absent].is_null() {
                form[absent] = Value::Null;
                made[absent] = Value::Null;
            }
        }
        compare("form", &plain(&form), &plain(&made), &mut faults);
    }
    let id = &imported["forms"][0]["id"];
    let (_, listed) = host.send("GET", &format!("/submissions?form_id={id}"), None);
    let message = &expected["submissions"][0];
    compare(
        "answers",
        &message["answers"],
        &listed[0]["data"],
        &mut faults,
    );
    for name in ["ip_address", "user_agent", "referer_url", "status"] {
        compare(name, &message[name], &listed[0][name], &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_site_is_imported_once() {
    let mut host = Host::new();
    let first = import(&mut host, &file("wordpress-site.xml"));
    assert_eq!(first["forms"][0]["submissions"]["stored"], 1);
    let second = import(&mut host, &file("wordpress-site.xml"));
    assert_eq!(second["forms"][0]["id"], first["forms"][0]["id"]);
    assert_eq!(second["forms"][0]["submissions"]["stored"], 0);
    let (_, forms) = host.send("GET", "/forms", None);
    assert_eq!(forms.as_array().unwrap().len(), 2, "{forms}");
}

#[test]
fn a_site_file_without_forms_is_reported_with_their_places() {
    let page = |content: &str| {
        let post = format!(
            "<item><title>Page</title><content:encoded><![CDATA[{content}]]></content:encoded>\
             <wp:post_id>1</wp:post_id><wp:post_type>page</wp:post_type></item>"
        );
        [
            "<rss><channel><link>https://a.example</link><wp:wxr_version>1.2</wp:wxr_version>",
            &post,
            "</channel></rss>",
        ]
        .concat()
    };
    let mut host = Host::new();
    let named = import(
        &mut host,
        &page("[gravityforms title=false id=7][[wpforms id=\"1\"]] [wpforms]"),
    );
    assert_eq!(named["format"], "wordpress");
    assert_eq!(named["report"].as_array().unwrap().len(), 1, "{named}");
    assert_eq!(named["report"][0]["where"], "Page");
    assert_eq!(
        named["report"][0]["message"],
        "Gravity Forms 7: export it there (Forms → Import/Export)"
    );
    let body = json!({"content": page("No form.")});
    let (status, answer) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(status, 400, "{answer}");
}
