//! Writes the files of the API's reference from the route table: `cargo run --example openapi`. A test fails while a file
//! is outdated.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use cf_forms::rest::openapi::files;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    for (name, text) in files() {
        fs::write(root.join(name), text)?;
    }
    Ok(())
}
