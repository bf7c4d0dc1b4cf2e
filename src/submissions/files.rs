//! The files of submissions.

use serde_json::json;

use crate::store::{StoreError, purge, uploads};
use crate::task::{self, Context, Port};

/// How many files are removed at once.
const AT_ONCE: usize = 16;

/// How many abandoned files one look finds.
const LOOKED_AT: i64 = 100;

/// Deletes a submission that its form does not keep, with its files, once its actions are done.
pub async fn forget_unsaved(cx: &Context, id: i64) -> Result<(), StoreError> {
    let keep = &cx.shared().configuration().keep_days;
    let files = purge::forget_unsaved(cx, id, keep).await?;
    remove_files(cx, &files).await;
    Ok(())
}

/// Removes the files that were left when their submissions went. Walks on past those that cannot be
/// removed, so that they hold up no others.
pub(super) async fn remove_abandoned(cx: &Context) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let (keys, last) = uploads::abandoned(cx, after, LOOKED_AT).await?;
        let Some(last) = last else {
            return Ok(());
        };
        after = last;
        remove_files(cx, &keys).await;
    }
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
