//! The metadata of forms, in `cf_form_meta`. If the host has a meta store, it takes over the schemas.
//!
//! The host's store shares no transaction with the database. So the batch that changes a form writes a new schema to
//! `cf_form_meta`. After the hand-over to the host (`src/forms/hand_over.rs`), the schema is deleted from the table.

use super::{Batch, Result, dialect, execute, select, select_one};
use crate::task::{Context, Port};
use model::SCHEMA_META_KEY;

/// The key of the lock on a form's hand-over. The value is the time when the lock expires. Without the lock, an older
/// schema could overwrite a newer one.
const HAND_OVER_UNTIL: &str = "_cf_form_schema_handed_over_until";

/// Duration of the lock, longer than the timeout of a hand-over.
const HAND_OVER_LEASE_MS: i64 = 300_000;

/// The key of an imported form's origin: a list of the format, the form's id in the other system and the time of its
/// creation there.
pub const ORIGIN: &str = "_cf_imported_from";

/// The key that records the import in parts which created a form, and the form's place in the file.
pub const PART: &str = "_cf_import_part";

/// The key of an imported form's field names, by the fields' ids in the other system.
pub const IDS: &str = "_cf_imported_ids";

/// Finds the live forms that were imported from these origins, in the order of the origins.
pub async fn imported(cx: &Context, origins: Vec<String>) -> Result<Vec<Option<i64>>> {
    let mut found = vec![None; origins.len()];
    let listed = dialect(cx).listed("?1");
    let sql = format!(
        "SELECT m.value, f.id FROM cf_forms f JOIN cf_form_meta m ON m.form_id = f.id AND m.name = ?2 \
         WHERE m.value IN (SELECT listed.value FROM {listed}) AND f.trashed_at IS NULL ORDER BY f.id"
    );
    let params = params![json!(origins).to_string(), ORIGIN];
    let rows: Vec<(String, i64)> = select(cx, sql, params).await?;
    for (origin, id) in rows {
        let places = origins.iter().zip(&mut found);
        for (_, place) in places.filter(|(requested, _)| **requested == origin) {
            *place = Some(id);
        }
    }
    Ok(found)
}

/// Reads the value of a form's meta key. The database comes first, since a schema that waits there to be handed over is
/// newer than the host's copy.
pub async fn get(cx: &Context, form_id: i64, name: &str) -> Result<Option<String>> {
    let sql = "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2";
    match select_one(cx, sql, params![form_id, name]).await? {
        None if cx.has(Port::Meta) => Ok(cx.get_meta(form_id, name).await?),
        found => Ok(found),
    }
}

/// Adds a statement that sets a meta key of the form that an earlier statement of the batch changed with `token`.
pub(super) fn add(batch: &mut Batch, token: &str, name: &str, value: &str) {
    batch.add(
        "INSERT INTO cf_form_meta (form_id, name, value) \
         SELECT f.id, ?2, ?3 FROM cf_forms f WHERE f.change_token = ?1 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value",
        params![token, name, value],
    );
}

/// Lists up to `limit` forms whose schemas wait to be handed over.
pub(crate) async fn waiting(cx: &Context, limit: i64) -> Result<Vec<i64>> {
    let sql = "SELECT form_id FROM cf_form_meta WHERE name = ?1 ORDER BY form_id LIMIT ?2";
    select(cx, sql, params![SCHEMA_META_KEY, limit]).await
}

/// A worker's lock on a form's hand-over, with the time when the lock expires.
pub(crate) struct HandOver {
    form_id: i64,
    until: String,
}

/// Takes the lock and returns the waiting schema; `None` when another worker has the lock, or nothing waits.
pub(crate) async fn begin_hand_over(
    cx: &Context,
    form_id: i64,
) -> Result<Option<(HandOver, String)>> {
    let until = (cx.now() + HAND_OVER_LEASE_MS).to_string();
    let mut batch = Batch::new(cx);
    let taken = batch.add(
        "INSERT INTO cf_form_meta (form_id, name, value) \
         SELECT m.form_id, ?2, ?3 FROM cf_form_meta m WHERE m.form_id = ?1 AND m.name = ?5 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value \
           WHERE CAST(cf_form_meta.value AS BIGINT) <= CAST(?4 AS BIGINT)",
        params![form_id, HAND_OVER_UNTIL, &until, cx.now(), SCHEMA_META_KEY],
    );
    let read = batch.add(
        "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2",
        params![form_id, SCHEMA_META_KEY],
    );
    let mut results = batch.run().await?;
    let waiting = results.first::<String>(read)?;
    let waiting = waiting.filter(|_| results.changes(taken) > 0);
    Ok(waiting.map(|schema| (HandOver { form_id, until }, schema)))
}

/// Releases the lock after a failed hand-over.
pub(crate) async fn release_hand_over(cx: &Context, hand_over: &HandOver) -> Result<()> {
    let sql = "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3";
    let params = params![hand_over.form_id, HAND_OVER_UNTIL, &hand_over.until];
    execute(cx, sql, params).await.map(drop)
}

/// The work that remains after a schema was handed over.
pub(crate) enum Remaining {
    /// No work: the lock is released, or another worker has it.
    Nothing,
    /// A newer schema must be handed over under the same lock.
    Newer(String),
    /// The host's copy must be removed, because the form has been deleted.
    Deleted,
}

/// Deletes the schema that was handed over. Releases the lock, unless a newer schema waits.
pub(crate) async fn finish_hand_over(
    cx: &Context,
    hand_over: &HandOver,
    schema: &str,
) -> Result<Remaining> {
    let HandOver { form_id, until } = hand_over;
    let mut batch = Batch::new(cx);
    batch.add(
        "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3 AND EXISTS \
           (SELECT 1 FROM cf_form_meta t WHERE t.form_id = ?1 AND t.name = ?4 AND t.value = ?5)",
        params![*form_id, SCHEMA_META_KEY, schema, HAND_OVER_UNTIL, until],
    );
    batch.add(
        "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3 AND NOT EXISTS \
           (SELECT 1 FROM cf_form_meta m WHERE m.form_id = ?1 AND m.name = ?4)",
        params![*form_id, HAND_OVER_UNTIL, until, SCHEMA_META_KEY],
    );
    let read = batch.add(
        "SELECT m.value FROM cf_forms f LEFT JOIN (cf_form_meta m JOIN cf_form_meta t \
             ON t.form_id = m.form_id AND t.name = ?3 AND t.value = ?4) \
           ON m.form_id = f.id AND m.name = ?2 WHERE f.id = ?1",
        params![*form_id, SCHEMA_META_KEY, HAND_OVER_UNTIL, until],
    );
    let newer: Option<Option<String>> = batch.run().await?.first(read)?;
    Ok(newer.map_or(Remaining::Deleted, |newer| {
        newer.map_or(Remaining::Nothing, Remaining::Newer)
    }))
}

/// Drops the schema of a deleted form from the host's meta store, if the host has one.
pub async fn drop_schema(cx: &Context, form_id: i64) -> Result<()> {
    if cx.has(Port::Meta) {
        cx.delete_meta(form_id, SCHEMA_META_KEY).await?;
    }
    Ok(())
}
