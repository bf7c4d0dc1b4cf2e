//! The site's own settings: its secret key, and the key of the day.

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

/// The key that tells visitors apart on a UTC day: random, shared by all processes, and overwritten
/// by the next day's, so that nobody can find out later who a hash was. Cached by the instance.
pub async fn visitor_key(cx: &Context, day: &str) -> Result<Vec<u8>, StoreError> {
    let cached = cx.shared().visitor_key.borrow().clone();
    if let Some((_, key)) = cached.filter(|(own, _)| own == day) {
        return Ok(key);
    }
    let fresh = format!("{day} {}", crate::random::token(32)?);
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES ('visitor_key', ?1) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value \
         WHERE SUBSTR(cf_settings.value, 1, 10) < SUBSTR(excluded.value, 1, 10)",
        vec![fresh.into()],
    );
    let read = batch.add(
        "SELECT value FROM cf_settings WHERE name = 'visitor_key'",
        vec![],
    );
    let mut row = batch.run().await?.first(read).ok_or(StoreError::Shape {
        column: 0,
        expected: "a key",
    })?;
    let key = row.text(0)?.into_bytes();
    *cx.shared().visitor_key.borrow_mut() = Some((day.to_owned(), key.clone()));
    Ok(key)
}
