/**
 * Checks the sizes of the code: no file of Rust or TypeScript over 400 lines, no function over 60, counted from its
 * signature to its closing brace. The bodies of tests may be longer, since they are read from top to bottom; the
 * functions that they share may not. Prints each place and exits with 1 when there is one.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { isMain, root } from "./commands.mjs";

const MAX_FILE_LINES = 400;

const MAX_FUNCTION_LINES = 60;

/** Generated and third-party files. */
const LEFT_OUT =
  /^(?:vendor\/|client\/(?:field-kinds|operations|settings)\.ts$|visitor\/languages\/(?:english|index)\.ts$)/;

/** Data files, which may be long because they are lists. */
const DATA = new Set(["tests/browser/answers-as-given-rows.ts", "tests/shim/documented-services.ts"]);

const TEST = /^tests\/|\.test\.ts$/;

/** @typedef {{ file: string, line: number, text: string }} Finding */

/** A function's name, and its first and last line, counted from 1. @typedef {{ name: string, line: number, end: number }} Extent */

/** @param {string} file @param {string} source @returns {Finding[]} */
export function findingsOf(file, source) {
  const lines = source.trimEnd().split("\n").length;
  const functions = file.endsWith(".rs") ? rustFunctions(source) : scriptFunctions(file, source);
  const long = functions.filter(({ line, end }) => end - line + 1 > MAX_FUNCTION_LINES);
  return [
    ...(lines > MAX_FILE_LINES && !DATA.has(file)
      ? [{ file, line: 1, text: `${lines} lines; a file has at most ${MAX_FILE_LINES}` }]
      : []),
    ...long.map(({ name, line, end }) => ({
      file,
      line,
      text: `${name}: ${end - line + 1} lines; a function has at most ${MAX_FUNCTION_LINES}`,
    })),
  ];
}

const RUST_SIGNATURE = /^( *)(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?(?:unsafe )?(?:extern "[^"]*" )?fn (\w+)/;

/**
 * The functions of Rust, without tests. `rustfmt` sets a closing brace below the first letter of its signature.
 * @param {string} source @returns {Extent[]}
 */
function rustFunctions(source) {
  const lines = source.split("\n");
  return lines.flatMap((content, index) => {
    const [, indent, name] = RUST_SIGNATURE.exec(content) ?? [];
    if (indent === undefined || name === undefined || /[;}]$/.test(content)) return [];
    const attributes = lines.slice(0, index).findLastIndex((other) => !/^\s*(?:#\[|\/\/)/.test(other));
    if (lines.slice(attributes + 1, index).some((other) => /^\s*#\[test\]/.test(other))) return [];
    const last = lines.findIndex((other, at) => at > index && other === `${indent}}`);
    return last < 0 ? [] : [{ name, line: index + 1, end: last + 1 }];
  });
}

/**
 * The functions of TypeScript: methods, components and callbacks too, but not the module around a script. In tests,
 * callbacks are the bodies of tests, and do not count.
 * @param {string} file @param {string} source @returns {Extent[]}
 */
function scriptFunctions(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lineOf = lineIndex(source);
  /** @type {Extent[]} */
  const functions = [];
  /** @type {Set<unknown>} */
  const uncounted = new Set();
  const add = (/** @type {import("oxc-parser").Function | import("oxc-parser").ArrowFunctionExpression} */ found) => {
    if (uncounted.has(found) || isGroupOfTests(file, source.slice(found.start, found.end))) return;
    const name = "id" in found && found.id ? found.id.name : lineAround(source, found.start);
    functions.push({ name, line: lineOf(found.start), end: lineOf(found.end) });
  };
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      uncounted.add(callee.type === "ParenthesizedExpression" ? callee.expression : callee);
      if (TEST.test(file)) for (const one of given) uncounted.add(one);
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program);
  return functions;
}

/**
 * Whether a function only adds tests, such as the same tests for several databases. @param {string} file @param
 * {string} body
 */
const isGroupOfTests = (file, body) => TEST.test(file) && /^ {2}(?:it|test)\(/m.test(body);

/** The line of code around an offset, which names a function without a name. @param {string} source @param {number} offset */
function lineAround(source, offset) {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  const end = source.indexOf("\n", offset);
  return source.slice(start, end < 0 ? source.length : end).trim();
}

/** Finds the line of an offset, counted from 1. @param {string} source @returns {(offset: number) => number} */
function lineIndex(source) {
  const starts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

if (isMain(import.meta.url)) {
  // The commit hook names the files that a commit changes.
  const named = process.argv.slice(2);
  const all = () =>
    execFileSync("git", ["ls-files", "*.rs", "*.ts", "*.tsx", "*.mjs", "*.js"], { cwd: root, encoding: "utf8" });
  const files = named.length > 0 ? named : all().split("\n");
  const findings = files
    .filter((file) => file !== "" && !LEFT_OUT.test(file))
    .flatMap((file) => findingsOf(file, readFileSync(join(root, file), "utf8")));
  for (const { file, line, text } of findings) console.log(`${file}:${line}: ${text}`);
  console.log(`${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
