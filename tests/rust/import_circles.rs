//! Modules of one folder do not import each other in a circle, neither directly nor through other modules. A folder
//! counts as one module with all its files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::imports::{rust_files, without_comments};

/// A module's path below the crate's root, such as `["store", "queue"]`.
type Module = Vec<String>;

/// The modules that each module imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

#[test]
fn modules_of_a_folder_do_not_import_each_other_in_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "crates/import/src", "crates/model/src"] {
        let files = sources(&root.join(folder));
        let found = circles(&imports_of(&files));
        assert!(found.is_empty(), "{folder}:\n{}", found.join("\n"));
    }
}

#[test]
fn a_circle_is_found_in_every_import_syntax() {
    for (files, expected) in [
        (
            &[("a", "use crate::b::B;"), ("b", "use super::a::A;")][..],
            "a, b",
        ),
        (
            &[
                ("a", "fn f() { crate::b::f() }"),
                ("b", "use crate::{c, a::{self, A}};"),
            ],
            "a, b",
        ),
        (
            &[
                ("a", "use crate::b;"),
                ("b", "use crate::c;"),
                ("c", "use crate::a;"),
            ],
            "a, b, c",
        ),
        (
            &[
                ("a", ""),
                ("a/x", "use crate::b::B;"),
                ("b", "use crate::a::A;"),
            ],
            "a, b",
        ),
        (
            &[
                ("a/x", "use super::y::Y;"),
                ("a/y", "use super::super::a::x::X;"),
            ],
            "a/x, a/y",
        ),
        (&[("a", "use self::x;"), ("a/x", "use crate::a::A;")], ""),
        (&[("a", "use crate::b;"), ("b", "// crate::a")], ""),
        (&[("a/x", "use super::A;"), ("a/y", "use super::x;")], ""),
    ] {
        let files = files
            .iter()
            .map(|(path, text)| (module(path), (*text).to_owned()));
        let found = circles(&imports_of(&files.collect()));
        assert_eq!(found.join("; "), expected);
    }
}

fn module(path: &str) -> Module {
    path.split('/').map(str::to_owned).collect()
}

/// The code of each module of a crate.
fn sources(root: &Path) -> BTreeMap<Module, String> {
    let read = |file: &Path| {
        let place = file.strip_prefix(root).unwrap().with_extension("");
        let parts = place.iter().map(|part| part.to_str().unwrap().to_owned());
        let module = parts.filter(|part| part != "mod").collect();
        (module, fs::read_to_string(file).unwrap())
    };
    rust_files(root).iter().map(|file| read(file)).collect()
}

fn imports_of(files: &BTreeMap<Module, String>) -> Imports {
    let imports = files.iter().map(|(module, text)| {
        let paths = paths_in(module, &without_comments(text));
        let named = paths.iter().filter_map(|path| {
            let lengths = (1..=path.len()).rev();
            lengths
                .map(|length| path[..length].to_vec())
                .find(|path| files.contains_key(path))
        });
        (module.clone(), named.collect())
    });
    imports.collect()
}

/// The paths within the crate that a module's code names.
fn paths_in(module: &Module, code: &str) -> Vec<Module> {
    let mut found = Vec::new();
    for root in ["crate::", "self::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let before = &code[..at];
            if before.ends_with("::") || before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            {
                continue;
            }
            let mut place = match root {
                "crate::" => Vec::new(),
                _ => module.clone(),
            };
            let mut rest = &code[at + root.len()..];
            if root == "super::" {
                place.pop();
                while let Some(after) = rest.strip_prefix("super::") {
                    place.pop();
                    rest = after;
                }
            }
            read_tree(rest, &place, &mut found);
        }
    }
    found
}

/// Reads a path or the tree of a `use`, below a place; returns the code after it.
fn read_tree<'c>(code: &'c str, place: &Module, found: &mut Vec<Module>) -> &'c str {
    let code = code.trim_start();
    if let Some(mut inside) = code.strip_prefix('{') {
        loop {
            inside = read_tree(inside, place, found).trim_start();
            match inside.strip_prefix(',') {
                Some(after) => inside = after,
                None => return inside.strip_prefix('}').unwrap_or(inside),
            }
        }
    }
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, rest) = code.split_at(end.unwrap_or(code.len()));
    let mut path = place.clone();
    if !name.is_empty() && name != "self" {
        path.push(name.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(below) => read_tree(below, &path, found),
        None => {
            found.push(path);
            let renamed = rest.strip_prefix(" as ").map(str::trim_start);
            renamed.map_or(rest, |renamed| {
                renamed.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            })
        }
    }
}

/// The circles among the modules of each folder, as their sorted names.
fn circles(imports: &Imports) -> Vec<String> {
    let all: BTreeSet<Module> = (imports.keys())
        .flat_map(|module| (1..=module.len()).map(|length| module[..length].to_vec()))
        .collect();
    // The imports between two modules of one folder, including all files in them.
    let mut beside: Imports = BTreeMap::new();
    for (from, named) in imports {
        for to in named {
            let shared = from
                .iter()
                .zip(to)
                .take_while(|(one, other)| one == other)
                .count();
            if from.len() > shared && to.len() > shared {
                let targets = beside.entry(from[..=shared].to_vec()).or_default();
                targets.insert(to[..=shared].to_vec());
            }
        }
    }
    let reached: Imports = all
        .iter()
        .map(|module| (module.clone(), reachable(module, &beside)))
        .collect();
    let circle_of = |module: &Module| -> Vec<String> {
        let others = reached[module]
            .iter()
            .filter(|other| reached[*other].contains(module));
        others.map(|other| other.join("/")).collect()
    };
    let circles: BTreeSet<Vec<String>> = all
        .iter()
        .map(circle_of)
        .filter(|circle| !circle.is_empty())
        .collect();
    circles.iter().map(|circle| circle.join(", ")).collect()
}

fn reachable(from: &Module, imports: &Imports) -> BTreeSet<Module> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(module) = waiting.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
}
