//! The site's own settings: its secret key, and the key of the day.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::{Batch, Result, no_row};
use crate::security::{Signer, random};
use crate::task::Context;

/// The site's secret key, once it has been read.
#[derive(Default)]
struct SiteKey(OnceCell<Rc<[u8]>>);

/// The cached signer of the site.
#[derive(Default)]
struct SiteSigner(OnceCell<Signer>);

/// The key that distinguishes visitors today, by its UTC day.
#[derive(Default)]
struct VisitorKey(RefCell<Option<(String, Vec<u8>)>>);

/// The site's secret key: 32 random bytes, made once, kept in the database, cached by the
/// instance. Keys everything that must not be guessed: form tokens, address hashes.
pub async fn site_key(cx: &Context) -> Result<Rc<[u8]>> {
    let cache = cx.state::<SiteKey>();
    if let Some(key) = cache.0.get() {
        return Ok(Rc::clone(key));
    }
    let key = kept_or(cx, "site_key", random::token(32)?, "").await?;
    let key = Rc::<[u8]>::from(key);
    // Another task may have been first; both read the same row.
    Ok(Rc::clone(cache.0.get_or_init(|| key)))
}

/// Creates the signer with the site's secret key.
pub async fn signer(cx: &Context) -> Result<Signer> {
    let cache = cx.state::<SiteSigner>();
    if let Some(signer) = cache.0.get() {
        return Ok(signer.clone());
    }
    let signer = Signer::new(&site_key(cx).await?);
    Ok(cache.0.get_or_init(|| signer).clone())
}

/// The key that distinguishes visitors on a UTC day: random, shared by all processes, and overwritten by
/// the next day's, so that nobody can find out later who a hash was. Cached by the instance.
pub async fn visitor_key(cx: &Context, day: &str) -> Result<Vec<u8>> {
    let cache = cx.state::<VisitorKey>();
    let cached = cache.0.borrow().clone();
    if let Some((_, key)) = cached.filter(|(own, _)| own == day) {
        return Ok(key);
    }
    let fresh = format!("{day} {}", random::token(32)?);
    let key = kept_or(cx, "visitor_key", fresh, day).await?;
    *cache.0.borrow_mut() = Some((day.to_owned(), key.clone()));
    Ok(key)
}

/// The key that is kept, unless it begins with an earlier day; else the fresh one, which is kept then.
async fn kept_or(cx: &Context, name: &str, fresh: String, day: &str) -> Result<Vec<u8>> {
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value \
         WHERE SUBSTR(cf_settings.value, 1, LENGTH(CAST(?3 AS TEXT))) < CAST(?3 AS TEXT)",
        params![name, fresh, day],
    );
    let sql = "SELECT value FROM cf_settings WHERE name = ?1";
    let read = batch.add(sql, params![name]);
    let key: Option<String> = batch.run().await?.first(read)?;
    Ok(key.ok_or_else(no_row)?.into_bytes())
}
