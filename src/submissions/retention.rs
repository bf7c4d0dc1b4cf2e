//! Deleting what forms keep for so many days only: a part of the purge.

use super::remove_files;
use crate::dates::DAY_MS;
use crate::error::Error;
use crate::forms;
use crate::store::forms::next_id;
use crate::store::submissions as store;
use crate::task::Context;

/// How many transactions of a few submissions one step makes at most.
const ROUNDS: usize = 10;

/// Deletes submissions that are older than their forms keep them, with all that hangs on them. Answers
/// whether there may be more.
pub(super) async fn delete_aged(cx: &Context) -> Result<bool, Error> {
    let mut rounds = 0;
    let mut after = 0;
    while let Some(form_id) = next_id(cx, after).await? {
        after = form_id;
        let form = forms::load(cx, form_id).await?;
        let days = form.map_or(0, |form| form.settings().retention_days);
        let days = i64::try_from(days).unwrap_or(0);
        if days == 0 {
            continue;
        }
        let before = cx.now() - days * DAY_MS;
        loop {
            let aged = store::aged(cx, form_id, before).await?;
            if aged.is_empty() && store::forgotten(cx, form_id, before).await? == 0 {
                break;
            }
            store::delete(cx, &aged).await?;
            let files = aged.iter().flat_map(|stored| &stored.submission.files);
            let keys: Vec<String> = files.map(|file| file.key.clone()).collect();
            remove_files(cx, &keys).await;
            rounds += 1;
            if rounds >= ROUNDS {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
