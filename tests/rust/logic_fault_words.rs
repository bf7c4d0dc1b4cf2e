//! Messages of faults, which name the limits in the form's language.

use std::path::Path;

use cf_forms::forms::check::parse_schema;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::{Input, UploadedFile};
use cf_forms::logic::validate::{AnswerFault, Rules};
use serde_json::{Map, Value, json};

/// Returns the messages of a language, overridden by those of the form.
fn texts(language: &str, overrides: &Value) -> Map<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("visitor/languages");
    let text = std::fs::read_to_string(folder.join(format!("{language}.json"))).unwrap();
    let mut texts: Map<String, Value> = serde_json::from_str(&text).unwrap();
    texts.extend(overrides.as_object().unwrap().clone());
    texts
}

fn faults(field: &Value, sent: &Value, messages: &Map<String, Value>) -> Vec<AnswerFault> {
    let schema = parse_schema(&json!({"fields": [field]})).unwrap();
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages,
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    let input = match sent.get("size") {
        Some(size) => {
            let file = UploadedFile {
                field: "a".to_owned(),
                filename: sent["name"].as_str().unwrap().to_owned(),
                content_type: String::new(),
                size: size.as_u64().unwrap(),
                content: None,
                is_unusable: false,
            };
            Input::of_pairs(Vec::new(), vec![file])
        }
        None => Input::of_json(json!({"a": sent}).as_object().unwrap()),
    };
    rules.validate(&input).unwrap_err()
}

#[test]
fn a_message_says_what_is_allowed_in_the_forms_language() {
    let choices = |min: i64, max: i64| json!({"name": "a", "label": "A", "type": "checkbox", "options": ["x", "y", "z"], "validation": {"min": min, "max": max}});
    let several = json!({"name": "a", "label": "A", "type": "select", "options": ["x", "y", "z"], "attributes": {"multiple": ""}, "validation": {"min": 2}});
    let file = |max: u64, accept: &str| json!({"name": "a", "label": "A", "type": "file", "validation": {"max": max}, "attributes": {"accept": accept}});
    let of_size = |size: u64| json!({"name": "x.exe", "size": size});
    let titled = json!({"name": "a", "label": "A", "validation": {"pattern": "[0-9]{5}"}, "attributes": {"title": "Five digits {label}"}});
    let bare = json!({"name": "a", "label": "A", "validation": {"pattern": "[0-9]{5}"}});
    let number =
        json!({"name": "a", "label": "A", "type": "number", "validation": {"max": 12_345.5}});
    let date =
        json!({"name": "a", "label": "A", "type": "date", "attributes": {"min": "2026-01-05"}});
    let none = json!({});
    for (language, field, sent, overrides, expected) in [
        (
            "en",
            &choices(2, 3),
            json!(["x"]),
            &none,
            "A: choose at least 2 options.",
        ),
        (
            "en",
            &date,
            json!("2026-01-04"),
            &json!({"date_format": null}),
            "A: the minimum is 5 January 2026.",
        ),
        (
            "de",
            &choices(2, 3),
            json!(["x"]),
            &none,
            "A: Bitte wählen Sie mindestens 2 Optionen.",
        ),
        (
            "en",
            &choices(1, 2),
            json!(["x", "y", "z"]),
            &none,
            "A: choose no more than 2 options.",
        ),
        (
            "en",
            &choices(0, 1),
            json!(["x", "y"]),
            &none,
            "A: choose only one option.",
        ),
        (
            "en",
            &several,
            json!(["x"]),
            &none,
            "A: choose at least 2 options.",
        ),
        (
            "de",
            &choices(2, 3),
            json!(["x"]),
            &json!({"too_small": "Zu wenig: {min}"}),
            "A: Bitte wählen Sie mindestens 2 Optionen.",
        ),
        (
            "en",
            &choices(2, 3),
            json!(["x"]),
            &json!({"too_small": "Only {min}+"}),
            "Only 2+",
        ),
        (
            "en",
            &choices(2, 3),
            json!(["x"]),
            &json!({"too_small": "Only {min}+", "too_few_choices": "Pick {min}"}),
            "Pick 2",
        ),
        (
            "en",
            &file(2_097_152, ".exe"),
            of_size(3_000_000),
            &none,
            "A: the file can have at most 2 MB.",
        ),
        (
            "de",
            &file(2_500_000, ".exe"),
            of_size(3_000_000),
            &none,
            "A: Die Datei darf höchstens 2,5 MB haben.",
        ),
        (
            "fr",
            &file(512_000, ".exe"),
            of_size(3_000_000),
            &none,
            "A : le fichier ne doit pas dépasser 500 Ko.",
        ),
        (
            "en",
            &file(999, ".exe"),
            of_size(3_000_000),
            &none,
            "A: the file can have at most 999 bytes.",
        ),
        (
            "en",
            &file(1_999_999, ".exe"),
            of_size(3_000_000),
            &none,
            "A: the file can have at most 1.9 MB.",
        ),
        (
            "en",
            &file(10, ".exe"),
            of_size(11),
            &json!({"file_too_large": "Too big."}),
            "Too big.",
        ),
        (
            "en",
            &file(
                10,
                ".pdf, image/*, image/png,application/msword, application/x-own-type",
            ),
            of_size(1),
            &none,
            "A: choose a file of one of these types: .pdf, images, PNG, .doc, application/x-own-type.",
        ),
        (
            "de",
            &file(10, "image/*"),
            of_size(1),
            &none,
            "A: Bitte wählen Sie eine Datei einer dieser Arten: Bilder.",
        ),
        (
            "en",
            &file(10, ".pdf"),
            of_size(1),
            &json!({"file_type_not_allowed": "PDF alone."}),
            "PDF alone.",
        ),
        (
            "en",
            &file(10, ""),
            of_size(1),
            &none,
            "A: choose a file of one of these types: PNG, JPG, JPEG, GIF, WEBP, AVIF, HEIC, PDF, TXT, CSV, RTF, \
             DOC, DOCX, XLS, XLSX, PPT, PPTX, ODT, ODS, ODP, MP3, M4A, WAV, OGG, MP4, MOV, WEBM.",
        ),
        (
            "en",
            &titled,
            json!("x"),
            &none,
            "A: use the requested format: Five digits {label}",
        ),
        (
            "de",
            &titled,
            json!("x"),
            &none,
            "A: Bitte halten Sie das gewünschte Format ein: Five digits {label}",
        ),
        (
            "en",
            &titled,
            json!("x"),
            &json!({"invalid_pattern": "Wrong."}),
            "Wrong.",
        ),
        (
            "en",
            &bare,
            json!("x"),
            &none,
            "A: use the requested format.",
        ),
        (
            "de",
            &number,
            json!("20000"),
            &none,
            "A: Höchstens 12.345,5.",
        ),
        (
            "de",
            &date,
            json!("2026-01-01"),
            &none,
            "A: Mindestens 05.01.2026.",
        ),
    ] {
        // The language's messages apply where the form has none of its own.
        let found = faults(field, &sent, &texts(language, overrides));
        let messages: Vec<&str> = found.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages, [expected], "{language} {field} {sent}");
    }
}
