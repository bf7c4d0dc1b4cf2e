//! Imports point inward (`docs/architecture.md`, "The map"): no file of the engine names a part farther out than its
//! part, so that no two parts import each other. One table limits the manifests and the code of the crates.

#![allow(clippy::string_slice, reason = "the places come from searches")]

use std::fs;
use std::path::{Path, PathBuf};

/// Parts of `src/`, from the outermost inward. A part may name parts of later rows, but no other part of its row.
const ROWS: [&[&str]; 19] = [
    &["wasm"],
    &["engine", "frame"],
    &["rest", "front"],
    &["pages"],
    &["spam"],
    &["jobs"],
    &["actions"],
    &["submissions"],
    &["analytics"],
    &["forms"],
    &["action_types"],
    &["hooks"],
    &["files"],
    &["http"],
    &["error"],
    &["store"],
    &["task"],
    &["security"],
    &["json"],
];

/// Names in `lib.rs` that re-export parts of the crates.
const REEXPORTED: [&str; 5] = ["dates", "import", "logic", "markup", "ordered"];

/// Crates of the workspace and of the boundary with JavaScript that each crate may name; `model` names none.
const CRATES: [(&str, &[&str], Boundary); 5] = [
    ("model", &[], Boundary::Types),
    ("markup", &["model"], Boundary::Types),
    ("import", &["markup", "model"], Boundary::Nothing),
    ("importers", &["import"], Boundary::Calls),
    ("browser", &["markup", "model"], Boundary::Calls),
];

/// Permission of a crate to name the boundary with JavaScript.
#[derive(Clone, Copy, PartialEq)]
enum Boundary {
    Nothing,
    /// Derives TypeScript types, behind the feature `typescript`. Only the crate of a type can derive them, and tsify's
    /// derive needs wasm-bindgen. The crate makes no calls, and without the feature it has no such code.
    Types,
    /// Converts objects from and to JavaScript.
    Calls,
}

/// Crates of the workspace, and crates of the engine's environment, such as random numbers.
const OUTER: [&str; 7] = [
    "cf-forms",
    "browser",
    "getrandom",
    "import",
    "importers",
    "markup",
    "model",
];

/// Crates of the boundary with JavaScript. In the engine, only `src/wasm` may name them.
const BOUNDARY: [&str; 4] = ["js-sys", "serde-wasm-bindgen", "tsify", "wasm-bindgen"];

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
    for (name, may_name, boundary) in CRATES {
        let folder = root.join("crates").join(name);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let mut found = forbidden_in_manifest(&manifest, may_name, boundary);
        for file in rust_files(&folder) {
            found.extend(forbidden_in_code(
                &fs::read_to_string(file).unwrap(),
                boundary,
            ));
        }
        outward.extend(found.iter().map(|at| format!("crates/{name}: {at}")));
    }
    let folders = fs::read_dir(root.join("crates")).unwrap().count();
    assert_eq!(folders, CRATES.len(), "a crate is missing in the table");
    assert!(outward.is_empty(), "outward:\n{}", outward.join("\n"));
}

#[test]
fn an_outward_import_is_found_in_every_import_syntax() {
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
        ("rest/handlers/forms", "use crate::front;"),
        ("front/page", "use crate::rest::Call;"),
        ("forms/form", "use crate::submissions::Submission;"),
        ("forms/view", "use crate::actions;"),
        ("hooks/run", "use crate::{hooks::Kind, forms::Form};"),
        ("error", "use crate::http::Response;"),
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
        ("forms/form", "use crate::action_types::secrets;"),
        ("wasm", "use wasm_bindgen::prelude::*; use crate::rest;"),
    ] {
        assert_eq!(outward_in(&place(file), text), [""; 0], "{file}: {text}");
    }
}

#[test]
fn forbidden_names_are_found_in_manifests_and_code() {
    use Boundary::{Calls, Nothing, Types};
    let optional = "[dependencies]\ntsify = { workspace = true, optional = true }\n";
    let feature = "[features]\ntypescript = [\"dep:tsify\", \"model/typescript\"]\n";
    let right = [optional, feature].concat();
    for (manifest, may_name, boundary, wrong) in [
        (
            "[dependencies]\nmarkup = { path = \"../markup\" }",
            &[][..],
            Calls,
            "markup",
        ),
        (
            "[dependencies.cf-forms]\npath = \"../..\"",
            &["markup"],
            Calls,
            "cf-forms",
        ),
        (
            "[target.'cfg(unix)'.dependencies]\ngetrandom.workspace = true",
            &[],
            Calls,
            "getrandom",
        ),
        (
            "[dependencies]\nother = { package = \"cf-forms\", path = \"../..\" }",
            &[],
            Calls,
            "package",
        ),
        (
            "[dependencies]\nserde-wasm-bindgen = \"0.6\"",
            &[],
            Types,
            "serde-wasm-bindgen",
        ),
        (
            "[dependencies]\njs-sys = { version = \"0.3\", optional = true }",
            &[],
            Types,
            "js-sys",
        ),
        (
            "[dependencies]\ntsify.workspace = true",
            &[],
            Types,
            "tsify",
        ),
        (optional, &[], Nothing, "tsify"),
        (
            &[&right, "default = [\"typescript\"]"].concat(),
            &[],
            Types,
            "default",
        ),
        (
            &[optional, "[features]\nfast = [\"dep:tsify\"]"].concat(),
            &[],
            Types,
            "fast",
        ),
    ] {
        assert_eq!(
            forbidden_in_manifest(manifest, may_name, boundary),
            [wrong],
            "{manifest}"
        );
    }
    assert_eq!(forbidden_in_manifest(&right, &[], Types), [""; 0]);

    let derives = "#[cfg_attr(feature = \"typescript\", derive(tsify::Tsify), serde(rename_all = \"snake_case\"))]";
    let typed = "#[cfg_attr(\n feature = \"typescript\",\n tsify(type = \"(a | b)[]\"),\n)]\npub value: u8, // wasm_bindgen";
    let code = [derives, "\npub struct A {", typed, "}"].concat();
    assert_eq!(forbidden_in_code(&code, Types), [""; 0]);
    assert_eq!(forbidden_in_code(&code, Nothing), ["tsify"]);
    for (code, wrong) in [
        ("use tsify::Tsify;", "tsify"),
        ("use js_sys::JSON;", "js_sys"),
        (
            "#[cfg(feature = \"typescript\")] fn f() { serde_wasm_bindgen::to_value(1) }",
            "serde_wasm_bindgen",
        ),
        (
            "#[cfg_attr(feature = \"typescript\", wasm_bindgen::prelude::wasm_bindgen)] fn f() {}",
            "wasm_bindgen",
        ),
    ] {
        assert_eq!(forbidden_in_code(code, Types), [wrong], "{code}");
        assert_eq!(forbidden_in_code(code, Calls), [""; 0], "{code}");
    }
}

/// Returns the forbidden names in a crate's manifest.
fn forbidden_in_manifest(manifest: &str, may_name: &[&str], boundary: Boundary) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
        }
        // `[dependencies.name]` begins its own section.
        let dependency = match section.rsplit_once("dependencies.") {
            Some((_, name)) if line.starts_with('[') => Some(name),
            None if section.ends_with("dependencies") => line.split(['.', ' ', '=']).next(),
            _ => None,
        };
        let key = line.split([' ', '=']).next().unwrap_or_default();
        if let Some(name) = dependency {
            let is_ours = OUTER.contains(&name) && !may_name.contains(&name);
            let is_types =
                ["tsify", "wasm-bindgen"].contains(&name) && line.contains("optional = true");
            let crosses = BOUNDARY.contains(&name) && boundary != Boundary::Calls;
            if is_ours || (crosses && !(boundary == Boundary::Types && is_types)) {
                wrong.push(name.to_owned());
            }
            // A renamed crate would not be found.
            if line.contains("package = ") {
                wrong.push("package".to_owned());
            }
        } else if section == "features" && boundary == Boundary::Types {
            let turns_on =
                key == "default" || line.contains("dep:") || line.contains("/typescript");
            if turns_on && key != "typescript" {
                wrong.push(key.to_owned());
            }
        }
    }
    wrong
}

/// Returns the forbidden names of the boundary in a crate's code.
fn forbidden_in_code(text: &str, boundary: Boundary) -> Vec<String> {
    let mut code = without_comments(text);
    if boundary == Boundary::Calls {
        return Vec::new();
    }
    if boundary == Boundary::Types {
        let begin = "#[cfg_attr(";
        let attributes = code.match_indices(begin).map(|(at, _)| {
            let inside = &code[at + begin.len()..];
            inside[..end_of_brackets(inside)].to_owned()
        });
        let derived: Vec<String> = attributes
            .filter(|inside| inside.trim_start().starts_with("feature = \"typescript\","))
            .collect();
        for inside in derived {
            code = code.replace(&inside, &inside.replace("tsify", ""));
        }
    }
    let mut words: Vec<&str> = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    words.sort_unstable();
    words.dedup();
    let named = BOUNDARY.map(|name| name.replace('-', "_"));
    named
        .into_iter()
        .filter(|name| words.contains(&name.as_str()))
        .collect()
}

/// Returns the index at which the bracket that was open before the text is closed.
fn end_of_brackets(text: &str) -> usize {
    let mut depth = 1;
    let end = text.find(|c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth == 0
    });
    end.unwrap_or(text.len())
}

pub(crate) fn without_comments(text: &str) -> String {
    let lines: Vec<&str> = (text.lines())
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    lines.join("\n")
}

/// Returns the names in a file of parts farther out than its own; `place` is its module path.
fn outward_in(place: &[String], text: &str) -> Vec<String> {
    let row_of = |part: &str| ROWS.iter().position(|row| row.contains(&part));
    let row_of_file =
        row_of(&place[0]).unwrap_or_else(|| panic!("{} is in no row of the table", place[0]));
    let code = without_comments(text);
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
                    Some(row) if row > row_of_file || part == place[0] => {}
                    Some(_) => outward.push(part.to_owned()),
                    // Inside an inline module, the first `super` leads only to this file's module.
                    None if to_root != "crate::" => {}
                    None => panic!("{}: {part} is in no row of the table", place.join("/")),
                }
            }
        }
    }
    if place[0] != "wasm" {
        outward.extend(forbidden_in_code(text, Boundary::Nothing));
    }
    outward
}

/// Returns the first name of a path, or of each path between braces.
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

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
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
