//! The files of submissions.

use serde_json::json;

use crate::store::{StoreError, submissions as store};

use crate::task::{self, Context, Port};

/// How many files are removed at once.
const AT_ONCE: usize = 16;

/// Deletes a submission that its form does not keep, with its files, once its actions are done.
pub async fn forget_unsaved(cx: &Context, id: i64) -> Result<(), StoreError> {
    let files = store::forget_unsaved(cx, id).await?;
    remove_files(cx, &files).await;
    Ok(())
}

/// Deletes what has expired: keys of old submits, limits whose windows are over, and submissions
/// that are not kept and whose worker died before it deleted them.
pub async fn purge_expired(cx: &Context) -> Result<(), StoreError> {
    for id in store::purge_expired(cx).await? {
        forget_unsaved(cx, id).await?;
    }
    Ok(())
}

/// Removes files that nothing refers to any more. One that cannot be removed is logged and left.
pub async fn remove_files(cx: &Context, keys: &[String]) {
    if !cx.has(Port::Files) {
        return;
    }
    for keys in keys.chunks(AT_ONCE) {
        let outcomes = task::all(keys.iter().map(|key| cx.delete_file(key))).await;
        for (key, outcome) in keys.iter().zip(outcomes) {
            if let Err(error) = outcome {
                let fields = json!({"key": key, "error": error.to_string()});
                cx.log("warn", "a file that nothing refers to is left", fields)
                    .await;
            }
        }
    }
}
