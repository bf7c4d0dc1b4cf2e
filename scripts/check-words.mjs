/**
 * Checks the words of the code: doc comments that open with a pronoun, sentences that are too long, and identifiers that
 * the glossary rules out (CONTRIBUTING.md). Prints each place and exits with 1 when there is one.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root } from "./commands.mjs";

/** Pronouns as first words, which leave the reader to work out what they name. */
const OPENINGS = /^(?:Its?|They|Those|These|Whose|Of|Nobody|Nothing|The same|As above)\b/;

const MAX_SENTENCE_WORDS = 35;

/** Words that identifiers must not contain, each with the glossary's word. */
const RULED_OUT = new Map([
  ["own", "the thing's name, such as `field` or `action`"],
  ["told", "a verb such as `report` or `notify`"],
  ["asked", "`requested` or the thing's name"],
  ["hopeless", "`permanent`"],
  ["harmless", "`sanitized`"],
  ["trouble", "`error`"],
  ["refusal", "`rejection` or `fault`"],
  ["mistake", "`fault` or `error`"],
  ["said", "the thing's name, such as `messages`"],
  ["heard", "the thing's name"],
]);

/**
 * Words that identifiers of one folder must not contain. The shim handles a visitor's answers only as a whole (`answers`),
 * so a singular `answer` would be a response there.
 */
const RULED_OUT_IN = new Map([
  [
    "host-shim/",
    new Map(["answer", "answered", "answering"].map((word) => [word, "`response`, `respond`, or `result` of a port"])),
  ],
]);

/** Identifiers that the specification, the contract or a library fixes. */
const FIXED = new Set([
  "AnswerFault",
  "AnsweringForms",
  "hasOwn",
  "hasOwnProperty",
  "getOwnPropertyNames",
  "getOwnPropertyDescriptor",
  "getOwnPropertySymbols",
  "ownKeys",
  "ToOwned",
  "Owned",
  "to_owned",
  "into_owned",
  "is_owned",
  "Owner",
  "owner",
]);

/** Generated and third-party files. */
const LEFT_OUT =
  /^(?:vendor\/|fuzz\/corpus\/|client\/operations\.ts$|visitor\/languages\/(?:english|index)\.ts$|package-lock\.json$)/;

/** @typedef {{ file: string, line: number, text: string }} Finding */

/** @param {string} file @param {string} source @returns {Finding[]} */
export function findingsOf(file, source) {
  return [...commentFindings(file, source), ...identifierFindings(file, source)];
}

/** @param {string} file @param {string} source @returns {Finding[]} */
function commentFindings(file, source) {
  return docComments(file, source).flatMap(({ line, text }) => {
    const findings = OPENINGS.test(text)
      ? [{ file, line, text: `opens with “${text.split(" ")[0]}”: ${text.slice(0, 80)}` }]
      : [];
    const long = sentences(text).filter((sentence) => sentence.split(/\s+/).length > MAX_SENTENCE_WORDS);
    return [
      ...findings,
      ...long.map((sentence) => ({
        file,
        line,
        text: `a sentence of ${sentence.split(/\s+/).length} words: ${sentence.slice(0, 80)}…`,
      })),
    ];
  });
}

/** Doc comments with the line at which each begins. @param {string} file @param {string} source */
function docComments(file, source) {
  return file.endsWith(".rs") ? rustComments(source) : blockComments(source);
}

/** @param {string} source */
function rustComments(source) {
  /** @type {{ line: number, text: string }[]} */
  const comments = [];
  let isOpen = false;
  source.split("\n").forEach((content, index) => {
    const text = /^\s*\/\/[/!] ?(.*)$/.exec(content)?.[1];
    const last = comments.at(-1);
    if (text === undefined) isOpen = false;
    else if (isOpen && last !== undefined) last.text += `\n${text}`;
    else {
      comments.push({ line: index + 1, text });
      isOpen = true;
    }
  });
  return comments;
}

/** @param {string} source */
function blockComments(source) {
  return Array.from(source.matchAll(/\/\*\*([\s\S]*?)\*\//g), ({ 1: content = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    text: content
      .split("\n")
      .map((line) => line.replace(/^\s*\* ?/, ""))
      .join("\n")
      .trim(),
  }));
}

/** The sentences of a comment, without code, lists and tables. @param {string} text */
function sentences(text) {
  const prose = text
    .replace(/```[\s\S]*?```/g, "")
    .split("\n")
    .filter((line) => !/^\s*(?:[-*|#]|\d+\.|@\w|\s{4})/.test(line))
    .join("\n")
    .replace(/`[^`]*`/g, "code");
  return prose
    .split(/(?<=[.!?:;])\s+|\n\s*\n/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => sentence !== "");
}

/** @param {string} file @param {string} source @returns {Finding[]} */
function identifierFindings(file, source) {
  /** @type {Finding[]} */
  const findings = [];
  const folders = [...RULED_OUT_IN].filter(([folder]) => file.startsWith(folder));
  const ruledOut = new Map([...RULED_OUT, ...folders.flatMap(([, words]) => [...words])]);
  for (const { line, name } of identifiers(file, source)) {
    if (FIXED.has(name)) continue;
    if (/^(?:MOST|MAXIMUM)_/.test(name))
      findings.push({ file, line, text: `${name}: a bound starts with MAX_ or MIN_` });
    const word = wordsOf(name).find((part) => ruledOut.has(part));
    if (word !== undefined) findings.push({ file, line, text: `${name}: instead of “${word}”, ${ruledOut.get(word)}` });
  }
  return findings;
}

/** Identifiers of the code, once for each line. @param {string} file @param {string} source */
function identifiers(file, source) {
  const code = withoutText(source, file.endsWith(".rs"));
  return code
    .split("\n")
    .flatMap((content, index) =>
      [...new Set(content.match(/[A-Za-z_]\w*/g) ?? [])].map((name) => ({ line: index + 1, name })),
    );
}

/**
 * The code with comments and texts blanked; the expressions in template literals stay. @param {string} source @param
 * {boolean} isRust
 */
function withoutText(source, isRust) {
  if (!isRust) return withoutScriptText(source);
  return source.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|r#*"[\s\S]*?"#*|"(?:\\[\s\S]|[^"\\])*"/g, blank);
}

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, " ");

/** Sticky patterns of comments, texts, regular expressions, and parts of template literals. */
const SCRIPT_TEXT = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const REGULAR_EXPRESSION = /\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE_PART = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** Blanks the texts of TypeScript, but not the code within `${…}`. @param {string} source */
function withoutScriptText(source) {
  let code = "";
  /** Number of open braces within each `${`. @type {number[]} */
  const open = [];
  while (code.length < source.length) {
    const at = code.length;
    const sign = source[at] ?? "";
    const isPart = sign === "`" || (sign === "}" && open.at(-1) === 0);
    const isExpression = sign === "/" && /(?:^|[(,=:[!&|?{};+\n]|\breturn|=>)\s*$/.test(code.slice(-40));
    const pattern = isPart
      ? TEMPLATE_PART
      : ([SCRIPT_TEXT, ...(isExpression ? [REGULAR_EXPRESSION] : [])].find((one) => matchAt(one, source, at) !== "") ??
        SCRIPT_TEXT);
    const text = matchAt(pattern, source, at);
    if (isPart && sign === "}") open.pop();
    if (isPart && text.endsWith("${")) open.push(0);
    if (text === "" && open.length > 0 && sign === "{") open[open.length - 1] = (open.at(-1) ?? 0) + 1;
    if (text === "" && open.length > 0 && sign === "}") open[open.length - 1] = (open.at(-1) ?? 0) - 1;
    code += text === "" ? sign : blank(text);
  }
  return code;
}

/** The text that a sticky pattern matches at an index; empty without a match. @param {RegExp} pattern @param {string} source @param {number} index */
function matchAt(pattern, source, index) {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0] ?? "";
}

/** The words of an identifier in lower case. @param {string} name */
function wordsOf(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
}

if (isMain(import.meta.url)) {
  // The commit hook names the files that a commit changes.
  const named = process.argv.slice(2);
  const all = () =>
    execFileSync("git", ["ls-files", "*.rs", "*.ts", "*.tsx", "*.mjs"], { cwd: root, encoding: "utf8" }).split("\n");
  const files = named.length > 0 ? named : all();
  const findings = files
    .filter((file) => file !== "" && !LEFT_OUT.test(file))
    .flatMap((file) => findingsOf(file, readFileSync(join(root, file), "utf8")));
  for (const { file, line, text } of findings) console.log(`${file}:${line}: ${text}`);
  console.log(`${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
