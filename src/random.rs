//! Random keys and tokens, from the platform's secure source.

use std::fmt::Write;

/// A token of `bytes` random bytes, in lower-case hexadecimal.
pub fn token(bytes: usize) -> Result<String, getrandom::Error> {
    let mut buffer = vec![0; bytes];
    getrandom::fill(&mut buffer)?;
    Ok(hexadecimal(&buffer))
}

/// One random byte.
pub fn byte() -> Result<u8, getrandom::Error> {
    let mut buffer = [0];
    getrandom::fill(&mut buffer)?;
    Ok(u8::from_be_bytes(buffer))
}

/// A random number from 0 to 1.
pub fn unit() -> Result<f64, getrandom::Error> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes)?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}

/// A version 4 UUID (RFC 9562).
pub fn uuid() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    let value =
        (u128::from_be_bytes(bytes) & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
    let digits = format!("{value:032x}");
    let groups = [0..8, 8..12, 12..16, 16..20, 20..32];
    let groups: Vec<&str> = groups
        .into_iter()
        .filter_map(|range| digits.get(range))
        .collect();
    Ok(groups.join("-"))
}

/// Bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
