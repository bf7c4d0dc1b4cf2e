//! Punycode (RFC 3492): the ASCII form of a domain name's label.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 128;

/// The longest label that is read or written, in bytes. Domain names have no longer labels.
const MAX_LABEL: usize = 63;

/// Encodes a label, without the prefix `xn--`; `None` if it is too long.
pub(super) fn encode(label: &str) -> Option<String> {
    let characters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut encoded: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(encoded.len()).ok()?;
    if basic > 0 {
        encoded.push('-');
    }
    let (mut n, mut delta, mut bias, mut done) = (INITIAL_N, 0_u32, INITIAL_BIAS, basic);
    while usize::try_from(done).ok()? < characters.len() {
        let next = *characters.iter().filter(|c| **c >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(done + 1)?)?;
        n = next;
        for c in &characters {
            if *c < n {
                delta = delta.checked_add(1)?;
            }
            if *c == n {
                push_number(&mut encoded, delta, bias)?;
                bias = adapted(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        n += 1;
        if encoded.len() > MAX_LABEL {
            return None;
        }
    }
    Some(encoded)
}

/// Decodes a label without its prefix; `None` for invalid Punycode.
pub(super) fn decode(encoded: &str) -> Option<String> {
    if encoded.is_empty() || encoded.len() > MAX_LABEL || !encoded.is_ascii() {
        return None;
    }
    let (basic, digits) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    let mut label: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let mut digits = digits.chars();
    while !digits.as_str().is_empty() {
        let (before, mut weight, mut k) = (i, 1_u32, BASE);
        loop {
            let digit = digit_of(digits.next()?)?;
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = threshold(k, bias);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            k += BASE;
        }
        let length = u32::try_from(label.len()).ok()? + 1;
        bias = adapted(i - before, length, before == 0);
        n = n.checked_add(i / length)?;
        i %= length;
        label.insert(usize::try_from(i).ok()?, char::from_u32(n)?);
        i += 1;
    }
    Some(label.into_iter().collect())
}

fn push_number(encoded: &mut String, mut rest: u32, bias: u32) -> Option<()> {
    let mut k = BASE;
    loop {
        let threshold = threshold(k, bias);
        if rest < threshold {
            encoded.push(character_of(rest)?);
            return Some(());
        }
        let digit = threshold + (rest - threshold) % (BASE - threshold);
        encoded.push(character_of(digit)?);
        rest = (rest - threshold) / (BASE - threshold);
        k += BASE;
    }
}

fn threshold(k: u32, bias: u32) -> u32 {
    k.saturating_sub(bias).clamp(T_MIN, T_MAX)
}

fn adapted(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = delta / if is_first { DAMP } else { 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// The character of a digit: `a` to `z` are 0 to 25, `0` to `9` are 26 to 35.
fn character_of(digit: u32) -> Option<char> {
    char::from_digit((digit + 10) % BASE, BASE)
}

fn digit_of(character: char) -> Option<u32> {
    Some((character.to_digit(BASE)? + BASE - 10) % BASE)
}
