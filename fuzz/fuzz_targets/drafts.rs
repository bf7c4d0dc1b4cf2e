//! Runs the check of `tests/rust/fuzzed_drafts.rs` with any draft of a form, on a site in memory.
#![no_main]
#![allow(dead_code, reason = "the tests that share these modules use more of them")]

#[path = "../../tests/rust/front_fixture.rs"]
mod front_fixture;
#[path = "../../tests/rust/fuzzed_drafts.rs"]
mod fuzzed_drafts;
#[path = "../../tests/rust/host.rs"]
mod host;
#[path = "../../tests/rust/host_database.rs"]
mod host_database;
#[path = "../../tests/rust/multipart.rs"]
mod multipart;

use std::cell::RefCell;

use fuzzed_drafts::Drafts;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static DRAFTS: RefCell<Drafts> = RefCell::new(Drafts::new());
}

fuzz_target!(|input: &[u8]| {
    DRAFTS.with_borrow_mut(|drafts| drafts.check(input));
});
