//! Rules for texts, checked by the tables of `tests/cases/model.json`.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::path::Path;

use cf_forms::forms::check::parse_schema;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::Input;
use cf_forms::logic::localized::localized;
use cf_forms::logic::validate::{AnswerCode, Rules};
use cf_forms::logic::{calendar, number, pattern::Pattern};
use cf_forms::security::{counted_address, shortened_address};
use model::addresses::addresses_of;
use model::attributes::{Home, home_of, is_script_address};
use model::messages::{check_messages, default_messages, message_text, messages_over_defaults};
use model::ordered::{Gather, sort_by};
use model::slug::{is_slug, numbered_slug, slug_of};
use model::values::list;
use model::words::{is_beginning, is_term, search_words, terms, words_of};
use model::{Data, FieldType, StoredFile, Submission, dates};
use serde_json::{Map, Value, json};

/// Returns the rows of a table; `{"$repeat": [text, times], "first", "then"}` represents a long text.
fn rows(table: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/model.json");
    let tables: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = tables[table].as_array().unwrap().iter();
    rows.map(|row| match row {
        Value::Array(cells) => cells.iter().map(expanded).collect(),
        row => expanded(row),
    })
    .collect()
}

fn expanded(value: &Value) -> Value {
    let Some([text, times]) = value["$repeat"].as_array().map(Vec::as_slice) else {
        return value.clone();
    };
    let times = usize::try_from(times.as_u64().unwrap()).unwrap();
    let part = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    json!(part("first") + &text.as_str().unwrap().repeat(times) + &part("then"))
}

/// Asserts for each row that the rule maps its first cell to its last.
fn assert_maps<T: Debug>(table: &str, rule: impl Fn(&str) -> T)
where
    Value: From<T>,
{
    for row in rows(table) {
        let text = row[0].as_str().unwrap();
        assert_eq!(Value::from(rule(text)), row[1], "{table}: {text}");
    }
}

/// Asserts that the rule holds for a table's texts, and for none of another's.
fn assert_holds(table: &str, other: &str, rule: impl Fn(&str) -> bool) {
    for (table, expected) in [(table, true), (other, false)] {
        for row in rows(table) {
            let text = row.as_str().unwrap();
            assert_eq!(rule(text), expected, "{table}: {text}");
        }
    }
}

/// Returns the message of the first fault for an answer to the only field `a`, which is required.
fn fault_of(field: &Value, messages: &Value, answer: &Value) -> Option<String> {
    let mut field = field.clone();
    field["name"] = json!("a");
    field["required"] = json!(true);
    let schema = parse_schema(&json!({"fields": [field]})).unwrap();
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: messages.as_object().unwrap(),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    let body = json!({"a": answer});
    let checked = rules.validate(&Input::of_json(body.as_object().unwrap()));
    Some(checked.err()?.swap_remove(0).message)
}

#[test]
fn email_addresses_follow_html() {
    let is = |kind: &str, text: &str| {
        fault_of(&json!({"type": kind}), &json!({}), &json!(text)).is_none()
    };
    assert_holds("emails", "no_emails", |text| is("email", text));
    assert_holds("urls", "no_urls", |text| is("url", text));
}

#[test]
fn patterns_match_the_whole_value_in_linear_time() {
    // Two rounds with more patterns than the cache holds show that it stays correct.
    for round in 0..300 {
        let (pattern, value) = (format!("x{round}"), format!("x{}", round % 200));
        let matches = Pattern::of(&pattern).unwrap().matches(&value);
        assert_eq!(matches, round < 200);
    }
    for row in rows("patterns") {
        let pattern = Pattern::of(row[0].as_str().unwrap()).unwrap();
        let matches = pattern.matches(row[1].as_str().unwrap());
        assert_eq!(json!(matches), row[2], "{:.60}", row.to_string());
    }
    for row in rows("no_patterns") {
        let error = Pattern::of(row.as_str().unwrap()).unwrap_err();
        assert!(error.to_string().len() > 30, "{row}: {error}");
    }
}

#[test]
fn numbers_follow_html() {
    for row in rows("numbers") {
        let text = row[0].as_str().unwrap();
        assert_eq!(number::parse_number(text), row[1].as_f64(), "{text}");
    }
    assert_maps("whole_numbers", |text| {
        number::number_of(text).unwrap().to_string()
    });
    assert!(number::json_number(f64::NAN).is_none());
    for row in rows("steps") {
        let cell = |index: usize| row[index].as_f64().unwrap();
        let is_on = number::is_on_step(cell(0), cell(1), cell(2));
        assert_eq!(json!(is_on), row[3], "{row}");
    }
}

#[test]
fn dates_and_times_follow_the_calendar() {
    let day = |moment: Option<calendar::Moment>| moment.and_then(|moment| moment.day);
    assert_maps("dates", |text| day(calendar::parse_moment(text)));
    assert_maps("times", |text| {
        calendar::parse_moment(text).map(calendar::Moment::milliseconds)
    });
    assert_maps("months", |text| day(calendar::parse_month(text)));
    assert_maps("weeks", |text| day(calendar::parse_week(text)));
    assert_maps("instants", |text| {
        let moment = dates::parse_moment(text).or_else(|| dates::parse_http_date(text));
        moment.map(dates::format_moment)
    });
    for row in rows("moments") {
        let moment = |index: usize| calendar::parse_moment(row[index].as_str().unwrap()).unwrap();
        let order = moment(0).compare(moment(1)).map(|order| match order {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        });
        assert_eq!(json!(order), row[2], "{row}");
    }
}

#[test]
fn words_are_runs_of_letters_and_digits_and_match_by_prefix() {
    assert_maps("searches", search_words);
    assert_maps("terms", |word| {
        terms(word).map(str::to_owned).collect::<Vec<_>>()
    });
    let long = "x".repeat(64);
    let all: Vec<&str> = terms(&long).collect();
    assert_eq!(all.len(), 24);
    let longest = "x".repeat(24);
    assert_eq!(all[22..], [&longest, &long]);
    assert!(is_term(&longest) && !is_term(&(longest + "x")));
    assert!(is_beginning("größe") && !is_beginning("ö"));
}

fn answers(data: &Value, ip_address: &str) -> Submission {
    let data = data.as_object().unwrap().clone();
    Submission {
        ip_address: ip_address.to_owned(),
        data: Data(data.into_iter().collect()),
        ..Submission::default()
    }
}

#[test]
fn answers_and_ip_address_are_indexed_within_limits() {
    let data = json!({"a": ["Red", {"deep": "Blue"}], "b": 4.5, "c": true});
    let words: Vec<String> = words_of(&answers(&data, "192.0.2.7")).into_iter().collect();
    assert_eq!(words, ["0", "192", "2", "4", "5", "7", "blue", "red"]);
    let many: String = (0..100_000).map(|n| format!("w{n} ")).collect();
    let words = words_of(&answers(
        &json!({"a": "x".repeat(1_000_000), "b": many}),
        "",
    ));
    assert_eq!(words.len(), 2_000);
    assert!(words.iter().all(|word| word.chars().count() <= 64));
    assert_eq!(search_words(&many).len(), 20);
}

#[test]
fn email_answers_match_in_any_case_and_texts_that_mention_one_do_not() {
    let data = json!({
        "mail": " Ada@Example.ORG ", "others": ["b@example.org", "c@example.org, d@example.org"],
        "deep": {"first": "e@example.org"},
        "named": "Lovelace, Ada <F@example.org>; \"G\" <g@example.org>\nmailto:h@example.org?subject=x,",
        "link": "<MAILTO:i@example.org>", "text": "Hello, I am x@example.org",
        "more": "x@example.org, and others", "note": "ask f@example.org about it", "handle": "@nobody",
    });
    let found: Vec<String> = addresses_of(&answers(&data, "")).into_iter().collect();
    let letters = ["ada", "b", "c", "d", "e", "f", "g", "h", "i"];
    assert_eq!(found, letters.map(|name| format!("{name}@example.org")));
}

#[test]
fn shortened_ip_addresses_are_anonymous_and_one_network_counts_as_one() {
    assert_maps("shortened_addresses", shortened_address);
    assert_maps("counted_addresses", counted_address);
}

#[test]
fn each_attribute_belongs_to_one_member_and_disguised_script_urls_are_found() {
    for row in rows("homes") {
        let kind = FieldType::parse(row[0].as_str().unwrap()).unwrap();
        let home = home_of(kind, row[1].as_str().unwrap());
        assert_eq!(json!(format!("{home:?}")), row[2], "{row}");
    }
    for row in rows("homeless") {
        let home = home_of(FieldType::Text, row.as_str().unwrap());
        assert!(matches!(home, Home::Nowhere(_)), "{row}");
    }
    assert_holds("script_addresses", "no_script_addresses", is_script_address);
}

#[test]
fn titles_become_slugs() {
    assert_maps("slugs", slug_of);
    for row in rows("slugs") {
        assert!(is_slug(row[1].as_str().unwrap()), "{row}");
    }
    for row in rows("no_slugs") {
        assert!(!is_slug(row.as_str().unwrap()), "{row}");
    }
    assert!(is_slug(&slug_of(&"ß ".repeat(1_000))));
    assert!(is_slug("a_b") && is_slug("2"));
    let numbered = numbered_slug(&"a".repeat(100), 12);
    assert!(numbered.len() == 100 && numbered.ends_with("a-12"));
}

#[test]
fn messages_contain_label_and_bounds_in_the_forms_wording() {
    let german =
        json!({"decimal_mark": ",", "group_mark": ".", "date_format": "{day}.{month}.{year}"});
    assert_maps("localized", |text| {
        localized(text, german.as_object().unwrap())
    });
    assert_eq!(
        localized("2026-05-01T10:30", &Map::new()),
        "2026-05-01 10:30"
    );
    for row in rows("faults") {
        assert_eq!(json!(fault_of(&row[0], &row[1], &row[2])), row[3], "{row}");
    }
}

#[test]
fn a_renamed_answer_neither_replaces_nor_doubles_another() {
    let schema = parse_schema(
        &json!({"fields": [{"name": "a"}, {"name": "b"}], "form_settings": {
            "former_names": {"a": ["x", "y"], "b": ["a"]}, "former_names_taken": {"a": 5},
        }}),
    )
    .unwrap();
    for (revision, stored, read) in [
        (1, "x", "a"),
        (1, "x a", "a b"),
        (1, "a x", "b a"),
        (1, "x b", "a b"),
        (1, "x y", "a y"),
        (1, "x a b", "x a b"),
        (9, "x a", "x a"),
        (9, "a x", "a x"),
        (9, "y b", "a b"),
    ] {
        let names = || stored.split(' ').map(str::to_owned);
        let file = |field| StoredFile {
            field,
            ..StoredFile::default()
        };
        let mut submission = Submission {
            data: Data(names().map(|name| (name.clone(), json!(name))).collect()),
            files: names().map(file).collect(),
            schema_revision: revision,
            ..Submission::default()
        };
        submission.read_by(&schema);
        let answers = submission.data.iter().map(|(name, _)| name);
        assert_eq!(answers.collect::<Vec<_>>().join(" "), read, "{stored}");
        let values = submission.data.iter().map(|(_, value)| value.clone());
        assert!(values.eq(names().map(Value::from)), "{stored}");
        let files = submission.files.iter().map(|file| file.field.as_str());
        assert_eq!(files.collect::<Vec<_>>().join(" "), read, "{stored}");
    }
}

#[test]
fn a_list_without_items_is_json() {
    assert_eq!(list(&[]), "[]");
    assert_eq!(list(&["a".into(), 1.into()]), r#"["a",1]"#);
}

#[test]
fn small_sorts_are_stable_and_keep_the_last_entry_of_a_key() {
    let mut list = vec!["bb", "a", "cc", "", "b", "aa"];
    sort_by(&mut list, |one, other| one.len().cmp(&other.len()));
    assert_eq!(list, ["", "a", "b", "bb", "cc", "aa"]);
    let map: std::collections::BTreeMap<_, _> = [("b", 1), ("a", 2), ("b", 3)].into_iter().gather();
    assert_eq!(Vec::from_iter(map), [("a", 2), ("b", 3)]);
}

#[test]
fn stored_messages_override_the_defaults_and_must_be_texts() {
    let stored = json!({"success": "Merci !", "my_plugin": "Hm."});
    let messages = messages_over_defaults(stored.as_object().unwrap());
    assert_eq!(messages.len(), default_messages().len() + 1);
    assert_eq!(message_text(&messages, "success"), "Merci !");
    assert_eq!(message_text(&messages, "my_plugin"), "Hm.");
    assert_eq!(
        message_text(&messages, "made_up"),
        message_text(&Map::new(), "error")
    );
    for code in AnswerCode::ALL {
        assert!(default_messages().contains_key(code.as_str()), "{code:?}");
    }
    let faults = check_messages(&json!({"success": 1, "error": "a\u{0}b"})).unwrap_err();
    let found = faults.iter().map(|fault| (fault.path.as_str(), fault.code));
    let expected = [
        ("error", "rest_invalid_pattern"),
        ("success", "rest_invalid_type"),
    ];
    assert_eq!(Vec::from_iter(found), expected);
    assert!(check_messages(&json!([])).is_err());
    assert!(check_messages(&json!({"x": "Anything <b>at all</b>"})).is_ok());
}

#[test]
fn paths_and_lists_of_faults_are_limited() {
    let long = "é".repeat(10_000);
    let many: Map<String, Value> = (0..150)
        .map(|n| (format!("{n:03}{long}"), json!(1)))
        .collect();
    let faults = check_messages(&json!(many)).unwrap_err();
    assert_eq!(faults.len(), model::MAX_FAULTS);
    assert_eq!(faults[0].path.chars().count(), 101);
}
