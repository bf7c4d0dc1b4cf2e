//! The meta of forms: in the host's own meta store where it has one, else in `cf_form_meta`.

use super::{Batch, StoreError};
use crate::forms::SCHEMA_META_KEY;
use crate::task::{Context, Port};

/// The value of a form's meta key.
pub async fn get(cx: &Context, form_id: i64, name: &str) -> Result<Option<String>, StoreError> {
    if cx.has(Port::Meta) {
        return Ok(cx.get_meta(form_id, name).await?);
    }
    let mut batch = Batch::new(cx);
    let read = batch.add(
        "SELECT value FROM cf_form_meta WHERE form_id = ?1 AND name = ?2",
        vec![form_id.into(), name.into()],
    );
    let row = batch.run().await?.first(read);
    row.map(|mut row| row.text(0)).transpose()
}

/// Adds the schema of the form that an earlier statement of the batch changed under `token`; a host
/// with its own store gets it by [`hand_over_schema`] after the batch.
pub(super) fn add_schema(batch: &mut Batch<'_>, cx: &Context, token: &str, schema: &str) {
    if cx.has(Port::Meta) {
        return;
    }
    batch.add(
        "INSERT INTO cf_form_meta (form_id, name, value) \
         SELECT f.id, ?2, ?3 FROM cf_forms f WHERE f.change_token = ?1 \
         ON CONFLICT (form_id, name) DO UPDATE SET value = excluded.value",
        vec![token.into(), SCHEMA_META_KEY.into(), schema.into()],
    );
}

/// Writes a schema to the host's own meta store, if it has one. That store knows no transaction
/// with the database: should it fail now, the form keeps the schema that it had there.
pub(super) async fn hand_over_schema(
    cx: &Context,
    form_id: i64,
    schema: &str,
) -> Result<(), StoreError> {
    if cx.has(Port::Meta) {
        cx.set_meta(form_id, SCHEMA_META_KEY, schema.to_owned())
            .await?;
    }
    Ok(())
}

/// Drops the schema of a deleted form from the host's own meta store, if it has one.
pub async fn drop_schema(cx: &Context, form_id: i64) -> Result<(), StoreError> {
    if cx.has(Port::Meta) {
        cx.delete_meta(form_id, SCHEMA_META_KEY).await?;
    }
    Ok(())
}
