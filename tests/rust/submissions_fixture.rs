//! Fixture of forms and submissions.

use std::cell::OnceCell;

use cf_forms::analytics::Visit;
use cf_forms::http::Principal;
use cf_forms::security::random;
use cf_forms::store::queue::NewEntry;
use cf_forms::store::rate_limits::Gate;
use cf_forms::store::submissions::{Inserted, Key, NewSubmission, insert};
use cf_forms::store::uploads;
use cf_forms::store::{Form, forms};
use cf_forms::submissions::{Data, Submission};
use serde_json::{Value, json};

use crate::host::Host;

/// Creates a form with this slug; returns its id.
pub fn form(host: &mut Host, slug: &str, settings: Value) -> i64 {
    let form = Form {
        title: slug.to_owned(),
        slug: slug.to_owned(),
        settings: serde_json::from_value(settings).unwrap(),
        ..Form::default()
    };
    host.run(async move |cx| {
        let updated_at = cx.now();
        let form = Form { updated_at, ..form };
        forms::insert(&cx, &form, &[], &Principal::default(), true).await
    })
    .unwrap()
    .unwrap()
}

/// Returns a submission of a form with a single answer.
pub fn new(form_id: i64, answer: &str) -> NewSubmission {
    NewSubmission {
        holds: Vec::new(),
        resumed: None,
        counted: Vec::new(),
        uuid: random::uuid().unwrap(),
        submission: Submission {
            form_id,
            status: "new".to_owned(),
            data: Data(vec![("answer".to_owned(), json!(answer))]),
            ip_address: "192.0.2.7".to_owned(),
            schema_revision: 1,
            ..Submission::default()
        },
        saved: true,
        seconds_taken: None,
        visit: Visit::NotStarted,
        key: None,
        address_hashes: Vec::new(),
        gates: Vec::new(),
        entries: Vec::new().into(),
        revision: None,
    }
}

/// Returns a submission that is spam.
pub fn spam(form_id: i64, answer: &str) -> NewSubmission {
    let mut spam = new(form_id, answer);
    spam.submission.status = "spam".to_owned();
    spam.submission.is_spam = true;
    spam.submission.spam_reasons = vec!["honeypot".to_owned()];
    spam
}

/// Adds a key to the submission.
pub fn with_key(mut new: NewSubmission, key: &str, answer: &str) -> NewSubmission {
    new.key = Some(Key {
        hashes: cf_forms::store::submissions::KeyHashes {
            key: key.to_owned(),
            answers: String::new(),
            counts_ms: cf_forms::store::submissions::KEY_RETENTION_MS,
        },
        answer: answer.to_owned(),
    });
    new
}

/// Adds gates to the submission.
pub fn with_gates(mut new: NewSubmission, gates: &[Gate]) -> NewSubmission {
    new.gates = gates.to_vec();
    new
}

/// Adds an email action to the submission.
pub fn with_action(mut new: NewSubmission) -> NewSubmission {
    new.entries = vec![NewEntry {
        action_type: "email".to_owned(),
        action_id: "action-1".to_owned(),
        action_index: 0,
        key: "0".to_owned(),
        settings: "{}".to_owned(),
        priority: 10,
        listed: OnceCell::new(),
    }]
    .into();
    new
}

/// Stores a submission at the host's time.
pub fn store(host: &mut Host, mut new: NewSubmission) -> Inserted {
    new.submission.submitted_at = host.now;
    new.submission.modified_at = host.now;
    let run = async move |cx| {
        let submission = &new.submission;
        for file in &submission.files {
            uploads::record(&cx, submission.form_id, file).await?;
            uploads::received(&cx, submission.form_id, file, 0).await?;
        }
        insert(&cx, &new).await
    };
    host.run(run).unwrap()
}

/// Stores a submission and returns its id.
pub fn stored(host: &mut Host, new: NewSubmission) -> i64 {
    match store(host, new) {
        Inserted::Stored(id) => id,
        other => panic!("not stored: {other:?}"),
    }
}

/// Returns the ids of a list.
pub fn ids(body: &Value) -> Vec<i64> {
    let list = body.as_array().unwrap_or_else(|| panic!("no list: {body}"));
    list.iter()
        .map(|item| item["id"].as_i64().unwrap())
        .collect()
}

/// Returns the count of one query.
pub fn count(host: &Host, sql: &str) -> i64 {
    host.database.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Asserts that the status counters of each form and of the site match the rows.
pub fn assert_counters_agree(host: &Host) {
    let rows = "SELECT COUNT(*) FROM (
        SELECT form_id, status, COUNT(*) AS rows_found FROM cf_submissions GROUP BY form_id, status
        UNION ALL
        SELECT 0, status, COUNT(*) FROM cf_submissions GROUP BY status
        EXCEPT
        SELECT form_id, label, SUM(count) FROM cf_stats WHERE metric = 'status' GROUP BY form_id, label
    )";
    let counters = "SELECT COUNT(*) FROM (
        SELECT form_id, label, SUM(count) FROM cf_stats WHERE metric = 'status'
        GROUP BY form_id, label HAVING SUM(count) <> 0
        EXCEPT
        SELECT * FROM (
            SELECT form_id, status, COUNT(*) FROM cf_submissions GROUP BY form_id, status
            UNION ALL
            SELECT 0, status, COUNT(*) FROM cf_submissions GROUP BY status
        )
    )";
    assert_eq!((count(host, rows), count(host, counters)), (0, 0));
}
