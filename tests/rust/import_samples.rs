//! Files of other products (`tests/cases/imports`), each with the forms, submissions and report that its import gives.

use serde_json::{Map, Value, json};

use crate::host::Host;

/// The samples that are forms.
const FORMS: [&str; 14] = [
    "wpforms.json",
    "fluent-forms.json",
    "ninja-forms.nff",
    "forminator.txt",
    "formidable.xml",
    "typeform.json",
    "google-forms.json",
    "jotform.json",
    "tally.json",
    "formio.json",
    "surveyjs.json",
    "rjsf.json",
    "xlsform.csv",
    "xlsform.xlsx",
];

/// The text of a sample; a workbook is base64.
pub(crate) fn file(name: &str) -> String {
    let path = format!("{}/tests/cases/imports/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    if name.ends_with(".xlsx") {
        return base64(&bytes);
    }
    String::from_utf8(bytes).unwrap()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | usize::from(*three.get(at).unwrap_or(&0))
        });
        for at in 0..4 {
            let digit = DIGITS[bits >> (18 - 6 * at) & 63];
            out.push(if at <= three.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    out
}

/// Normalizes the conditions of a form, field or action, and removes empty members.
pub(crate) fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            let mut members: Map<String, Value> = (members.iter())
                .map(|(name, value)| (name.clone(), plain(value)))
                .filter(|(_, value)| !is_empty(value))
                .collect();
            if let Some(Value::Object(conditions)) = members.get("conditions").cloned() {
                let rules = conditions["rules"].as_array().unwrap().clone();
                let mode = conditions.get("match").and_then(Value::as_str);
                let is_hide = conditions["action"] == "hide";
                let listed = match (mode, is_hide) {
                    (Some("any"), false) if rules.len() == 1 => rules.into(),
                    (Some("any"), false) => json!([{"any": rules}]),
                    (_, false) => rules.into(),
                    (Some("any"), true) => {
                        json!([{"any": rules, "action": "hide"}])
                    }
                    (_, true) => json!([{"all": rules, "action": "hide"}]),
                };
                members.insert("conditions".to_owned(), listed);
            }
            if let Some(Value::Array(listed)) = members.get("value").cloned() {
                let listed: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
                members.insert("value".to_owned(), listed.join(",").into());
            }
            if let Some(Value::Array(listed)) = members.get_mut("conditions") {
                for condition in listed {
                    unfold(condition);
                }
            }
            Value::Object(members)
        }
        Value::String(text) => text.replace(".000Z", "Z").into(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

/// A group of one rule becomes that rule, unless the group hides.
fn unfold(condition: &mut Value) {
    let alone = condition["any"].as_array().filter(|rules| rules.len() == 1);
    if let Some([rule]) = alone.map(Vec::as_slice)
        && condition["action"].is_null()
    {
        *condition = rule.clone();
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(on) => !on,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Number(_) => false,
    }
}

/// Compares the expected with the actual value, member by member, so that a failure names the place.
pub(crate) fn compare(place: &str, expected: &Value, actual: &Value, faults: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(one), Value::Object(other)) => {
            for name in one
                .keys()
                .chain(other.keys().filter(|name| !one.contains_key(*name)))
            {
                let (one, other) = (one.get(name), other.get(name));
                let inner = format!("{place}.{name}");
                compare(
                    &inner,
                    one.unwrap_or(&Value::Null),
                    other.unwrap_or(&Value::Null),
                    faults,
                );
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                let name = one["name"]
                    .as_str()
                    .map_or(index.to_string(), str::to_owned);
                compare(&format!("{place}[{name}]"), one, other, faults);
            }
        }
        _ if expected == actual => {}
        _ => faults.push(format!(
            "{place}\n    expected {expected}\n    got      {actual}"
        )),
    }
}

/// The form as in an export, without the members that every form has.
pub(crate) fn exported(host: &mut Host, id: &Value) -> Value {
    let (status, file) = host.send("GET", &format!("/forms/export?ids={id}"), None);
    assert_eq!(status, 200, "{file}");
    let form = &file["forms"][0];
    let mut fields = form["schema"]["fields"].clone();
    for field in fields.as_array_mut().into_iter().flatten() {
        let field = field.as_object_mut().unwrap();
        for name in ["position", "revision", "id"] {
            field.remove(name);
        }
    }
    let mut settings = form["settings"].clone();
    for action in settings["actions"].as_array_mut().into_iter().flatten() {
        let action = action.as_object_mut().unwrap();
        action.remove("action_id");
        if action["action_enabled"] == true {
            action.remove("action_enabled");
        }
    }
    let mut layout = form["schema"]["layout"].clone();
    if layout["type"] == "single" || layout["type"] == "single-page" {
        layout = Value::Null;
    }
    json!({
        "title": form["title"], "slug": form["slug"], "source": form["source"],
        "schema": {"fields": fields, "layout": layout},
        "settings": settings, "messages": form["messages"],
    })
}

/// Compares the notes of a report, in any order. The message of a note must contain the expected `about`.
pub(crate) fn compare_reports(expected: &Value, actual: &Value, faults: &mut Vec<String>) {
    let mut left: Vec<&Value> = actual.as_array().unwrap().iter().collect();
    for note in expected.as_array().unwrap() {
        let about = note["about"].as_str().unwrap_or_default();
        let found = left.iter().position(|other| {
            other["code"] == note["code"]
                && other["where"] == note["where"]
                && other["message"].as_str().unwrap().contains(about)
        });
        match found {
            Some(index) => _ = left.remove(index),
            None => faults.push(format!("missing in the report: {note}")),
        }
    }
    faults.extend(
        left.into_iter()
            .map(|note| format!("unexpected in the report: {note}")),
    );
}

#[test]
fn each_form_of_another_product_gives_the_expected_form_and_report() {
    let mut faults = Vec::new();
    for name in FORMS {
        let expected: Value =
            serde_json::from_str(&file(&format!("{name}.expected.json"))).unwrap();
        let mut host = Host::new();
        let body = json!({"content": file(name)});
        let (status, imported) = host.send("POST", "/forms/import", Some(body));
        assert_eq!(status, 200, "{name}: {imported}");
        let before = faults.len();
        compare(
            "format",
            &expected["format"],
            &imported["format"],
            &mut faults,
        );
        let forms = expected["forms"].as_array().unwrap();
        assert_eq!(
            forms.len(),
            imported["forms"].as_array().unwrap().len(),
            "{name}"
        );
        for (index, form) in forms.iter().enumerate() {
            let mut form = form.clone();
            let mut made = exported(&mut host, &imported["forms"][index]["id"]);
            if form["slug"].is_null() {
                made["slug"] = Value::Null;
            }
            if form["schema"]["layout"].is_null() {
                form["schema"]["layout"] = Value::Null;
            }
            compare("form", &plain(&form), &plain(&made), &mut faults);
        }
        compare_reports(&expected["report"], &imported["report"], &mut faults);
        if let Some(first) = faults.get_mut(before) {
            first.insert_str(0, &format!("{name}\n"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The samples with submissions, each with the sample of its form, if there is one.
const SUBMISSIONS: [(&str, &str); 10] = [
    ("fluent-forms-entries.json", "fluent-forms.json"),
    ("jotform-submissions.json", "jotform.json"),
    ("tally-submissions.json", "tally.json"),
    ("wpforms-entries.csv", "wpforms.json"),
    ("google-forms-responses.csv", "google-forms.json"),
    ("typeform-responses.json", "typeform.json"),
    ("gravity-entries.json", ""),
    ("gravity-entries.csv", ""),
    ("flamingo.csv", ""),
    ("submissions.csv", ""),
];

/// Creates the form that receives a sample's submissions; returns its id.
fn form_for(host: &mut Host, expected: &Value, form: &str) -> Value {
    let content = if form.is_empty() {
        let read = &expected["needs"]["form_read"];
        json!({"format": "cf-forms", "version": 1, "forms": [read]}).to_string()
    } else {
        file(form)
    };
    let body = json!({ "content": content });
    let (status, made) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(status, 200, "{made}");
    made["forms"][0]["id"].clone()
}

#[test]
fn each_file_of_submissions_gives_the_expected_answers_and_report() {
    let mut faults = Vec::new();
    for (name, form) in SUBMISSIONS {
        let expected: Value =
            serde_json::from_str(&file(&format!("{name}.expected.json"))).unwrap();
        let needs = &expected["needs"];
        let mut host = Host::new();
        let id = form_for(&mut host, &expected, form);
        let mut body = json!({"content": file(name)});
        let is_named = !form.is_empty() && expected["submissions"][0]["form"]["id"].is_string();
        if !is_named {
            body["form_id"] = id.clone();
        }
        if needs["mapping"].is_object() {
            body["mapping"] = needs["mapping"].clone();
        }
        if let Some("UTC" | "UTC in this sample") = needs["time_zone"].as_str() {
            body["time_zone"] = "UTC".into();
        }
        let (status, imported) = host.send("POST", "/forms/import", Some(body.clone()));
        assert_eq!(status, 200, "{name}: {imported}");
        let before = faults.len();
        compare(
            "format",
            &expected["format"],
            &imported["format"],
            &mut faults,
        );
        compare_reports(&expected["report"], &imported["report"], &mut faults);
        let count = expected["submissions"].as_array().unwrap().len();
        let outcome = &imported["forms"][0]["submissions"];
        assert_eq!(outcome["stored"], count, "{name}: {imported}");
        let path = format!("/submissions?form_id={id}&per_page=100&status=new,read,spam");
        let (status, listed) = host.send("GET", &path, None);
        assert_eq!(status, 200, "{listed}");
        let listed = listed.as_array().unwrap();
        assert_eq!(listed.len(), count, "{name}");
        let all = expected["submissions"].as_array().unwrap();
        for submission in all {
            compare_submission(submission, all, listed, &mut faults);
        }
        let (_, again) = host.send("POST", "/forms/import", Some(body));
        assert_eq!(
            again["forms"][0]["submissions"]["stored"], 0,
            "{name}: {again}"
        );
        if let Some(first) = faults.get_mut(before) {
            first.insert_str(0, &format!("{name}\n"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the time of a submission, without its zone.
fn moment(submission: &Value) -> Option<String> {
    let at = submission["submitted_at"].as_str()?;
    Some(at.trim_end_matches('Z').to_owned())
}

/// Compares a submission with the stored one of the same time. A submission without a time is compared with the stored
/// one whose time no other submission has.
fn compare_submission(expected: &Value, all: &[Value], listed: &[Value], faults: &mut Vec<String>) {
    let others: Vec<String> = all.iter().filter_map(moment).collect();
    let moment = moment(expected);
    let found = listed.iter().find(|stored| {
        let at = stored["submitted_at"].as_str().unwrap();
        match &moment {
            Some(moment) => at.starts_with(moment),
            None => !others.iter().any(|other| at.starts_with(other)),
        }
    });
    let Some(stored) = found else {
        faults.push(format!("no submission of {moment:?} in {listed:?}"));
        return;
    };
    for member in ["status", "starred", "user_agent"] {
        if !expected[member].is_null() {
            compare(member, &expected[member], &stored[member], faults);
        }
    }
    for (name, answer) in expected["answers"].as_object().unwrap() {
        let mut answer = answer.clone();
        // The text of a consent is kept as visitors read it.
        let read = answer["text"].as_str().map(model::links::without_links);
        if let Some(text) = read.map(std::borrow::Cow::into_owned) {
            answer["text"] = text.into();
        }
        compare(name, &plain(&answer), &plain(&stored["data"][name]), faults);
    }
}
