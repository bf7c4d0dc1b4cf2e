//! Hashes the inputs of a build, so that a build with unchanged inputs is skipped.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};

/// Files and folders that determine the module, relative to the workspace's root.
const INPUTS: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "crates",
    "docs/openapi.json",
    "src",
    "visitor/languages/en.json",
    "vendor",
    "xtask/src",
    "node_modules/binaryen/package.json",
];

/// A hash over the content of every input and over `settings`, as hexadecimal digits.
///
/// The hash covers content, not modification times, which a fresh clone or a cache changes. The hasher is std's with
/// its fixed keys, because the hash only avoids work and need not resist attacks.
pub fn fingerprint(workspace: &Path, settings: &[&str]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    settings.hash(&mut hasher);
    for input in INPUTS {
        let path = workspace.join(input);
        if path.exists() {
            hash_path(&path, &mut hasher)?;
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn hash_path(path: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    path.hash(hasher);
    if path.is_dir() {
        let mut children = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<std::io::Result<Vec<_>>>()?;
        children.sort();
        for child in children {
            hash_path(&child, hasher)?;
        }
    } else {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        content.hash(hasher);
    }
    Ok(())
}
