//! Build tasks of the workspace: `cargo xtask build [--fast] [--only PACKAGE] [--out DIR]`.
//!
//! `build` compiles the engine, the importers and the module of `cf-forms/browser` for `wasm32-unknown-unknown`. It
//! writes the modules, their JavaScript glue and their type declarations to `pkg/wasm` (or DIR, relative to the
//! workspace's root). `--fast` is for development: it compiles faster and leaves out `wasm-opt`, but the module is
//! larger and slower. `--only` builds one module: `cf-forms`, `importers` or `browser`.

mod glue;
mod inputs;
mod order;
mod wasm;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

const USAGE: &str = "usage: cargo xtask build [--fast] [--only PACKAGE] [--out DIR]";

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
        out: PathBuf::from("pkg/wasm"),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fast" => build.fast = true,
            "--only" => only = Some(arguments.next().context(USAGE)?),
            "--out" => build.out = arguments.next().context(USAGE)?.into(),
            _ => bail!(USAGE),
        }
    }
    // `scripts/test.mjs` waits for this line: cargo has released the lock on the artifacts for this machine.
    println!("building wasm modules");
    let modules = [&wasm::ENGINE, &wasm::IMPORTERS, &wasm::BROWSER];
    let is_wanted = |module: &&&wasm::Module| {
        only.as_deref()
            .is_none_or(|package| package == module.package)
    };
    // Finishing a module uses one core, so the next module is compiled at the same time.
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
