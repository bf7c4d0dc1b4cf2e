//! Lists the migrations of `src/store/migrations` for `src/store/migrate.rs`, without their comments: those are for
//! readers, and weigh 2 KB gzip.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const FOLDER: &str = "src/store/migrations";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let files = fs::read_dir(FOLDER)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.sort();
    let mut list = "&[".to_owned();
    for (number, file) in (1..).zip(files) {
        let named = file.file_name().and_then(|name| name.to_str());
        let named = named.and_then(|name| name.strip_suffix(".sql"));
        let (digits, name) = named
            .and_then(|name| name.split_once('_'))
            .unwrap_or_default();
        if digits != format!("{number:04}") {
            return Err(format!("{} is not called {number:04}_….sql", file.display()).into());
        }
        writeln!(
            list,
            "({name:?}, {:?}),",
            without_comments(&fs::read_to_string(&file)?)
        )?;
    }
    let out = Path::new(&env::var("OUT_DIR")?).join("migrations.rs");
    Ok(fs::write(out, list + "]")?)
}

/// The statements of a migration, and the lines that say which database's they are.
fn without_comments(text: &str) -> String {
    let is_code =
        |line: &str| !line.starts_with("--") || ["-- sqlite", "-- postgres"].contains(&line);
    let code: Vec<&str> = text.lines().filter(|line| is_code(line)).collect();
    code.join("\n")
}
