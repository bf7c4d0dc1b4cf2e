//! Turns the glue, the JavaScript that wasm-bindgen writes for a WebAssembly module, into a factory.
//!
//! The glue keeps one instance, and views of the instance's memory, in variables of the JavaScript module. A factory
//! creates an instance at each call, so several engines can run in one process. The caller passes the compiled module,
//! so a bundler only has to resolve the import of the script.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};

/// Rewrites `{stem}.js` and `{stem}.d.ts` in `out`. The new files export `createEngine(module)` in place of
/// the functions. `createEngine` returns an object with the functions. `instance` is the name of the object's type. The
/// types that the crate declares are still exported.
pub fn make_factory(out: &Path, stem: &str, instance: &str) -> Result<()> {
    let script = out.join(format!("{stem}.js"));
    let types = out.join(format!("{stem}.d.ts"));
    let factory = factory_of(&fs::read_to_string(&script)?)
        .with_context(|| format!("wasm-bindgen changed the format of {}", script.display()))?;
    let declarations = declarations_of(&fs::read_to_string(&types)?, instance)
        .with_context(|| format!("wasm-bindgen changed the format of {}", types.display()))?;
    fs::write(script, factory)?;
    fs::write(types, declarations)?;
    Ok(())
}

fn factory_of(glue: &str) -> Result<String> {
    let mut names = Vec::new();
    let mut body = String::new();
    for line in glue.lines() {
        if let Some(function) = line.strip_prefix("export function ") {
            let name = function.split([' ', '(']).next().unwrap_or_default();
            names.push(name);
            body.push_str("function ");
            body.push_str(function);
        } else if line.starts_with("export {") {
            ensure!(line.contains("initSync"), "it exports {line}");
        } else if line.starts_with("export ") || line.starts_with("import ") {
            bail!("it has the line {line}");
        } else if !line.starts_with("/* @ts-self-types") {
            body.push_str(line);
        }
        body.push('\n');
    }
    ensure!(!names.is_empty(), "it exports no function");
    let names = names.join(", ");
    Ok(format!(
        "/* Made by `cargo xtask build`. */\nexport function createEngine(module) {{\n{body}\
         initSync({{ module }});\nreturn {{ {names} }};\n}}\n"
    ))
}

fn declarations_of(types: &str, instance: &str) -> Result<String> {
    let (functions, _) = types
        .split_once("export type InitInput")
        .context("it declares no InitInput")?;
    let first = functions
        .find("export function ")
        .context("it declares no function")?;
    // The first function begins with a comment. An empty line precedes this comment.
    let start = functions[..first].rfind("\n\n").unwrap_or(first);
    let (types, functions) = functions.split_at(start);
    let members = functions.replace("export function ", "");
    if let Some(line) = members.lines().find(|line| line.starts_with("export ")) {
        bail!("it has the line {line} after the types");
    }
    Ok(format!(
        "{types}\n/** The exports of one instance of the module. */\n\
         export interface {instance} {{{members}}}\n\n\
         /** Creates an instance of the compiled module. A process may have several instances. */\n\
         export function createEngine(module: WebAssembly.Module): {instance};\n"
    ))
}

/// Writes the gzipped WebAssembly module as base64 to a script for bundlers, `{stem}_inline.js`, and writes the types
/// of this script.
pub fn write_inline(out: &Path, stem: &str) -> Result<()> {
    let module = STANDARD.encode(gzip(&fs::read(out.join(format!("{stem}_bg.wasm")))?)?);
    let script =
        format!("/* Made by `cargo xtask build`. */\nexport const base64 =\n\"{module}\";\n");
    fs::write(out.join(format!("{stem}_inline.js")), script)?;
    fs::write(
        out.join(format!("{stem}_inline.d.ts")),
        "/** The WebAssembly module, gzipped. */\nexport const base64: string;\n",
    )?;
    Ok(())
}

/// Writes the API's OpenAPI document to a script, `openapi.js`, since a Cloudflare Worker cannot read files.
pub fn write_reference(workspace: &Path, out: &Path) -> Result<()> {
    let text = fs::read_to_string(workspace.join("docs/openapi.json"))?;
    let document: String = text.lines().map(str::trim_start).collect();
    let script =
        format!("/* Made by `cargo xtask build`. */\nexport const document =\n{document};\n");
    fs::write(out.join("openapi.js"), script)?;
    Ok(())
}

/// Compresses a module with gzip, at the highest level.
pub fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}
