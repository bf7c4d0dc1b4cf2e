//! Runs the check of `tests/rust/fuzzed_frames.rs` with any frame from a host, on a site in memory.
#![no_main]
#![allow(dead_code, reason = "the tests that share these modules use more of them")]

#[path = "../../tests/rust/front_fixture.rs"]
mod front_fixture;
#[path = "../../tests/rust/fuzzed_frames.rs"]
mod fuzzed_frames;
#[path = "../../tests/rust/host.rs"]
mod host;
#[path = "../../tests/rust/host_database.rs"]
mod host_database;
#[path = "../../tests/rust/multipart.rs"]
mod multipart;

use std::cell::RefCell;

use fuzzed_frames::Frames;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static FRAMES: RefCell<Frames> = RefCell::new(Frames::new());
}

fuzz_target!(|input: &[u8]| {
    FRAMES.with_borrow_mut(|frames| frames.check(input));
});
