//! Leases of uploaded files: while a submit is under way, the purge takes none of its files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::store::StoreError;
use crate::store::uploads::{self, PENDING_MS};
use crate::task::Context;

/// How old a lease is renewed: several attempts may fail before it expires.
const RENEWED_AFTER_MS: i64 = PENDING_MS / 6;

/// The keys of the files whose submits are under way in this instance, and when each record was written or renewed.
#[derive(Debug, Default)]
struct LeasedFiles(RefCell<HashMap<String, i64>>);

/// The lease of a submit's files, which ends when it is dropped.
#[derive(Debug)]
pub struct UploadLease {
    leased: Rc<LeasedFiles>,
    keys: Vec<String>,
}

impl UploadLease {
    /// A lease of no files yet.
    pub fn new(cx: &Context) -> UploadLease {
        UploadLease {
            leased: cx.state(),
            keys: Vec::new(),
        }
    }

    /// Adds a file whose record was written now.
    pub fn add(&mut self, cx: &Context, key: &str) {
        let mut leased = self.leased.0.borrow_mut();
        leased.insert(key.to_owned(), cx.now());
        self.keys.push(key.to_owned());
    }
}

impl Drop for UploadLease {
    fn drop(&mut self) {
        let mut leased = self.leased.0.borrow_mut();
        for key in &self.keys {
            leased.remove(key);
        }
    }
}

/// Renews the records of the files whose submits are under way: a body may take longer than a record lasts.
pub async fn renew_uploads(cx: &Context) -> Result<(), StoreError> {
    let now = cx.now();
    let mut keys = Vec::new();
    for (key, renewed) in cx.state::<LeasedFiles>().0.borrow_mut().iter_mut() {
        if now - *renewed >= RENEWED_AFTER_MS {
            *renewed = now;
            keys.push(key.clone());
        }
    }
    if keys.is_empty() {
        return Ok(());
    }
    uploads::renew(cx, &keys).await
}
