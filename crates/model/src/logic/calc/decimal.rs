//! Decimal numbers of calculations. A number is stored as an integer that counts units of 10⁻¹⁸. The integer is less
//! than 10³⁶, so there are 18 digits on each side of the point. Sums are exact; products and quotients are rounded
//! half away from zero at the 18th place. `visitor/script/calculate.ts` computes the same results.

use super::outcome::{Failure, Outcome};
use crate::logic::number::parse_number;

/// The number 1, in units of 10⁻¹⁸.
pub const ONE: i128 = 1_000_000_000_000_000_000;

/// The first integer beyond the range, in units of 10⁻¹⁸.
const LIMIT: i128 = ONE * ONE;

/// The number of decimal places.
const PLACES: i32 = 18;

/// The largest exponent that is read; larger exponents are clamped. At this exponent, every number is already zero or
/// out of range.
const MAX_SHIFT: i32 = 1_000_000;

/// The largest exponent of a power.
const MAX_EXPONENT: i128 = 1_000;

/// Returns the number if it is in range.
pub fn in_range(number: i128) -> Outcome<i128> {
    if number.unsigned_abs() < LIMIT.unsigned_abs() {
        Ok(number)
    } else {
        Err(Failure::Range)
    }
}

/// Reads a number in HTML's syntax; `None` for other texts and beyond the range.
pub fn parse(text: &str) -> Option<i128> {
    let text = text.trim();
    parse_number(text)?;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let whole = mantissa.split('.').next().unwrap_or_default();
    // `parse_number` accepts only finite numbers. An exponent that does not parse is thus far below zero, or the
    // number is zero.
    let exponent = exponent
        .parse()
        .unwrap_or(-MAX_SHIFT)
        .clamp(-MAX_SHIFT, MAX_SHIFT);
    let mut place = i32::try_from(whole.len()).ok()? + exponent;
    let mut number = 0;
    for digit in mantissa.bytes().filter(u8::is_ascii_digit) {
        let digit = i128::from(digit - b'0');
        place -= 1;
        if digit == 0 {
            continue;
        }
        number += match place {
            place if place >= PLACES => return None,
            place if place >= -PLACES => digit * power_of_ten(place + PLACES),
            place => i128::from(place == -PLACES - 1 && digit >= 5),
        };
    }
    let number = in_range(number).ok()?;
    Some(if unsigned.len() < text.len() {
        -number
    } else {
        number
    })
}

/// Ten to a power from 0 to 36.
fn power_of_ten(exponent: i32) -> i128 {
    (0..exponent).fold(1, |power, _| power * 10)
}

/// Writes a number with as few digits as possible. With `places`, writes exactly this many decimal places of a number
/// that is already rounded.
pub fn text_of(number: i128, places: Option<i32>) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = format!("{digits:0>19}");
    text.insert(text.len() - 18, '.');
    match places {
        Some(0) => text.truncate(text.len() - 19),
        Some(places) => text.truncate(text.len() - usize::try_from(PLACES - places).unwrap_or(0)),
        None => text.truncate(text.trim_end_matches('0').trim_end_matches('.').len()),
    }
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if number < 0 && !is_zero {
        text.insert(0, '-');
    }
    text
}

/// The product of two numbers.
pub fn times(a: i128, b: i128) -> Outcome<i128> {
    let (left, right) = (a.abs(), b.abs());
    let (a1, a0, b1, b0) = (left / ONE, left % ONE, right / ONE, right % ONE);
    let high = a1 * b1;
    if high >= ONE {
        return Err(Failure::Range);
    }
    let low = (a0 * b0 + ONE / 2) / ONE;
    let product = in_range(high * ONE + a1 * b0 + a0 * b1 + low)?;
    Ok(if (a < 0) == (b < 0) {
        product
    } else {
        -product
    })
}

/// The quotient of two numbers.
pub fn over(a: i128, b: i128) -> Outcome<i128> {
    if b == 0 {
        return Err(Failure::Division);
    }
    let divisor = b.abs();
    let (mut quotient, mut rest) = (a.abs() / divisor, a.abs() % divisor);
    for _ in 0..PLACES {
        rest *= 10;
        quotient = in_range(quotient * 10 + rest / divisor)?;
        rest %= divisor;
    }
    let quotient = in_range(quotient + i128::from(rest * 2 >= divisor))?;
    Ok(if (a < 0) == (b < 0) {
        quotient
    } else {
        -quotient
    })
}

/// Converts a whole number within bounds from units of 10⁻¹⁸ to a plain integer.
pub fn whole(number: i128, bounds: (i128, i128)) -> Outcome<i128> {
    let one = number / ONE;
    if number % ONE == 0 && (bounds.0..=bounds.1).contains(&one) {
        Ok(one)
    } else {
        Err(Failure::Type)
    }
}

/// Raises a number to a whole power, by squaring from the highest bit of the exponent.
pub fn power(base: i128, exponent: i128) -> Outcome<i128> {
    let exponent = whole(exponent, (-MAX_EXPONENT, MAX_EXPONENT))?;
    let bits = exponent.unsigned_abs();
    let mut result = ONE;
    for bit in (0..128 - bits.leading_zeros()).rev() {
        result = times(result, result)?;
        if bits >> bit & 1 == 1 {
            result = times(result, base)?;
        }
    }
    if exponent < 0 {
        over(ONE, result)
    } else {
        Ok(result)
    }
}

/// The direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Half away from zero.
    Half,
    /// Towards negative infinity.
    Down,
    /// Towards positive infinity.
    Up,
}

/// Rounds a number to a number of decimal places, from −9 to 18.
pub fn rounded(number: i128, places: i32, rounding: Rounding) -> Outcome<i128> {
    let unit = power_of_ten(PLACES - places);
    let down = number.div_euclid(unit);
    let rest = number.rem_euclid(unit);
    let is_up = match rounding {
        Rounding::Half if number < 0 => rest * 2 > unit,
        Rounding::Half => rest * 2 >= unit,
        Rounding::Down => false,
        Rounding::Up => rest > 0,
    };
    in_range((down + i128::from(is_up)) * unit)
}

/// The remainder of a division, with the sign of the divisor.
pub fn remainder(a: i128, b: i128) -> Outcome<i128> {
    if b == 0 {
        return Err(Failure::Division);
    }
    let rest = a % b;
    Ok(if rest != 0 && (rest < 0) != (b < 0) {
        rest + b
    } else {
        rest
    })
}
