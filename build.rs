//! Generates the engine's lists of migrations and action types. It reads the folders `src/store/migrations`,
//! `src/action_types/definitions` and `src/action_types/services`, so that a new file needs no entry elsewhere.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

const MIGRATIONS: &str = "src/store/migrations";
const ACTION_TYPES: [&str; 2] = ["src/action_types/definitions", "src/action_types/services"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("migrations.rs"), migrations()?)?;
    fs::write(out.join("action_types.rs"), action_types()?)?;
    Ok(())
}

/// The Rust source of a slice with `(name, statements)` of each migration. SQL comments are left out, as they would add
/// 2 KB gzip to the module.
fn migrations() -> Result<String, Box<dyn Error>> {
    let mut list = "&[".to_owned();
    for (number, file) in (1..).zip(files(MIGRATIONS, "sql")?) {
        let stem = file.file_stem().and_then(|stem| stem.to_str());
        let (digits, name) = stem
            .and_then(|stem| stem.split_once('_'))
            .unwrap_or_default();
        if digits != format!("{number:04}") {
            return Err(format!("{} is not named {number:04}_….sql", file.display()).into());
        }
        let statements = without_comments(&fs::read_to_string(&file)?);
        writeln!(list, "({name:?}, {statements:?}),")?;
    }
    Ok(list + "]")
}

/// Removes the comments of a migration, except the lines `-- sqlite` and `-- postgres`, which mark the statements for
/// one database.
fn without_comments(text: &str) -> String {
    let is_code =
        |line: &str| !line.starts_with("--") || ["-- sqlite", "-- postgres"].contains(&line);
    let code: Vec<&str> = text.lines().filter(|line| is_code(line)).collect();
    code.join("\n")
}

/// The Rust source of a slice with the minified JSON of each action type, sorted by folder, then by file name.
fn action_types() -> Result<String, Box<dyn Error>> {
    let mut list = "&[".to_owned();
    for folder in ACTION_TYPES {
        for file in files(folder, "json")? {
            let text = minified(&fs::read_to_string(&file)?);
            writeln!(list, "{text:?},")?;
        }
    }
    Ok(list + "]")
}

/// A JSON text without the white space between its tokens.
fn minified(json: &str) -> String {
    let mut in_string = false;
    let mut is_escaped = false;
    json.chars()
        .filter(|&character| {
            let is_quote = character == '"' && !is_escaped;
            is_escaped = in_string && character == '\\' && !is_escaped;
            in_string ^= is_quote;
            in_string || !character.is_ascii_whitespace()
        })
        .collect()
}

/// The files of a folder that have the extension, sorted by name.
fn files(folder: &str, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = entries.collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| Path::extension(file).is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}
