//! The meta of forms: in `cf_form_meta`, or in the host's own meta store where it has one. That store
//! knows no transaction with the database, so what it is to hold is written to `cf_form_meta` with
//! the form's change, and leaves it once it was handed over (`src/forms/hand_over.rs`).

use serde_json::json;

use super::{Batch, StoreError, dialect, execute, select, select_one};
use crate::task::{Context, Port};
use model::SCHEMA_META_KEY;

/// Who hands a form's schema over now: the value is the moment until which nobody else does, so that
/// an older schema never arrives after a newer one.
const TURN: &str = "_cf_form_schema_handed_over_until";

/// How long one worker may take to hand a schema over; longer than it is let.
const TURN_MS: i64 = 300_000;

/// What a form was imported from: the value is a list of its format, its id there and when it was made.
pub(super) const ORIGIN: &str = "_cf_imported_from";

/// The forms that were imported from these origins, and are still there.
pub async fn imported(cx: &Context, origins: Vec<String>) -> Result<Vec<Option<i64>>, StoreError> {
    let mut found = vec![None; origins.len()];
    let listed = dialect(cx).listed("?1");
    let sql = format!(
        "SELECT m.value, f.id FROM cf_forms f JOIN cf_form_meta m ON m.form_id = f.id AND m.name = ?2 \
         WHERE m.value IN (SELECT listed.value FROM {listed}) ORDER BY f.id"
    );
    let params = vec![json!(origins).to_string().into(), ORIGIN.into()];
    for mut row in select(cx, sql, params).await? {
        let (origin, id) = (row.text(0)?, row.integer(1)?);
        let places = origins.iter().zip(&mut found);
        for (_, place) in places.filter(|(own, _)| **own == origin) {
            *place = Some(id);
        }
    }
    Ok(found)
}

/// The value of a form's meta key. What waits to be handed over is newer than what the host holds.
pub async fn get(cx: &Context, form_id: i64, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2";
    match select_one(cx, sql, vec![form_id.into(), name.into()]).await? {
        Some(mut row) => row.text(0).map(Some),
        None if cx.has(Port::Meta) => Ok(cx.get_meta(form_id, name).await?),
        None => Ok(None),
    }
}

/// Adds the value of a meta key of the form that an earlier statement of the batch changed under `token`.
pub(super) fn add(batch: &mut Batch<'_>, token: &str, name: &str, value: &str) {
    batch.add(
        "INSERT INTO cf_form_meta (form_id, name, value) \
         SELECT f.id, ?2, ?3 FROM cf_forms f WHERE f.change_token = ?1 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value",
        vec![token.into(), name.into(), value.into()],
    );
}

/// The forms whose schemas wait to be handed over, at most so many.
pub(crate) async fn waiting(cx: &Context, at_most: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT form_id FROM cf_form_meta WHERE name = ?1 ORDER BY form_id LIMIT ?2";
    let rows = select(cx, sql, vec![SCHEMA_META_KEY.into(), at_most.into()]).await?;
    rows.iter().map(|row| row.integer(0)).collect()
}

/// A worker's turn to hand a form's schema over.
pub(crate) struct Turn {
    form_id: i64,
    until: String,
}

/// Takes the turn; answers it with the schema that waits. `None` when it is another's, or nothing
/// waits.
pub(crate) async fn take_turn(
    cx: &Context,
    form_id: i64,
) -> Result<Option<(Turn, String)>, StoreError> {
    let until = (cx.now() + TURN_MS).to_string();
    let mut batch = Batch::new(cx);
    let taken = batch.add(
        "INSERT INTO cf_form_meta (form_id, name, value) \
         SELECT m.form_id, ?2, ?3 FROM cf_form_meta m WHERE m.form_id = ?1 AND m.name = ?5 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value \
           WHERE CAST(cf_form_meta.value AS BIGINT) <= CAST(?4 AS BIGINT)",
        vec![
            form_id.into(),
            TURN.into(),
            until.as_str().into(),
            cx.now().into(),
            SCHEMA_META_KEY.into(),
        ],
    );
    let read = batch.add(
        "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2",
        vec![form_id.into(), SCHEMA_META_KEY.into()],
    );
    let mut results = batch.run().await?;
    match results.first(read) {
        Some(mut row) if results.changes(taken) > 0 => {
            Ok(Some((Turn { form_id, until }, row.text(0)?)))
        }
        _ => Ok(None),
    }
}

/// Gives a turn back under which nothing arrived.
pub(crate) async fn give_back(cx: &Context, turn: &Turn) -> Result<(), StoreError> {
    let sql = "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3";
    let params = vec![turn.form_id.into(), TURN.into(), turn.until.as_str().into()];
    execute(cx, sql, params).await.map(drop)
}

/// What there is to do after a schema was handed over.
pub(crate) enum Left {
    /// Nothing.
    Nothing,
    /// A newer schema, under the same turn.
    Newer(String),
    /// To take it back: the form was deleted meanwhile.
    Deleted,
}

/// Forgets the schema that was handed over, and gives the turn back if no newer one waits.
pub(crate) async fn handed_over(
    cx: &Context,
    turn: &Turn,
    schema: &str,
) -> Result<Left, StoreError> {
    let Turn { form_id, until } = turn;
    let mut batch = Batch::new(cx);
    batch.add(
        "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3 AND EXISTS \
           (SELECT 1 FROM cf_form_meta t WHERE t.form_id = ?1 AND t.name = ?4 AND t.value = ?5)",
        vec![
            (*form_id).into(),
            SCHEMA_META_KEY.into(),
            schema.into(),
            TURN.into(),
            until.as_str().into(),
        ],
    );
    batch.add(
        "DELETE FROM cf_form_meta WHERE form_id = ?1 AND name = ?2 AND value = ?3 AND NOT EXISTS \
           (SELECT 1 FROM cf_form_meta m WHERE m.form_id = ?1 AND m.name = ?4)",
        vec![
            (*form_id).into(),
            TURN.into(),
            until.as_str().into(),
            SCHEMA_META_KEY.into(),
        ],
    );
    let read = batch.add(
        "SELECT m.value FROM cf_forms f LEFT JOIN (cf_form_meta m JOIN cf_form_meta t \
             ON t.form_id = m.form_id AND t.name = ?3 AND t.value = ?4) \
           ON m.form_id = f.id AND m.name = ?2 WHERE f.id = ?1",
        vec![
            (*form_id).into(),
            SCHEMA_META_KEY.into(),
            TURN.into(),
            until.as_str().into(),
        ],
    );
    match batch.run().await?.first(read) {
        None => Ok(Left::Deleted),
        Some(mut row) => Ok(row.optional_text(0)?.map_or(Left::Nothing, Left::Newer)),
    }
}

/// Writes a schema to the host's own meta store.
pub(crate) async fn set_schema(cx: &Context, form_id: i64, schema: &str) -> Result<(), StoreError> {
    let schema = schema.to_owned();
    Ok(cx.set_meta(form_id, SCHEMA_META_KEY, schema).await?)
}

/// Drops the schema of a deleted form from the host's own meta store, if it has one.
pub async fn drop_schema(cx: &Context, form_id: i64) -> Result<(), StoreError> {
    if cx.has(Port::Meta) {
        cx.delete_meta(form_id, SCHEMA_META_KEY).await?;
    }
    Ok(())
}
