//! Build tasks of the workspace: `cargo xtask build [--fast] [--only PACKAGE] [--features LIST] [--out DIR]`.
//!
//! `build` compiles the engine, its importers, and what `cf-forms/browser` loads, for `wasm32-unknown-unknown` and
//! writes the modules, their JavaScript glue and their type declarations to `pkg/wasm` (or DIR, from the workspace's
//! root). `--fast` is for development: it compiles quicker and leaves out `wasm-opt`; the module is larger and
//! slower. `--only` builds one module: `cf-forms`, `importers` or `browser`. `--features` turns on features of the
//! engine's crate that no release has, for tests.

mod glue;
mod inputs;
mod order;
mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

const USAGE: &str =
    "usage: cargo xtask build [--fast] [--only PACKAGE] [--features LIST] [--out DIR]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<()> {
    if arguments.next().as_deref() != Some("build") {
        bail!(USAGE);
    }
    let mut only = None;
    let mut build = wasm::Build {
        module: &wasm::ENGINE,
        workspace: workspace()?,
        fast: false,
        features: String::new(),
        out: PathBuf::from("pkg/wasm"),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fast" => build.fast = true,
            "--only" => only = Some(arguments.next().context(USAGE)?),
            "--features" => build.features = arguments.next().context(USAGE)?,
            "--out" => build.out = arguments.next().context(USAGE)?.into(),
            _ => bail!(USAGE),
        }
    }
    if !build.features.is_empty() {
        only = Some(wasm::ENGINE.package.to_owned());
    }
    let modules = [&wasm::ENGINE, &wasm::IMPORTERS, &wasm::BROWSER];
    let is_wanted = |module: &&&wasm::Module| {
        only.as_deref()
            .is_none_or(|package| package == module.package)
    };
    // One module is finished, which takes one core, while the next one is compiled.
    thread::scope(|scope| {
        let mut finishing = Vec::new();
        for module in modules.iter().filter(is_wanted) {
            let build = wasm::Build {
                module,
                ..build.clone()
            };
            let compiled = build.compile()?;
            finishing.push(scope.spawn(move || build.finish(&compiled)));
        }
        for build in finishing {
            build.join().map_err(|_| anyhow!("a build panicked"))??;
        }
        Ok(())
    })
}

/// The workspace's root: the folder above this crate.
fn workspace() -> Result<PathBuf> {
    // Cargo sets the variable at each run. The value at compile time may be wrong in a copied target folder.
    let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").context("run it by `cargo xtask`")?;
    let mut root = PathBuf::from(crate_folder);
    root.pop();
    root.canonicalize().context("the workspace's root is gone")
}
