//! Stores imported submissions of one form in one batch, each only once.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::stats::Count;
use super::super::submission::Written;
use super::super::timeline::{self, Event};
use super::super::{Batch, Result, answer_names, holds, search, stats};
use crate::security::random::uuid_at;
use crate::task::Context;
use model::analytics::Arrival;
use model::analytics::answers::AnswerCounts;
use model::{Data, StoredFile, Submission};

/// A submission to be imported.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The submission's UUID, which every import of the same submission repeats.
    pub uuid: String,
    /// The submission; its id is ignored.
    pub submission: Submission,
    /// The counters of its answers.
    pub counted: AnswerCounts,
    /// Keyed hashes of the email addresses in its answers.
    pub address_hashes: Vec<String>,
    /// The unique values and the seats that its answers take, as `holds::stored` lists them.
    pub held: String,
    /// A note on the submission; may be empty.
    pub note: String,
}

/// The user who imports submissions, and the import in parts that they belong to, if any.
#[derive(Clone, Copy, Debug)]
pub struct ImportedBy<'a> {
    /// The login of the user who imports.
    pub login: &'a str,
    /// The id of the import in parts, which must be running; 0 for an import in one request.
    pub import_id: i64,
}

/// Stores all submissions that do not exist yet, or none. Returns their number; `None` if the form does not exist.
pub async fn import(
    cx: &Context,
    form_id: i64,
    all: &[Imported],
    by: &ImportedBy<'_>,
) -> Result<Option<u64>> {
    let token = uuid_at(cx.now())?;
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    batch.add_lock(
        "SELECT id FROM cf_forms WHERE id = ?1 FOR KEY SHARE",
        params![form_id],
    );
    let form = batch.add("SELECT id FROM cf_forms WHERE id = ?1", params![form_id]);
    let stored = insert_rows(&mut batch, form_id, all, &token, by.import_id)?;
    let uuids: Vec<&str> = all.iter().map(|imported| imported.uuid.as_str()).collect();
    holds::take(&mut batch, &uuids, &token);
    attach_files(&mut batch, form_id, all, &token);
    let (mut words, mut counts, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for imported in all {
        let (submission, hashes) = (&imported.submission, &imported.address_hashes);
        let status = &submission.status;
        let written = Written::alone(&imported.uuid, &token);
        words.push(search::row(dialect, submission, status, written, hashes));
        let arrival = Arrival::of(submission, false);
        let mut count = Count::arrival(&arrival, submission.submitted_at, 1);
        count.extend(Count::answers(&imported.counted, false, 1));
        count.push(Count::status(&submission.status, 1));
        count.extend(Count::starred(submission.starred, &submission.status, 1));
        counts.push(stats::row(submission.submitted_at, count, written));
        if !imported.note.is_empty() {
            let note = Event {
                kind: "note".to_owned(),
                user: by.login.to_owned(),
                detail: json!({"text": imported.note}),
                at: cx.now(),
            };
            notes.push(timeline::row(written, &note));
        }
        // Most submissions have answers of the same names, so the batch records each name once.
        let mut fresh = submission.data.0.clone();
        fresh.retain(|(name, _)| names.insert(name.clone()));
        let fresh = Submission {
            form_id,
            data: Data(fresh),
            ..Submission::default()
        };
        answer_names::add(&mut batch, &imported.uuid, &fresh);
    }
    search::add_rows(&mut batch, words, 0);
    stats::add_rows(&mut batch, counts, 0);
    timeline::add_rows(&mut batch, notes);
    let results = batch.run_without_timeout().await?;
    Ok(results.has_row(form).then(|| results.changes(stored)))
}

/// Adds statements that attach already fetched files to the new submissions, and add the files' sizes to the form's
/// total.
fn attach_files(batch: &mut Batch, form_id: i64, all: &[Imported], token: &str) {
    let files = all.iter().flat_map(|imported| {
        let files = imported.submission.files.iter();
        files.map(|file| json!([imported.uuid, file.key]))
    });
    let rows = Value::from_iter(files).to_string();
    if rows == "[]" {
        return;
    }
    let of_new = format!(
        "{} JOIN cf_submissions s ON s.uuid = listed.value ->> 0 AND s.change_token = ?2",
        batch.dialect().listed_rows("?1")
    );
    let sum = format!(
        "INSERT INTO cf_upload_totals (form_id, bytes) SELECT CAST(?3 AS BIGINT), CAST(COALESCE(SUM(u.size), 0) AS BIGINT) \
         FROM cf_uploads u WHERE u.submission_id = 0 AND u.file_key IN (SELECT listed.value ->> 1 FROM {of_new}) \
         ON CONFLICT (form_id) DO UPDATE SET bytes = cf_upload_totals.bytes + excluded.bytes"
    );
    let attach = format!(
        "UPDATE cf_uploads SET form_id = ?3, submission_id = (SELECT s.id FROM {of_new} WHERE listed.value ->> 1 = cf_uploads.file_key) \
         WHERE submission_id = 0 AND file_key IN (SELECT listed.value ->> 1 FROM {of_new})"
    );
    for sql in [sum, attach] {
        batch.add(sql, params![&rows, token, form_id]);
    }
}

fn insert_rows(
    batch: &mut Batch,
    form_id: i64,
    all: &[Imported],
    token: &str,
    import_id: i64,
) -> Result<usize> {
    let mut rows = Vec::with_capacity(all.len());
    for imported in all {
        let submission = &imported.submission;
        rows.push(json!([
            imported.uuid,
            submission.status,
            serde_json::to_string(&submission.data)?,
            submission.ip_address,
            submission.user_agent,
            submission.referer_url,
            submission.submitted_at,
            serde_json::to_string(&imported.counted)?,
            i64::from(submission.starred),
            submission.modified_at,
            submission.schema_revision,
            Value::from_iter(submission.files.iter().map(StoredFile::stored)).to_string(),
            imported.held,
        ]));
    }
    let sql = format!(
        "INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, \
           actions_withheld, data, files, ip_address, user_agent, referer_url, page_url, schema_revision, \
           submitted_at, modified_at, counted, starred, trashed_at, held, import_id) \
         SELECT listed.value ->> 0, f.id, listed.value ->> 1, CAST(?3 AS TEXT), 0, 0, '[]', 0, listed.value ->> 2, \
           listed.value ->> 11, listed.value ->> 3, listed.value ->> 4, listed.value ->> 5, '', \
           CAST(listed.value ->> 10 AS BIGINT), CAST(listed.value ->> 6 AS BIGINT), \
           CAST(listed.value ->> 9 AS BIGINT), listed.value ->> 7, CAST(listed.value ->> 8 AS BIGINT), \
           CASE WHEN listed.value ->> 1 = 'trash' THEN CAST(?4 AS BIGINT) END, listed.value ->> 12, CAST(?5 AS BIGINT) \
         FROM {} CROSS JOIN cf_forms f WHERE f.id = ?2 AND (CAST(?5 AS BIGINT) IS NULL OR EXISTS \
           (SELECT 1 FROM cf_imports i WHERE i.id = CAST(?5 AS BIGINT) AND i.state = 'running')) ON CONFLICT (uuid) DO NOTHING",
        batch.dialect().listed_rows("?1")
    );
    let params = params![
        Value::from(rows).to_string(),
        form_id,
        token,
        batch.context.now(),
        Some(import_id).filter(|id| *id > 0)
    ];
    Ok(batch.add(sql, params))
}
