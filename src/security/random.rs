//! Random keys and tokens, from the platform's secure source.

use std::cell::RefCell;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Builder;

/// The size of the pool. The pool saves calls, since each request for random bytes crosses to the host.
const POOL_BYTES: usize = 1024;

thread_local! {
    /// Unused random bytes.
    static POOL: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Fills a buffer with random bytes from the pool.
fn fill(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    POOL.with_borrow_mut(|pool| {
        if pool.len() < bytes.len() {
            let mut fresh = vec![0; POOL_BYTES.max(bytes.len())];
            getrandom::fill(&mut fresh)?;
            *pool = fresh;
        }
        // Remove the bytes from the pool, so that none is used twice.
        let taken = pool.split_off(pool.len() - bytes.len());
        bytes.copy_from_slice(&taken);
        Ok(())
    })
}

/// A token of `bytes` random bytes, in lower-case hexadecimal.
pub fn token(bytes: usize) -> Result<String, getrandom::Error> {
    let mut buffer = vec![0; bytes];
    fill(&mut buffer)?;
    Ok(hexadecimal(&buffer))
}

/// A token for a visitor: 32 random bytes as base64url, 43 characters.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// A random number from 0 to 1.
pub fn unit() -> Result<f64, getrandom::Error> {
    let mut bytes = [0; 4];
    fill(&mut bytes)?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}

/// A version 4 UUID (RFC 9562).
pub fn uuid() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(Builder::from_random_bytes(bytes).into_uuid().to_string())
}

/// A version 7 UUID of a moment in milliseconds UTC. Such UUIDs are consecutive in an index, so the database writes
/// fewer pages.
pub fn uuid_at(moment: i64) -> Result<String, getrandom::Error> {
    let mut bytes = [0; 10];
    fill(&mut bytes)?;
    let uuid = Builder::from_unix_timestamp_millis(moment.unsigned_abs(), &bytes).into_uuid();
    Ok(uuid.to_string())
}

/// A version 8 UUID made from the first 32 digits of a hexadecimal hash.
pub fn uuid_of(hash: &str) -> String {
    let digits = hash.get(..32).unwrap_or_default();
    let number = u128::from_str_radix(digits, 16).unwrap_or_default();
    let uuid = Builder::from_custom_bytes(number.to_be_bytes()).into_uuid();
    uuid.to_string()
}

/// Formats bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for digit in [byte >> 4, byte & 0xf] {
            text.push(digit + if digit < 10 { b'0' } else { b'a' - 10 });
        }
    }
    String::from_utf8(text).unwrap_or_default()
}
