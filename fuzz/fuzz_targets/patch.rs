//! Any edit of any field of any HTML: what is edited in place reads as was asked, and nothing but the
//! field's own bytes change. The first bytes of an input choose the edit.
#![no_main]
#![allow(dead_code, reason = "the tests that share these modules use more of them")]

#[path = "../../tests/rust/choices.rs"]
mod choices;
#[path = "../../tests/rust/markup_patch_any.rs"]
mod markup_patch_any;
#[path = "../../tests/rust/markup_patch_bytes.rs"]
mod markup_patch_bytes;
#[path = "../../tests/rust/markup_patch_tokens.rs"]
mod markup_patch_tokens;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|input: &[u8]| -> Corpus {
    match markup_patch_any::check(input) {
        Some(_) => Corpus::Keep,
        None => Corpus::Reject,
    }
});
