//! The files of submissions.

use serde_json::json;

use crate::store::{StoreError, purge, uploads};
use crate::task::{self, Context, Port};

/// How many files are removed at once.
const AT_ONCE: usize = 16;

/// How many abandoned files a step of the purge removes.
const IN_ONE_STEP: i64 = 100;

/// Deletes a submission that its form does not keep, with its files, once its actions are done.
pub async fn forget_unsaved(cx: &Context, id: i64) -> Result<(), StoreError> {
    let keep = &cx.shared().configuration().keep_days;
    let files = purge::forget_unsaved(cx, id, keep).await?;
    remove_files(cx, &files).await;
    Ok(())
}

/// Removes files that were left when their submissions went, or when a submit did not come to its end:
/// so many, the oldest first. What cannot be removed waits behind the others for its next turn. Answers
/// whether there may be more.
pub async fn remove_abandoned(cx: &Context) -> Result<bool, StoreError> {
    if !cx.has(Port::Files) {
        return Ok(false);
    }
    let keys = uploads::abandoned(cx, IN_ONE_STEP).await?;
    if remove_files(cx, &keys).await > 0 {
        uploads::postpone(cx, &keys).await?;
    }
    Ok(i64::try_from(keys.len()).is_ok_and(|len| len >= IN_ONE_STEP))
}

/// Removes files that nothing refers to any more, and forgets them. One that cannot be removed, or
/// forgotten, is logged and tried again by the next purge. Answers how many could not be removed.
pub async fn remove_files(cx: &Context, keys: &[String]) -> usize {
    let mut left = 0;
    if !cx.has(Port::Files) {
        return keys.len();
    }
    for keys in keys.chunks(AT_ONCE) {
        let outcomes = task::all(keys.iter().map(|key| cx.delete_file(key))).await;
        let mut removed = Vec::with_capacity(keys.len());
        for (key, outcome) in keys.iter().zip(outcomes) {
            match outcome {
                Ok(()) => removed.push(key.clone()),
                Err(error) => {
                    left += 1;
                    let fields = json!({"key": key, "error": error.to_string()});
                    cx.log("warn", "a file that nothing refers to is left", fields)
                        .await;
                }
            }
        }
        if let Err(error) = uploads::forget(cx, &removed).await {
            let fields = json!({"error": error.to_string()});
            cx.log("warn", "records of files that are removed are left", fields)
                .await;
        }
    }
    left
}
