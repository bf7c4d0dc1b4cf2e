//! Imports point inward (`docs/architecture.md`, "Where things are"): no file of the engine names a
//! part that stands farther out than its own. What the crates may name, their manifests say.

#![allow(clippy::string_slice, reason = "the places come from searches")]

use std::fs;
use std::path::{Path, PathBuf};

/// The parts of `src/`, from the outermost in. A part may name those of its own row and of later rows.
const ROWS: [&[&str]; 11] = [
    &["wasm"],
    &["engine", "frame"],
    &["rest"],
    &["front"],
    &["jobs"],
    &["actions", "analytics", "forms", "hooks", "submissions"],
    &["error", "http"],
    &["store"],
    &["task"],
    &["security"],
    &["json"],
];

/// Names of `lib.rs` that stand for parts of the crates.
const REEXPORTED: [&str; 5] = ["dates", "import", "logic", "markup", "ordered"];

/// What the crates may name of the workspace; `model` comes first and names none.
const CRATES: [(&str, &[&str]); 4] = [
    ("model", &[]),
    ("markup", &["model"]),
    ("import", &["markup", "model"]),
    ("browser", &["markup", "model", "js-sys", "wasm-bindgen"]),
];

/// The crates of the boundary with JavaScript; only `src/wasm` and `crates/browser` name them.
const BOUNDARY: [&str; 3] = ["wasm_bindgen", "js_sys", "serde_wasm_bindgen"];

#[test]
fn imports_point_inward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut outward = Vec::new();
    for file in rust_files(&root.join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let inside = file.strip_prefix(root.join("src")).unwrap();
        let place: Vec<String> = (inside.with_extension("").iter())
            .map(|part| part.to_str().unwrap().to_owned())
            .filter(|part| part != "mod")
            .collect();
        if place != ["lib"] {
            let found = outward_in(&place, &text);
            outward.extend(
                found
                    .iter()
                    .map(|at| format!("src/{}: {at}", inside.display())),
            );
        }
    }
    for (name, may_name) in CRATES {
        let manifest = fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"));
        let manifest = manifest.unwrap();
        let own = [
            "cf-forms",
            "import",
            "markup",
            "model",
            "wasm-bindgen",
            "js-sys",
            "getrandom",
        ];
        let named = own
            .into_iter()
            .filter(|own| *own != name && !may_name.contains(own));
        let wrong = named.filter(|own| {
            (manifest.lines())
                .any(|line| line.starts_with(own) && !line.ends_with("optional = true }"))
        });
        outward.extend(wrong.map(|own| format!("crates/{name}: {own}")));
    }
    assert!(outward.is_empty(), "outward:\n{}", outward.join("\n"));
}

#[test]
fn an_outward_import_is_found_in_every_way_to_write_it() {
    let place = |path: &str| -> Vec<String> { path.split('/').map(str::to_owned).collect() };
    for (file, text) in [
        ("store/search", "use crate::rest::MAX;"),
        (
            "store/search",
            "use crate::{\n    task::Context,\n    rest::MAX,\n};",
        ),
        (
            "store/queue/claim",
            "fn f() { super::super::super::engine::run() }",
        ),
        ("task/context", "pub fn f(row: &crate::store::Row) {}"),
        ("rest/handlers/forms", "use wasm_bindgen::prelude::*;"),
        ("jobs/purge", "use crate::front;"),
    ] {
        assert_eq!(outward_in(&place(file), text).len(), 1, "{file}: {text}");
    }
    for (file, text) in [
        (
            "store/search",
            "use crate::task::Context; use super::super::security::random;",
        ),
        (
            "store/search",
            "use crate::logic::answer; // crate::rest is not imported",
        ),
        ("forms/form", "use crate::actions::secrets;"),
        ("wasm", "use wasm_bindgen::prelude::*; use crate::rest;"),
    ] {
        assert_eq!(outward_in(&place(file), text), [""; 0], "{file}: {text}");
    }
}

/// What a file names of parts farther out than its own; `place` is its module path.
fn outward_in(place: &[String], text: &str) -> Vec<String> {
    let row_of = |part: &str| ROWS.iter().position(|row| row.contains(&part));
    let own = row_of(&place[0]).unwrap_or_else(|| panic!("{} stands in no row", place[0]));
    let code: String = (text.lines())
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut outward = Vec::new();
    for to_root in ["crate::".to_owned(), "super::".repeat(place.len())] {
        for (at, _) in code.match_indices(&to_root) {
            if code[..at].ends_with("::") || code[..at].ends_with(char::is_alphanumeric) {
                continue;
            }
            for part in first_names(&code[at + to_root.len()..]) {
                if REEXPORTED.contains(&part) || part.starts_with(char::is_uppercase) {
                    continue;
                }
                match row_of(part) {
                    Some(row) if row >= own => {}
                    Some(_) => outward.push(part.to_owned()),
                    // Inside a module of the file itself `super` leads less far.
                    None if to_root != "crate::" => {}
                    None => panic!("{}: {part} stands in no row", place.join("/")),
                }
            }
        }
    }
    if place[0] != "wasm" {
        let named = BOUNDARY.into_iter().filter(|name| code.contains(name));
        outward.extend(named.map(str::to_owned));
    }
    outward
}

/// The first name of a path, or of each path between braces.
fn first_names(path: &str) -> Vec<&str> {
    let name = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let Some(list) = path.strip_prefix('{') else {
        return vec![&path[..name(path).unwrap_or(path.len())]];
    };
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                let item = list[start..at].trim();
                names.push(&item[..name(item).unwrap_or(item.len())]);
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
