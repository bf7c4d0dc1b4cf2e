//! Random keys and tokens, from the platform's secure source.

use std::cell::RefCell;

/// How many bytes are asked for at once: each question crosses to the host.
const POOL_BYTES: usize = 1024;

thread_local! {
    /// Random bytes that nobody has had yet.
    static POOL: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Fills bytes.
fn fill(bytes: &mut [u8]) -> Result<(), getrandom::Error> {
    POOL.with_borrow_mut(|pool| {
        if pool.len() < bytes.len() {
            let mut fresh = vec![0; POOL_BYTES.max(bytes.len())];
            getrandom::fill(&mut fresh)?;
            *pool = fresh;
        }
        // Taken out, so that none is had twice.
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

/// A random number from 0 to 1.
pub fn unit() -> Result<f64, getrandom::Error> {
    let mut bytes = [0; 4];
    fill(&mut bytes)?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}

/// A version 4 UUID (RFC 9562).
pub fn uuid() -> Result<String, getrandom::Error> {
    Ok(written(random_128()?, 4))
}

/// A version 7 UUID of a moment, in milliseconds UTC. Those that are made one after another lie side
/// by side in an index, and a database has fewer pages to write.
pub fn uuid_at(moment: i64) -> Result<String, getrandom::Error> {
    let time = u128::from(moment.unsigned_abs()) << 80;
    Ok(written(random_128()? >> 48 | time, 7))
}

fn random_128() -> Result<u128, getrandom::Error> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(u128::from_be_bytes(bytes))
}

/// A version 8 UUID of a hash in hexadecimal.
pub fn uuid_of(hash: &str) -> String {
    let number = hash
        .get(..32)
        .map(|digits| u128::from_str_radix(digits, 16));
    written(number.and_then(Result::ok).unwrap_or_default(), 8)
}

/// A number as a UUID of a version.
fn written(number: u128, version: u128) -> String {
    let value = (number & !(0xf << 76) & !(0x3 << 62)) | (version << 76) | (0x2 << 62);
    let mut digits = format!("{value:032x}");
    for place in [8, 13, 18, 23] {
        digits.insert(place, '-');
    }
    digits
}

/// Bytes in lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    text.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_of_a_moment_begins_with_it_and_is_random_otherwise() {
        let (one, other) = (
            uuid_at(0x0001_8000_0000).unwrap(),
            uuid_at(0x0001_8000_0000).unwrap(),
        );
        assert!(one.starts_with("00018000-0000-7"), "{one}");
        assert_ne!(one, other);
        assert!(uuid_at(0x0001_8000_0001).unwrap() > one);
    }
}
