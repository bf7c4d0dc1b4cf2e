//! Measures the processor time of a thread, for tests with a time limit: other load on the machine does not affect it.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Measures the thread's processor time on Linux, and wall-clock time elsewhere.
pub struct Stopwatch(Duration);

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch(now())
    }

    pub fn elapsed(&self) -> Duration {
        now() - self.0
    }
}

fn now() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    processor_time().unwrap_or_else(|| BEGAN.get_or_init(Instant::now).elapsed())
}

/// Returns the thread's processor time: the first number of `schedstat` (proc(5)), in nanoseconds.
fn processor_time() -> Option<Duration> {
    let numbers = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = numbers.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds)).filter(|time| !time.is_zero())
}
