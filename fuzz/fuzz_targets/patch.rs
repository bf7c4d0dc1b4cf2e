//! Edits any field of any HTML in place, and checks that the field then has the requested properties. The first bytes
//! of an input choose the edit.
#![no_main]
#![allow(dead_code, reason = "the tests that share these modules use more of them")]

#[path = "../../tests/rust/choices.rs"]
mod choices;
#[path = "../../tests/rust/markup_edit_laws.rs"]
mod markup_edit_laws;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|input: &[u8]| -> Corpus {
    match markup_edit_laws::check(input) {
        Some(_) => Corpus::Keep,
        None => Corpus::Reject,
    }
});
