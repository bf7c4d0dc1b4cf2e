//! Validation of files that were uploaded before their submit;
//! `tests/shim/uploads-before-cases.test.ts` runs the same cases over HTTP.

use std::path::Path;

use cf_forms::forms::check::parse_schema;
use cf_forms::forms::messages::messages_over_defaults;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::{Input, UploadedFile};
use cf_forms::logic::validate::{AnswerFault, CleanData, Rules};
use model::file_types::{Content, accepted_extensions, is_rejected_by_name};
use serde_json::{Map, Value, json};

/// Returns a case's input, with its files in place of their tokens.
fn input_of(case: &Value) -> Input {
    let pairs = serde_json::from_value(case["input"]["pairs"].clone()).unwrap();
    let mut input = Input::of_pairs(pairs, Vec::new());
    for field in case["schema"]["fields"].as_array().unwrap() {
        let field = field["name"].as_str().unwrap();
        for token in input.take_tokens(field) {
            let upload = &case["context"]["uploads"][&token];
            let fates = ["expired", "claimed", "foreign"];
            let is_gone = fates.iter().any(|fate| upload[fate] == json!(true));
            input.files.push(UploadedFile {
                field: field.to_owned(),
                filename: upload["filename"].as_str().unwrap_or_default().to_owned(),
                size: upload["size"].as_u64().unwrap_or_default(),
                is_unusable: is_gone || upload.is_null() || upload["field"] != json!(field),
                ..UploadedFile::default()
            });
        }
    }
    input
}

fn validate(schema: &Value, input: &Input) -> Result<CleanData, Vec<AnswerFault>> {
    let schema = parse_schema(schema).unwrap();
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: &messages_over_defaults(&Map::new()),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    rules.validate(input)
}

#[test]
fn every_case_of_stored_files_has_the_expected_outcome() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/fields/uploads.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let name = &case["name"];
        match validate(&case["schema"], &input_of(case)) {
            Ok(clean) => assert_eq!(
                json!(clean.answers.to_map()),
                case["expect"]["data"],
                "{name}"
            ),
            Err(faults) => {
                let expected = case["expect"]["errors"].as_array().unwrap();
                assert_eq!(faults.len(), expected.len(), "{name}: {faults:?}");
                for (fault, expected) in faults.iter().zip(expected) {
                    assert_eq!(json!(fault.field), expected["field"], "{name}");
                    assert_eq!(json!(fault.code), expected["code"], "{name}");
                    let max = expected["max"].as_str().unwrap_or_default();
                    assert!(fault.message.contains(max), "{name}: {}", fault.message);
                }
            }
        }
    }
}

#[test]
fn a_field_accepts_files_up_to_its_limit_and_at_most_twenty() {
    let files = |count: usize| {
        let file = |at: usize| UploadedFile {
            field: "f".to_owned(),
            filename: format!("{at}.pdf"),
            size: 1,
            ..UploadedFile::default()
        };
        Input::of_pairs(Vec::new(), (0..count).map(file).collect())
    };
    for (limit, most) in [
        ("3", 3),
        ("20", 20),
        ("21", 20),
        ("0", 20),
        ("", 20),
        ("x", 20),
    ] {
        let attributes = json!({"multiple": "", "data-max-files": limit});
        let schema = json!({"fields": [{"name": "f", "type": "file", "label": "Files", "attributes": attributes}]});
        assert!(validate(&schema, &files(most)).is_ok(), "{limit}");
        let faults = validate(&schema, &files(most + 1)).unwrap_err();
        assert_eq!(faults[0].code, "file_upload_error");
        let expected = format!("Files: you can add up to {most} files.");
        assert_eq!(faults[0].message, expected);
    }
    let single =
        json!({"fields": [{"name": "f", "type": "file", "attributes": {"data-max-files": "5"}}]});
    let faults = validate(&single, &files(2)).unwrap_err();
    assert!(faults[0].message.ends_with("you can add one file only."));
}

#[test]
fn a_name_is_rejected_only_if_no_content_could_be_accepted() {
    for (name, accept, is_rejected) in [
        ("cv.pdf", ".pdf", false),
        ("cv.docx", ".pdf", true),
        ("shell.pdf.php", ".pdf", true),
        ("page.html", "", true),
        // Without a known extension, the bytes of a picture decide its type.
        ("scan", "image/*", false),
        ("scan.001", "image/*", false),
    ] {
        assert_eq!(is_rejected_by_name(name, accept), is_rejected, "{name}");
    }
    let png = Content::of(b"\x89PNG\r\n\x1a\n");
    assert_eq!(Content::of_stored_type("image/png"), Some(png));
    assert_eq!(Content::of_stored_type("text/plain"), None);
}

#[test]
fn a_page_lists_the_extensions_that_a_field_accepts() {
    assert_eq!(accepted_extensions(".pdf,.PNG"), "png pdf");
    assert_eq!(accepted_extensions("image/jpeg"), "jpg jpeg jpe jfif");
    assert!(accepted_extensions("").contains("docx"));
    assert!(!accepted_extensions("").contains("svg"));
    // If a field also accepts files of unknown types, the page lists no extensions, and only the server checks types.
    for accept in ["*/*", ".step", ".pdf,font/woff2"] {
        assert_eq!(accepted_extensions(accept), "", "{accept}");
    }
}
