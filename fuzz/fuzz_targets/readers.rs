//! Runs the check of `tests/rust/fuzzed_readers.rs` with any file that the importers read in parts.
#![no_main]

#[path = "../../tests/rust/fuzzed_readers.rs"]
mod fuzzed_readers;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    fuzzed_readers::check(input);
});
