//! Values of the site that the database stores: its secret key, the visitor key of the day, and the id of its file
//! store.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::{Batch, Result, no_row};
use crate::security::{Signer, random};
use crate::task::Context;

/// The cached secret key of the site.
#[derive(Default)]
struct SiteKey(OnceCell<Rc<[u8]>>);

/// The cached signer of the site.
#[derive(Default)]
struct SiteSigner(OnceCell<Signer>);

/// The cached visitor key with its UTC day.
#[derive(Default)]
struct VisitorKey(RefCell<Option<(String, Vec<u8>)>>);

/// Returns the site's secret key: 32 random bytes, created once, stored in the database and cached by the instance. The
/// key protects form tokens and hashes of addresses.
pub async fn site_key(cx: &Context) -> Result<Rc<[u8]>> {
    let cache = cx.state::<SiteKey>();
    if let Some(key) = cache.0.get() {
        return Ok(Rc::clone(key));
    }
    let key = stored_or(cx, "site_key", random::token(32)?, "").await?;
    let key = Rc::<[u8]>::from(key);
    // Another task may have filled the cache meanwhile; both have read the same row.
    Ok(Rc::clone(cache.0.get_or_init(|| key)))
}

/// Returns the cached signer with the site's secret key.
pub async fn signer(cx: &Context) -> Result<Signer> {
    let cache = cx.state::<SiteSigner>();
    if let Some(signer) = cache.0.get() {
        return Ok(signer.clone());
    }
    let signer = Signer::new(&site_key(cx).await?);
    Ok(cache.0.get_or_init(|| signer).clone())
}

/// Returns the key that distinguishes visitors on a UTC day, cached by the instance. The key is random, shared by all
/// processes and overwritten on the next day, so that old hashes cannot be traced back to visitors.
pub async fn visitor_key(cx: &Context, day: &str) -> Result<Vec<u8>> {
    let cache = cx.state::<VisitorKey>();
    let cached = cache.0.borrow().clone();
    if let Some((_, key)) = cached.filter(|(cached_day, _)| cached_day == day) {
        return Ok(key);
    }
    let fresh = format!("{day} {}", random::token(32)?);
    let key = stored_or(cx, "visitor_key", fresh, day).await?;
    *cache.0.borrow_mut() = Some((day.to_owned(), key.clone()));
    Ok(key)
}

/// Returns the id of the site's file store. If none is recorded, records `id`.
pub async fn file_store(cx: &Context, id: Option<String>) -> Result<Option<String>> {
    stored(cx, "file_store", id, "").await
}

/// Returns the stored key. Stores the fresh key first if there is none, or if the stored key begins with an earlier
/// day.
async fn stored_or(cx: &Context, name: &str, fresh: String, day: &str) -> Result<Vec<u8>> {
    let key = stored(cx, name, Some(fresh), day).await?;
    Ok(key.ok_or_else(no_row)?.into_bytes())
}

/// Returns the stored value. Stores the fresh value first if there is none, or if the stored value begins with an
/// earlier day.
async fn stored(
    cx: &Context,
    name: &str,
    fresh: Option<String>,
    day: &str,
) -> Result<Option<String>> {
    let mut batch = Batch::new(cx);
    if let Some(fresh) = fresh {
        batch.add(
            "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) \
             ON CONFLICT (name) DO UPDATE SET value = excluded.value \
             WHERE SUBSTR(cf_settings.value, 1, LENGTH(CAST(?3 AS TEXT))) < CAST(?3 AS TEXT)",
            params![name, fresh, day],
        );
    }
    let sql = "SELECT value FROM cf_settings WHERE name = ?1";
    let read = batch.add(sql, params![name]);
    batch.run().await?.first(read)
}
