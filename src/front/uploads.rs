//! Uploaded files: recorded, then stored with the host, before their submission; taken back if that
//! fails.

use serde_json::json;

use super::input::Sent;
use super::outcome::{self, Refused};
use crate::error::Error;
use crate::forms::{Form, FormSchema};
use crate::logic::validate::{AnswerFault, clean_filename, upload_message};
use crate::store::uploads;
use crate::submissions::{StoredFile, remove_files};
use crate::task::{self, Context, Port};

/// Stores the files at these places of what was sent. On failure none is left, and the answer
/// names the field whose file could not be stored.
pub async fn store(
    cx: &Context,
    form_id: i64,
    sent: &Sent,
    places: &[usize],
    submission_uuid: &str,
) -> Result<Result<Vec<StoredFile>, String>, Error> {
    let mut files = Vec::with_capacity(places.len());
    let mut puts = Vec::with_capacity(places.len());
    for place in places {
        let (Some(file), Some(content)) = (sent.input.files.get(*place), sent.contents.get(*place))
        else {
            continue;
        };
        let stored = StoredFile {
            field: file.field.clone(),
            filename: clean_filename(&file.filename),
            content_type: media_type(&file.content_type),
            size: file.size,
            key: format!(
                "submissions/{submission_uuid}/{}",
                crate::security::random::token(8)?
            ),
        };
        puts.push((stored.key.clone(), stored.content_type.clone(), content));
        files.push(stored);
    }
    // Nothing is recorded that no host could store: nobody would forget it.
    if let (Some(file), false) = (files.first(), cx.has(Port::Files)) {
        let field = file.field.clone();
        tell(cx, &field, "this host stores no files").await;
        return Ok(Err(field));
    }
    uploads::record(cx, form_id, &files).await?;
    let puts = puts.into_iter();
    let outcomes = task::all(puts.map(|(key, content_type, content)| async move {
        cx.put_file(&key, &content_type, content.clone()).await
    }))
    .await;
    let failed = outcomes.iter().zip(&files).find_map(|(outcome, file)| {
        let error = outcome.as_ref().err()?;
        Some((file.field.clone(), error.to_string()))
    });
    let Some((field, reason)) = failed else {
        return Ok(Ok(files));
    };
    tell(cx, &field, &reason).await;
    remove_files(cx, &keys(&files)).await;
    Ok(Err(field))
}

/// The refusal of a submit whose file could not be stored.
pub async fn refusal(cx: &Context, form: &Form, schema: &FormSchema, field: &str) -> Refused {
    let text = outcome::message(cx, form, "file_upload_error").await;
    let fault = AnswerFault {
        field: field.to_owned(),
        part: None,
        code: "file_upload_error".into(),
        message: upload_message(&text, schema.field(field), field),
    };
    Refused::for_faults(cx, form, vec![fault]).await
}

/// The keys of stored files.
pub fn keys(files: &[StoredFile]) -> Vec<String> {
    files.iter().map(|file| file.key.clone()).collect()
}

async fn tell(cx: &Context, field: &str, reason: &str) {
    let fields = json!({"field": field, "error": reason});
    cx.log("error", "an uploaded file could not be stored", fields)
        .await;
}

/// The media type that a browser gave, if it is one; else that of any bytes.
fn media_type(given: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "!#$&-^_.+/".contains(c);
    let kind = given.split(';').next().unwrap_or_default().trim();
    if kind.len() <= 100 && kind.split('/').count() == 2 && kind.chars().all(plain) {
        kind.to_ascii_lowercase()
    } else {
        "application/octet-stream".to_owned()
    }
}
