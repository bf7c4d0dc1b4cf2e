//! The site's own settings: its secret key, and the key of the day.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::{Batch, StoreError};
use crate::security::{Signer, random};
use crate::task::Context;

/// The site's secret key, once it has been read.
#[derive(Default)]
struct SiteKey(OnceCell<Rc<[u8]>>);

/// The key that tells visitors apart today, by its UTC day.
#[derive(Default)]
struct VisitorKey(RefCell<Option<(String, Vec<u8>)>>);

/// The site's secret key: 32 random bytes, made once, kept in the database, cached by the
/// instance. Keys everything that must not be guessed: form tokens, address hashes.
pub async fn site_key(cx: &Context) -> Result<Rc<[u8]>, StoreError> {
    let cache = cx.state::<SiteKey>();
    if let Some(key) = cache.0.get() {
        return Ok(Rc::clone(key));
    }
    let key = Rc::<[u8]>::from(read_or_make(cx).await?);
    // Another task may have been first; both read the same row.
    Ok(Rc::clone(cache.0.get_or_init(|| key)))
}

/// What signs and hashes with the site's secret key.
pub async fn signer(cx: &Context) -> Result<Signer, StoreError> {
    Ok(Signer::new(site_key(cx).await?))
}

async fn read_or_make(cx: &Context) -> Result<Vec<u8>, StoreError> {
    let fresh = random::token(32)?;
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
    let cache = cx.state::<VisitorKey>();
    let cached = cache.0.borrow().clone();
    if let Some((_, key)) = cached.filter(|(own, _)| own == day) {
        return Ok(key);
    }
    let fresh = format!("{day} {}", random::token(32)?);
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
    *cache.0.borrow_mut() = Some((day.to_owned(), key.clone()));
    Ok(key)
}
