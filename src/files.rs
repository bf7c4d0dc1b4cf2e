//! Uploaded files: the response with a file, and the removal of unreferenced files.

use model::StoredFile;
use model::file_types::{ANY_BYTES, shown_picture};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::http::Response;
use crate::store::{StoreError, uploads};
use crate::task::{self, Context, Port, PortError};

/// Limit on the files that are removed concurrently.
const BATCH_SIZE: usize = 16;

/// Limit on the abandoned files that one step of the purge removes.
const STEP_SIZE: i64 = 100;

/// The ASCII characters of a file's name that are percent-encoded in a header. All other ASCII characters belong to
/// `attr-char` of RFC 8187, the characters that need no encoding.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'-');

/// Builds the response with a file; `None` if the host no longer has the file. With `inline`, browsers show a picture.
/// Otherwise, browsers download the file. Browsers never run a file, whatever type is stored.
pub async fn file_response(
    cx: &Context,
    file: &StoredFile,
    inline: bool,
) -> Result<Option<Response>, PortError> {
    let Some(first) = cx.open_file(&file.key).await? else {
        return Ok(None);
    };
    let picture = shown_picture(&file.filename, &first).filter(|_| inline);
    let name = utf8_percent_encode(&file.filename, &ESCAPED);
    let disposition = if picture.is_some() {
        "inline"
    } else {
        "attachment"
    };
    let mut response = Response::of(200, picture.unwrap_or(ANY_BYTES), Vec::new())
        .with_header("content-length", file.size.to_string())
        .with_header(
            "content-disposition",
            format!("{disposition}; filename*=UTF-8''{name}"),
        )
        .with_header("x-content-type-options", "nosniff")
        .with_header("content-security-policy", "sandbox; default-src 'none'")
        .with_header("cache-control", "private, no-store");
    response.opened_file = true;
    Ok(Some(response))
}

/// Removes up to `STEP_SIZE` abandoned files: files of deleted forms and submissions, and files that no submission
/// kept. Files that are already marked as abandoned come first. Within each group, older files come first. Postpones
/// files that cannot be removed. Returns whether more files may be left.
pub async fn remove_abandoned(cx: &Context) -> Result<bool, StoreError> {
    if !cx.has(Port::Files) {
        return Ok(false);
    }
    let keys = uploads::abandoned(cx, STEP_SIZE).await?;
    if remove_files(cx, &keys).await > 0 {
        uploads::postpone(cx, &keys).await?;
    }
    Ok(i64::try_from(keys.len()).is_ok_and(|len| len >= STEP_SIZE))
}

/// Removes unreferenced files, and the records of these files. Failures are logged, and a later purge tries again.
/// Returns the number of files that could not be removed.
pub async fn remove_files(cx: &Context, keys: &[String]) -> usize {
    let mut left = 0;
    if !cx.has(Port::Files) {
        return keys.len();
    }
    for keys in keys.chunks(BATCH_SIZE) {
        let outcomes = task::all(keys.iter().map(|key| cx.delete_file(key))).await;
        let mut removed = Vec::with_capacity(keys.len());
        for (key, outcome) in keys.iter().zip(outcomes) {
            match outcome {
                Ok(()) => removed.push(key.clone()),
                Err(error) => {
                    left += 1;
                    let fields = json!({"key": key, "error": error.to_string()});
                    cx.log("warn", "an unreferenced file could not be deleted", fields)
                        .await;
                }
            }
        }
        if let Err(error) = uploads::forget(cx, &removed).await {
            let fields = json!({"error": error.to_string()});
            cx.log(
                "warn",
                "records of deleted files could not be removed",
                fields,
            )
            .await;
        }
    }
    left
}
