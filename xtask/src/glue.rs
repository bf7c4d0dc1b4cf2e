//! Turns the glue that wasm-bindgen writes for a module into a factory.
//!
//! The glue keeps its instance and the views of its memory in variables of the JavaScript module, so a module has one
//! instance. A factory creates one instance for each call: two engines run in one process, and bundlers see only a
//! static import.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::GzEncoder};

/// Rewrites `{stem}.js` and `{stem}.d.ts` in `out`, so that they export `createEngine(module)`, which returns an
/// object with the former exports. Types that the crate declares stay exports.
pub fn make_factory(out: &Path, stem: &str, instance: &str) -> Result<()> {
    let script = out.join(format!("{stem}.js"));
    let types = out.join(format!("{stem}.d.ts"));
    let factory = factory_of(&fs::read_to_string(&script)?)
        .with_context(|| format!("wasm-bindgen writes {} in a new way", script.display()))?;
    let declarations = declarations_of(&fs::read_to_string(&types)?, instance)
        .with_context(|| format!("wasm-bindgen writes {} in a new way", types.display()))?;
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
    // A function's comment stands right before it, after an empty line.
    let start = functions[..first].rfind("\n\n").unwrap_or(first);
    let (types, functions) = functions.split_at(start);
    let members = functions.replace("export function ", "");
    let is_more = members.lines().find(|line| line.starts_with("export "));
    ensure!(
        is_more.is_none(),
        "it declares more than functions after its types: {is_more:?}"
    );
    Ok(format!(
        "{types}\n/** What the module exports, on an instance and with glue of its own. */\n\
         export interface {instance} {{{members}}}\n\n\
         /** Makes an instance of the compiled module. Any number of them live side by side. */\n\
         export function createEngine(module: WebAssembly.Module): {instance};\n"
    ))
}

/// Writes the module as base64 of its gzip in a JavaScript module, `{stem}_inline.js`, for bundlers.
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

/// Compresses a module as servers send it.
pub fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}
