//! Leases of uploaded files, which keep the purge from removing files of a running submit.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::store::StoreError;
use crate::store::uploads::{self, PENDING_MS};
use crate::task::Context;

/// The age at which a lease is renewed. Several attempts may fail before the lease expires.
const RENEWAL_AGE_MS: i64 = PENDING_MS / 6;

/// The keys of the files of this instance's running submits, each with the moment when its record was last renewed.
#[derive(Debug, Default)]
struct LeasedFiles(RefCell<HashMap<String, i64>>);

/// The lease of a submit's files. Dropping it ends the lease.
#[derive(Debug)]
pub struct UploadLease {
    leased: Rc<LeasedFiles>,
    keys: Vec<String>,
}

impl UploadLease {
    /// Creates a lease without files.
    pub fn new(cx: &Context) -> UploadLease {
        UploadLease {
            leased: cx.state(),
            keys: Vec::new(),
        }
    }

    /// Adds a file whose record was just written.
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

/// Renews the leases of running submits' files, since a body may arrive for longer than a lease.
pub async fn renew_uploads(cx: &Context) -> Result<(), StoreError> {
    let now = cx.now();
    let mut keys = Vec::new();
    for (key, renewed) in cx.state::<LeasedFiles>().0.borrow_mut().iter_mut() {
        if now - *renewed >= RENEWAL_AGE_MS {
            *renewed = now;
            keys.push(key.clone());
        }
    }
    if keys.is_empty() {
        return Ok(());
    }
    uploads::renew(cx, &keys).await
}
