/**
 * Generates the engine's Unicode tables, `crates/model/src/unicode/*.bin`, from Node's Unicode data. The command is
 * `node_modules/.bin/node scripts/unicode-tables.ts`; with `--check` it only compares the tables. Node must have the
 * Unicode version below, so that the tables are reproducible.
 *
 * The formats write a number in 7-bit groups, the lowest first (LEB128), and a difference as a zigzag number:
 *
 * - `categories.bin`: runs of code points of one general category. A byte is the category's index in `CATEGORIES` plus
 *   32 × (length − 1). From a length of 8 on, it is the index plus 32 × 7, and the length follows as a number.
 * - `scripts.bin`: for each script, a byte with the length of its names, the names (`Latin Latn`), and the number of
 *   its ranges. Each range is its distance from the end of the previous one, and its length.
 * - `decompositions.bin`: the number of characters, then four lists. The first has the characters, as distances from
 *   the previous one less one. The second has the lengths of their decompositions. The third has the first characters
 *   of the decompositions, as differences from the previous entry. The last has the other characters, as differences
 *   from the character before.
 * - `cases.bin`: for lower case, then for upper case, the number of runs of characters with an equal difference to
 *   their counterparts. Each run is its distance from the last character of the previous run, 2 × (length − 1) (plus 1
 *   if only every second character belongs to it), and the difference. ASCII, and characters with several counterparts,
 *   are left out.
 */
import { readFileSync, writeFileSync } from "node:fs";

const UNICODE = "17.0";

/** General categories, sorted by group (`L`, `M`, …), in the same order as in `category.rs`. */
const CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split(
  " ",
);

const SCRIPTS = (
  "Latin Latn, Greek Grek, Cyrillic Cyrl, Armenian Armn, Hebrew Hebr, Arabic Arab, Syriac Syrc, Devanagari Deva, Bengali Beng, " +
  "Gurmukhi Guru, Gujarati Gujr, Oriya Orya, Tamil Taml, Telugu Telu, Kannada Knda, Malayalam Mlym, Sinhala Sinh, Thai Thai, " +
  "Lao Laoo, Tibetan Tibt, Myanmar Mymr, Georgian Geor, Hangul Hang, Ethiopic Ethi, Khmer Khmr, Mongolian Mong, Hiragana Hira, " +
  "Katakana Kana, Bopomofo Bopo, Han Hani, Common Zyyy, Inherited Zinh"
).split(", ");

/**
 * Ranges of characters whose decompositions are kept. Decompositions of squared words, radicals and CJK supplements are
 * not worth their size.
 */
const DECOMPOSED: readonly (readonly [number, number])[] = [
  [0x80, 0x1fff],
  [0x2070, 0x218f],
  [0x2460, 0x24ff],
  [0x2c60, 0x2dff],
  [0x3040, 0x30ff],
  [0xa640, 0xa7ff],
  [0xab30, 0xabbf],
  [0xf900, 0xffef],
  [0x1d400, 0x1d7ff],
];

const LAST = 0x10ffff;

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

function number(value: number): number[] {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

const difference = (value: number): number[] => number(value < 0 ? -2 * value - 1 : 2 * value);

/** Returns the ranges of code points for which `holds` is true: the first code point, and the one after the last. */
function ranges(holds: (code: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  let isInside = false;
  for (let code = 0; code <= LAST + 1; code += 1) {
    const does = code <= LAST && holds(code);
    if (does && !isInside) found.push([code, code]);
    const last = found.at(-1);
    if (!does && isInside && last !== undefined) last[1] = code;
    isInside = does;
  }
  return found;
}

const property = (name: string) => {
  const pattern = new RegExp(`^\\p{${name}}$`, "u");
  return (code: number): boolean => !isSurrogate(code) && pattern.test(String.fromCodePoint(code));
};

function categories(): number[] {
  const tests = CATEGORIES.map((name) => property(`gc=${name}`));
  const category = (code: number) =>
    isSurrogate(code) ? CATEGORIES.indexOf("Cs") : tests.findIndex((test) => test(code));
  const runs: { place: number; length: number }[] = [];
  for (let code = 0; code <= LAST; code += 1) {
    const place = category(code);
    const last = runs.at(-1);
    if (last?.place === place) last.length += 1;
    else runs.push({ place, length: 1 });
  }
  return runs.flatMap(({ place, length }) =>
    length < 8 ? [place + 32 * (length - 1)] : [place + 32 * 7, ...number(length)],
  );
}

function scripts(): number[] {
  return SCRIPTS.flatMap((names) => {
    const found = ranges(property(`sc=${names.split(" ")[0]}`));
    let end = 0;
    const bounds = found.flatMap(([first, behind]) => {
      const distance = first - end;
      end = behind;
      return [...number(distance), ...number(behind - first)];
    });
    return [names.length, ...Buffer.from(names), ...number(found.length), ...bounds];
  });
}

/** Returns the full compatibility decomposition (NFKD) in lower case. */
function decomposed(text: string): string {
  const next = text.normalize("NFKD").toLowerCase();
  return next === text ? text : decomposed(next);
}

function decompositions(): number[] {
  const entries = DECOMPOSED.flatMap(([first, last]) => {
    const codes = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    const characters = codes.map((code) => String.fromCodePoint(code));
    // Upper-case characters are converted before the lookup.
    const inLowerCase = characters.filter((character) => character.toLowerCase() === character);
    return inLowerCase.filter((character) => decomposed(character) !== character);
  });
  const code = (character: string): number => character.codePointAt(0) ?? 0;
  const becomes = entries.map((entry) => Array.from(decomposed(entry), code));
  const before = (at: number, list: readonly number[]): number => list[at - 1] ?? 0;
  const codes = entries.map(code);
  const firsts = becomes.map(([first = 0]) => first);
  return [
    ...number(entries.length),
    ...codes.flatMap((value, at) => number(value - before(at, codes) - 1)),
    ...becomes.map((list) => list.length),
    ...firsts.flatMap((value, at) => difference(value - before(at, firsts))),
    ...becomes.flatMap((list) => list.flatMap((value, at) => (at === 0 ? [] : difference(value - before(at, list))))),
  ];
}

interface CaseRun {
  readonly first: number;
  last: number;
  length: number;
  step: number;
  readonly difference: number;
}

function caseRuns(become: (character: string) => string): number[] {
  const runs: CaseRun[] = [];
  for (let code = 128; code <= LAST; code += 1) {
    const [other = "", ...more] = isSurrogate(code) ? "" : become(String.fromCodePoint(code));
    const distance = (other.codePointAt(0) ?? code) - code;
    if (distance === 0 || more.length > 0) continue;
    const run = runs.at(-1);
    const step = code - (run?.last ?? 0);
    if (run?.difference === distance && (run.length === 1 ? step <= 2 : step === run.step)) {
      Object.assign(run, { last: code, length: run.length + 1, step });
    } else runs.push({ first: code, last: code, length: 1, step: 1, difference: distance });
  }
  const distance = (run: CaseRun, at: number): number => run.first - (runs[at - 1]?.last ?? 0);
  const written = runs.flatMap((run, at) => [
    ...number(distance(run, at)),
    ...number((run.length - 1) * 2 + run.step - 1),
    ...difference(run.difference),
  ]);
  return [...number(runs.length), ...written];
}

const cases = (): number[] => [...caseRuns((text) => text.toLowerCase()), ...caseRuns((text) => text.toUpperCase())];

if (process.versions["unicode"] !== UNICODE)
  throw new Error(`this Node knows Unicode ${process.versions["unicode"]}, the tables are of ${UNICODE}`);
const folder = new URL("../crates/model/src/unicode/", import.meta.url);
const tables = { categories: categories(), scripts: scripts(), decompositions: decompositions(), cases: cases() };
for (const [name, bytes] of Object.entries(tables)) {
  const file = new URL(`${name}.bin`, folder);
  const made = Buffer.from(bytes);
  if (!process.argv.includes("--check")) writeFileSync(file, made);
  else if (!readFileSync(file).equals(made))
    throw new Error(`${name}.bin is outdated: run this script without --check`);
}
