//! Writes the English texts as minified JSON. Without the feature `page-texts`, the texts of `PAGE_WORDS` are left out.
//! The browser's module never shows them, and becomes 3 KB gzip smaller.

#[path = "src/page_words.rs"]
mod page_words;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use page_words::PAGE_WORDS;

const TEXTS: &str = "../../visitor/languages/en.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TEXTS}");
    println!("cargo::rerun-if-changed=src/page_words.rs");
    let has_page_texts = env::var_os("CARGO_FEATURE_PAGE_TEXTS").is_some();
    let file = fs::read_to_string(TEXTS)?;
    // The formatter writes one member a line: `  "key": "text",`.
    let members: Vec<&str> = file
        .lines()
        .map(|line| line.trim().trim_end_matches(','))
        .filter(|line| {
            let key = line.split('"').nth(1);
            key.is_some_and(|key| {
                has_page_texts || !PAGE_WORDS.iter().any(|words| words.contains(&key))
            })
        })
        .collect();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("en.json"), format!("{{{}}}", members.join(",")))?;
    Ok(())
}
