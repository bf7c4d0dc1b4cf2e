//! The backoff of failed actions (contract, section 7).

/// Limit on the delay that a receiver may request.
const MAX_REQUESTED_MS: i64 = 24 * 60 * 60 * 1000;

/// The delay after the failure number `failure` (from 1), in milliseconds: 2^n minutes with a jitter of ±10 %, but at
/// least the delay that the receiver requested. `unit` is a random number from 0 to 1.
pub fn delay_ms(failure: i64, unit: f64, requested_ms: i64) -> i64 {
    let exponent = u32::try_from(failure.clamp(1, 12)).unwrap_or(1);
    let base = 60_000_i64 << exponent;
    let jitter = (unit.clamp(0.0, 1.0) - 0.5) * 0.2;
    let delay = base + (base as f64 * jitter) as i64;
    delay.max(requested_ms.clamp(0, MAX_REQUESTED_MS))
}
