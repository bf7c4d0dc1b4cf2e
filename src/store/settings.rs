//! The site's own settings: today its secret key.

use super::{Batch, StoreError};
use crate::task::Context;

/// The site's secret key: 32 random bytes, made once, kept in the database, cached by the
/// instance. Keys everything that must not be guessed: form tokens, address hashes.
pub async fn site_key(cx: &Context) -> Result<&[u8], StoreError> {
    if cx.shared().site_key.get().is_none() {
        let key = read_or_make(cx).await?;
        // Another task may have been first; both read the same row.
        let _ = cx.shared().site_key.set(key);
    }
    Ok(cx
        .shared()
        .site_key
        .get()
        .map(Vec::as_slice)
        .unwrap_or_default())
}

async fn read_or_make(cx: &Context) -> Result<Vec<u8>, StoreError> {
    let fresh = crate::random::token(32)?;
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES ('site_key', ?1) ON CONFLICT (name) DO NOTHING",
        vec![fresh.into()],
    );
    let read = batch.add(
        "SELECT value FROM cf_settings WHERE name = 'site_key'",
        vec![],
    );
    let mut results = batch.run().await?;
    let mut row = results.first(read).ok_or(StoreError::Shape {
        column: 0,
        expected: "a key",
    })?;
    Ok(row.text(0)?.into_bytes())
}
