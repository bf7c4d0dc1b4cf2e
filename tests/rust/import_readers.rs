//! Each reader takes linear time. For each of the six longest lists in a JSON sample, the test compares the times for
//! 60 and for 600 items. In other samples, it repeats the rows or elements 3 and 30 times.

use std::time::{Duration, Instant};

use ::import::read_as_json;
use serde_json::{Map, Value};

/// Sizes of a list: the larger is ten times the smaller.
const SIZES: [usize; 2] = [60, 600];

/// The largest ratio of times that counts as linear. It is above 10, because other processes disturb the measurement.
const MAX_GROWTH: u32 = 35;

/// Additional time that the larger reading may take.
const SLACK: Duration = Duration::from_millis(300);

/// Number of attempts, of which one must be fast enough.
const ATTEMPTS: usize = 4;

/// Limit on the lists that the test makes longer in one sample, starting with the longest.
const MAX_LISTS: usize = 6;

const OPTIONS: &str = r#"{"forms": {"": {"fields": [{"name": "email", "type": "email", "label": "Email"}, {"name": "topics", "type": "checkbox", "label": "Topics", "options": [{"value": "a", "label": "A"}]}]}}}"#;

fn samples() -> Vec<(String, String)> {
    let folder = format!("{}/tests/cases/imports", env!("CARGO_MANIFEST_DIR"));
    let names = std::fs::read_dir(folder).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter(|name| !name.ends_with(".expected.json"))
        .collect();
    names.sort();
    // Workbooks are left out: they are zips, and the reader limits the number and the size of a zip's parts.
    names.retain(|name| !name.ends_with(".xlsx"));
    let text = |name: &String| crate::import_samples::file(name);
    names
        .iter()
        .map(|name| (name.clone(), text(name)))
        .collect()
}

/// The places of lists in a file: arrays, and objects whose members are numbered.
fn lists(value: &Value, place: &mut Vec<String>, found: &mut Vec<(usize, Vec<String>)>) {
    let is_numbered = |members: &Map<String, Value>| {
        !members.is_empty() && members.keys().all(|name| name.parse::<u32>().is_ok())
    };
    let is_list = match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => is_numbered(members),
        _ => false,
    };
    if is_list {
        found.push((value.to_string().len(), place.clone()));
    }
    let mut walk = |name: String, item: &Value| {
        place.push(name);
        lists(item, place, found);
        place.pop();
    };
    match value {
        Value::Array(items) => (0..)
            .zip(items)
            .for_each(|(at, item): (usize, _)| walk(at.to_string(), item)),
        Value::Object(members) => members
            .iter()
            .for_each(|(name, item)| walk(name.clone(), item)),
        _ => {}
    }
}

/// Returns the file with the list repeated up to `size` items.
fn grown(file: &Value, place: &[String], size: usize) -> String {
    let mut file = file.clone();
    let mut at = &mut file;
    for name in place {
        at = match at {
            Value::Array(items) => &mut items[name.parse::<usize>().unwrap()],
            other => &mut other[name.as_str()],
        };
    }
    match at {
        Value::Array(items) => *items = items.iter().cycle().take(size).cloned().collect(),
        Value::Object(members) => {
            let values: Vec<Value> = members.values().cloned().collect();
            let more = (1..).zip(values.iter().cycle().take(size));
            *members = more
                .map(|(at, value): (usize, _)| (at.to_string(), value.clone()))
                .collect();
        }
        _ => unreachable!(),
    }
    file.to_string()
}

/// Returns the sample with its lines or elements repeated.
fn grown_text(text: &str, size: usize) -> String {
    let repeated = |begin: &str, end: &str| {
        let from = text.find(begin)?;
        let until = from + text[from..].rfind(end)? + end.len();
        let (before, part) = text.split_at(from);
        let (part, after) = part.split_at(until - from);
        Some([before, &part.repeat(size), after].concat())
    };
    let xml = repeated("<field>", "</field>").or_else(|| repeated("<item>", "</item>"));
    xml.unwrap_or_else(|| {
        let (header, rows) = text.split_once('\n').unwrap_or((text, ""));
        let rows = [rows.trim_end(), "\n"].concat();
        [header, "\n", &rows.repeat(size)].concat()
    })
}

fn time(text: &str) -> Duration {
    let run = |options| {
        let begun = Instant::now();
        read_as_json(text, options);
        begun.elapsed()
    };
    let both = || ["{}", OPTIONS].map(run).into_iter().sum();
    let first: Duration = both();
    first.min(both())
}

#[test]
fn every_reader_takes_linear_time() {
    let mut slow = Vec::new();
    for (name, text) in samples() {
        let mut files: Vec<(String, [String; 2])> = Vec::new();
        match serde_json::from_str::<Value>(&text) {
            Ok(file) => {
                let mut found = Vec::new();
                lists(&file, &mut Vec::new(), &mut found);
                found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
                for (_, place) in found.into_iter().take(MAX_LISTS) {
                    let grown = SIZES.map(|size| grown(&file, &place, size));
                    files.push((place.join("."), grown));
                }
            }
            Err(_) => files.push((String::new(), [3, 30].map(|size| grown_text(&text, size)))),
        }
        for (place, [small, large]) in files {
            let is_slow = || {
                let times = [time(&small), time(&large)];
                (times[1] > times[0] * MAX_GROWTH + SLACK).then_some(times)
            };
            // Other work of the machine may slow one attempt.
            let times: Option<Vec<_>> = (0..ATTEMPTS).map(|_| is_slow()).collect();
            if let Some(times) = times {
                slow.push(format!("{name} at {place}: {times:?}"));
            }
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

fn read(text: &str, options: &str) -> Value {
    serde_json::from_str(&read_as_json(text, options)).unwrap()
}

#[test]
fn files_of_other_versions_are_read_or_rejected_with_a_reason() {
    let block = |kind: &str, title: &str| serde_json::json!({"uuid": title, "type": kind, "groupUuid": title, "groupType": kind, "payload": {"html": title}});
    let blocks = [
        block("FORM_TITLE", "Leads"),
        block("TITLE", "Name"),
        block("INPUT_TEXT", "x"),
    ];
    let page = serde_json::json!({"props": {"pageProps": {"name": "Leads", "blocks": blocks}}});
    let of_page = read(&page.to_string(), "{}");
    assert_eq!(of_page[0]["Ok"]["format"], "tally", "{of_page}");
    assert_eq!(of_page[0]["Ok"]["forms"].as_array().unwrap().len(), 1);

    let entry = serde_json::json!({"id": "7", "form_id": "58", "date_created": "2026-01-20 01:15:58", "is_starred": 0, "1": "a@example.org"});
    let one = read(&entry.to_string(), OPTIONS);
    assert_eq!(
        one[0]["Ok"]["submissions"].as_array().unwrap().len(),
        1,
        "{one}"
    );

    let upper = "SURVEY,,,\n,TYPE,NAME,LABEL\n,text,who,Who are you?\n";
    let survey = read(upper, "{}");
    assert_eq!(survey[0]["Ok"]["format"], "xlsform", "{survey}");

    for old in [
        "a:2:{s:2:\"id\";N;s:4:\"data\";a:0:{}}",
        "YTozOntzOjg6InNldHRpbmdzIjthOjA6e319",
    ] {
        let refused = read(old, "{}");
        assert_eq!(refused[0]["Err"]["code"], "unknown_format");
        assert!(
            refused[0]["Err"]["message"]
                .as_str()
                .unwrap()
                .contains("Ninja Forms 2"),
            "{refused}"
        );
    }
}
