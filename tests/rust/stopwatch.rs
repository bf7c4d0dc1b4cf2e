//! Time that other work on the machine does not lengthen, for tests that some work is bounded.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Measures how long this thread has had a processor (on Linux; elsewhere how long ago it began).
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

/// proc(5): the first number is what the thread has had, in nanoseconds.
fn processor_time() -> Option<Duration> {
    let numbers = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = numbers.split_ascii_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds)).filter(|time| !time.is_zero())
}
