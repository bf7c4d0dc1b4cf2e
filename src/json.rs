//! JSON from bytes.

use serde::de::{DeserializeOwned, Error as _};

/// Reads a value. That the bytes are UTF-8 is seen first, so that all JSON of the module is read by
/// one reader, the one of texts: that of bytes would be as much code again.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_str(std::str::from_utf8(bytes).map_err(serde_json::Error::custom)?)
}
