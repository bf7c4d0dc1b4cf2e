//! The texts that the browser's module leaves out (`crates/model/build.rs`).

use std::fs;
use std::path::Path;

use model::page_words::PAGE_WORDS;

use crate::imports::rust_files;

#[test]
fn the_crates_read_no_text_of_pages() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let folders = ["model", "markup", "browser"].map(|name| crates.join(name).join("src"));
    let mut read = Vec::new();
    for file in folders.iter().flat_map(|folder| rust_files(folder)) {
        let code = fs::read_to_string(&file).unwrap();
        let is_list = file.ends_with("page_words.rs");
        // Some keys of one word, such as "start", have other meanings too.
        let reads = |key: &str| {
            code.contains(&format!("word(\"{key}\""))
                || (key.contains('_') && code.contains(&format!("\"{key}\"")))
        };
        let found = PAGE_WORDS.into_iter().flatten().copied();
        let found = found.filter(|key| !is_list && reads(key));
        read.extend(found);
    }
    assert_eq!(read, [""; 0], "move these keys from PAGE_WORDS to WORDS");
}
