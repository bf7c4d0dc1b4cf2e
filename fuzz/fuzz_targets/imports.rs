//! Runs the check of `tests/rust/fuzzed_imports.rs` with any file that a site in memory imports.
#![no_main]
#![allow(dead_code, reason = "the tests that share these modules use more of them")]

#[path = "../../tests/rust/front_fixture.rs"]
mod front_fixture;
#[path = "../../tests/rust/fuzzed_imports.rs"]
mod fuzzed_imports;
#[path = "../../tests/rust/host.rs"]
mod host;
#[path = "../../tests/rust/host_database.rs"]
mod host_database;
#[path = "../../tests/rust/multipart.rs"]
mod multipart;

use std::cell::RefCell;

use fuzzed_imports::Imports;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static IMPORTS: RefCell<Imports> = RefCell::new(Imports::new());
}

fuzz_target!(|input: &[u8]| {
    IMPORTS.with_borrow_mut(|imports| imports.check(input));
});
