//! Limits on the files that no submit has claimed.

use crate::forms::Form;
use crate::http::Request;
use crate::security::{Signer, counted_address, may_be_a_proxy};
use crate::store::{StoreError, rate_limits, upload_tokens};
use crate::task::Context;

/// Limit on the files from one IP address within an hour, in all forms.
const MAX_HOURLY_FILES: i64 = 60;
/// Limit on the bytes from one IP address within an hour, in all forms.
const MAX_HOURLY_BYTES: i64 = 200_000_000;

/// Limit on the unclaimed bytes of a form without a quota.
const MAX_UNCLAIMED_BYTES: u64 = 2_000_000_000;

/// Limit on the unclaimed files of a form.
const MAX_UNCLAIMED_FILES: u64 = 10_000;

/// Divisor of a form's quota: unclaimed files may fill a fifth.
const UNCLAIMED_PART: u64 = 5;

/// The limits on files that no submit has claimed, for one form and one IP address.
pub struct Limits {
    /// The hash of the IP address; `None` for an address that may be a proxy's, which all visitors may share.
    address: Option<String>,
    unclaimed: (u64, u64),
    max_bytes: u64,
}

impl Limits {
    /// Reads the form's unclaimed files and its quota.
    pub async fn of(
        cx: &Context,
        form: &Form,
        request: &Request,
        signer: &Signer,
    ) -> Result<Limits, StoreError> {
        let address = request.address.as_deref().filter(|address| {
            let forwarded_for_is_read = cx.shared().configuration().forwarded_for_is_read;
            !may_be_a_proxy(address, forwarded_for_is_read)
        });
        let quota = form.settings().upload_quota;
        Ok(Limits {
            address: address.map(|address| signer.hash("address", &counted_address(address))),
            unclaimed: upload_tokens::unclaimed(cx, form.id).await?,
            max_bytes: match quota {
                0 => MAX_UNCLAIMED_BYTES,
                quota => quota.div_ceil(UNCLAIMED_PART),
            },
        })
    }

    /// Whether the form has room for another unclaimed file.
    pub fn has_room(&self) -> bool {
        let (bytes, files) = self.unclaimed;
        bytes < self.max_bytes && files < MAX_UNCLAIMED_FILES
    }

    /// Counts a file for the IP address. Returns the bytes that the address may still send in this hour, or `None` if a
    /// limit is reached.
    pub async fn count_file(&self, cx: &Context) -> Result<Option<u64>, StoreError> {
        let Some(address) = &self.address else {
            return Ok(Some(u64::MAX));
        };
        let files = count(cx, "upload", address, 1).await?;
        let left = MAX_HOURLY_BYTES - count(cx, "upload bytes", address, 0).await?;
        let left = u64::try_from(left).unwrap_or_default();
        Ok(Some(left).filter(|left| files <= MAX_HOURLY_FILES && *left > 0))
    }

    /// Counts the bytes of a file for the IP address.
    pub async fn count_bytes(&self, cx: &Context, size: u64) -> Result<(), StoreError> {
        if let Some(address) = &self.address {
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            count(cx, "upload bytes", address, size).await?;
        }
        Ok(())
    }

    /// Counts a stored file; returns whether it is within all limits.
    pub async fn admit(&mut self, cx: &Context, size: u64) -> Result<bool, StoreError> {
        // The form's unclaimed files include this file.
        let others = self.unclaimed.0.saturating_sub(size);
        let has_room = others < self.max_bytes && self.unclaimed.1 <= MAX_UNCLAIMED_FILES;
        if !has_room || self.count_file(cx).await?.is_none() {
            return Ok(false);
        }
        self.count_bytes(cx, size).await?;
        Ok(true)
    }
}

async fn count(cx: &Context, kind: &str, address: &str, by: i64) -> Result<i64, StoreError> {
    let buckets = [(0, format!("{kind}:{address}"))];
    let counts = rate_limits::count(cx, &buckets, by).await?;
    Ok(counts.first().copied().unwrap_or_default())
}
