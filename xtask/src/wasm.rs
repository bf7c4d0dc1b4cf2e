//! Compiles the crates of the package to WebAssembly and writes the package's `wasm` folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::glue::{gzip, make_factory, write_inline, write_reference};
use crate::inputs::fingerprint;
use crate::order::name_by_likeness;

const TARGET: &str = "wasm32-unknown-unknown";

/// LLVM inlines only functions below these thresholds, the second of which is for functions with an `inline` hint. They
/// make the module a sixth smaller, and a submit at most a twentieth slower. Loops are not unrolled, which saves 17 KB
/// gzip and is no slower. The first threshold does not apply at opt-level 3; at "z", LLVM inlines even less.
const SIZE_BOUNDS: &str = "-inlinedefault-threshold=10 -inlinehint-threshold=40 -unroll-threshold=0 -unroll-partial-threshold=0";

/// The inline threshold for the engine's last pass over all crates (LTO).
const LAST_BOUND: &str = "-Cllvm-args=-inline-threshold=10";

/// A crate that becomes a module, and the names of its files.
pub struct Module {
    /// The crate's name.
    pub package: &'static str,
    /// The name of its files and its JavaScript glue.
    stem: &'static str,
    /// The TypeScript type of an instance.
    instance: &'static str,
}

/// The engine.
pub const ENGINE: Module = Module {
    package: "cf-forms",
    stem: "cf_forms",
    instance: "Engine",
};

/// The module of `cf-forms/browser`.
pub const BROWSER: Module = Module {
    package: "browser",
    stem: "browser",
    instance: "BrowserModule",
};

/// The readers of other systems' files, loaded at the first import.
pub const IMPORTERS: Module = Module {
    package: "importers",
    stem: "importers",
    instance: "Importers",
};

/// A compiled crate, from which [`Build::finish`] makes the module.
pub struct Compiled {
    /// The compiler's output; `None` if the module is up to date.
    path: Option<PathBuf>,
    /// The fingerprint of the inputs.
    inputs: String,
}

/// One build of a module.
#[derive(Clone)]
pub struct Build {
    /// The module.
    pub module: &'static Module,
    /// The workspace's root.
    pub workspace: PathBuf,
    /// Whether to compile for a quick edit-and-run cycle instead of for a release.
    pub fast: bool,
    /// The output folder, relative to the workspace's root.
    pub out: PathBuf,
}

impl Build {
    /// Compiles the module's crate unless the module is up to date. [`Build::finish`] makes the module from the output.
    ///
    /// # Errors
    /// Fails when the compiler does.
    pub fn compile(&self) -> Result<Compiled> {
        let stem = self.module.stem;
        let inputs = self.fingerprint()?;
        let (module, stamp) = (self.output(), self.stamp());
        let is_up_to_date =
            module.exists() && fs::read_to_string(&stamp).is_ok_and(|built| built == inputs);
        let path = if is_up_to_date {
            None
        } else {
            // An interrupted build must not count as finished.
            if stamp.exists() {
                fs::remove_file(&stamp)?;
            }
            // The file moves to another folder, because other modules are compiled, with other settings, before this
            // module is finished.
            let path = self.run_compiler()?;
            let kept = path
                .with_file_name("to-finish")
                .join(format!("{stem}.wasm"));
            fs::create_dir_all(path.with_file_name("to-finish"))?;
            fs::rename(path, &kept)?;
            Some(kept)
        };
        Ok(Compiled { path, inputs })
    }

    /// Makes the module from its compiled crate, and prints its size.
    ///
    /// # Errors
    /// Fails when a step fails.
    pub fn finish(&self, compiled: &Compiled) -> Result<()> {
        if let Some(path) = &compiled.path {
            let out = self.workspace.join(&self.out);
            let staged = out.join(format!(".{}-staged", self.module.stem));
            self.make(path, &staged)?;
            replace_files(&staged, &out)?;
        }
        self.report_size(&self.output(), compiled.path.is_none())?;
        fs::write(self.stamp(), &compiled.inputs)?;
        Ok(())
    }

    fn output(&self) -> PathBuf {
        let name = format!("{}_bg.wasm", self.module.stem);
        self.workspace.join(&self.out).join(name)
    }

    /// The file with the fingerprint of the inputs of the last finished build.
    fn stamp(&self) -> PathBuf {
        let name = format!(".{}-inputs", self.module.stem);
        self.workspace.join(&self.out).join(name)
    }

    /// Makes all of the module's files in a staging folder.
    fn make(&self, compiled: &Path, staged: &Path) -> Result<()> {
        let stem = self.module.stem;
        if staged.exists() {
            fs::remove_dir_all(staged)?;
        }
        self.bind(compiled, staged)?;
        if !self.fast {
            self.optimize(&staged.join(format!("{stem}_bg.wasm")))?;
        }
        if stem != BROWSER.stem {
            write_inline(staged, stem)?;
        }
        if stem == ENGINE.stem {
            write_reference(&self.workspace, staged)?;
        }
        Ok(())
    }

    fn fingerprint(&self) -> Result<String> {
        let rustc = Command::new("rustc").arg("--version").output()?;
        let rustc = String::from_utf8_lossy(&rustc.stdout);
        fingerprint(&self.workspace, &[&rustc, self.profile()])
    }

    fn profile(&self) -> &'static str {
        if self.fast { "fast" } else { "release" }
    }

    /// Compiles the crate only as a module (`cdylib`). If cargo also built the Rust library, which the manifest
    /// declares for the tests, it would leave out the last pass over all crates (`lto`).
    fn run_compiler(&self) -> Result<PathBuf> {
        let target_folder = self.workspace.join("target");
        let mut cargo = Command::new("cargo");
        cargo
            .current_dir(&self.workspace)
            .args(["rustc", "--package", self.module.package, "--lib"])
            .args(["--crate-type", "cdylib"])
            .args(["--target", TARGET, "--profile", self.profile()])
            .env("CARGO_ENCODED_RUSTFLAGS", self.flags())
            .arg("--target-dir")
            .arg(&target_folder);
        if !self.fast && self.module.stem != ENGINE.stem {
            // These modules run once per click, so a fast download matters more than their speed.
            cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z");
            for package in ["markup", "model"] {
                let level = format!("profile.release.package.{package}.opt-level=\"z\"");
                cargo.args(["--config", &level]);
            }
        }
        if !self.fast && self.module.stem == ENGINE.stem {
            cargo.args(["--", LAST_BOUND]);
        }
        run(&mut cargo)?;
        let folder = target_folder.join(TARGET).join(self.profile());
        Ok(folder.join(format!("{}.wasm", self.module.stem)))
    }

    /// Compiler flags, in cargo's encoding. The source paths in panic messages are made independent of the machine.
    fn flags(&self) -> OsString {
        let mut flags = OsString::from("--remap-path-prefix=");
        flags.push(&self.workspace);
        flags.push("=.");
        // rustup's cargo, which runs this program, sets the variable.
        if let Some(cargo_home) = std::env::var_os("CARGO_HOME") {
            flags.push("\u{1f}--remap-path-prefix=");
            flags.push(Path::new(&cargo_home).join("registry/src"));
            flags.push("=crates");
        }
        if !self.fast {
            flags.push("\u{1f}-Cllvm-args=");
            flags.push(SIZE_BOUNDS);
        }
        flags
    }

    /// Shrinks the module in place: repeats the passes until its size stays the same.
    ///
    /// Function names are dropped, which saves about 30 KB of gzip; a `--fast` build keeps them for the stacks of
    /// traps. Large functions with one caller are not inlined: JavaScript engines optimize hot functions one by one,
    /// and a large function stays slow for a long time. `--low-memory-unused` is valid because the lowest kilobyte is
    /// the end of the stack, from which no address is computed. Finally, similar functions are put next to each other,
    /// and their locals are numbered alike. The names of the tools are dropped, which saves 0.2 KB.
    fn optimize(&self, module: &Path) -> Result<()> {
        let wasm_opt = self.workspace.join("node_modules/binaryen/bin/wasm-opt");
        ensure!(wasm_opt.exists(), "wasm-opt is missing: run `npm ci` first");
        let mut command = Command::new("node");
        command.arg(&wasm_opt).args([
            "--generate-global-effects",
            "-O3",
            "--converge",
            "--low-memory-unused",
            "--strip-debug",
            "--one-caller-inline-max-function-size=100",
        ]);
        run(command.arg(module).arg("-o").arg(module))?;
        let named = name_by_likeness(&fs::read(module)?)?;
        fs::write(module, named)?;
        let mut command = Command::new("node");
        command.arg(wasm_opt).args([
            "--reorder-functions-by-name",
            "--coalesce-locals",
            "--reorder-locals",
            "--strip-debug",
            "--strip-producers",
            "--strip-target-features",
        ]);
        run(command.arg(module).arg("-o").arg(module))
    }

    fn report_size(&self, module: &Path, up_to_date: bool) -> Result<()> {
        let content = fs::read(module)?;
        let (raw, packed) = (content.len(), gzip(&content)?.len());
        let state = if up_to_date { "up to date" } else { "built" };
        println!(
            "wasm module of {} {state}: {} KB, {} KB gzip ({})",
            self.module.package,
            raw / 1000,
            packed / 1000,
            self.profile()
        );
        Ok(())
    }

    /// Writes the glue, the type declarations and the module for the compiled crate. Every runtime can load the
    /// target `web`; see `docs/hosting.md`.
    fn bind(&self, compiled: &Path, out: &Path) -> Result<()> {
        Bindgen::new()
            .input_path(compiled)
            .web(true)?
            .typescript(true)
            .reset_state_function(true)
            .omit_default_module_path(true)
            .generate(out)
            .context("wasm-bindgen failed")?;
        make_factory(out, self.module.stem, self.module.instance)
    }
}

/// Moves the files of a folder to another folder, and replaces each file atomically.
fn replace_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    fs::remove_dir(from)?;
    Ok(())
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_owned();
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(status.success(), "{} failed: {status}", program.display());
    Ok(())
}
