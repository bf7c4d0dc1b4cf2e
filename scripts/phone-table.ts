/**
 * Generates `crates/model/src/phones.txt` from libphonenumber's metadata, and the names of countries in
 * `visitor/languages` from Node's: `node_modules/.bin/node scripts/phone-table.ts`. With `--check` it only compares the
 * table.
 *
 * A line of the table groups the calling codes that share two facts: the trunk prefix of national numbers (`-` for
 * none), and their possible lengths, as bits of a hexadecimal number. The calling codes follow, each with its regions,
 * the main region first.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

/** The parts of the metadata that the table needs. */
interface Metadata {
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
  /** The third member has the possible lengths, the fifth the trunk prefix. */
  readonly countries: Readonly<
    Record<string, readonly [string, string, string, number[], unknown, string | 0 | undefined]>
  >;
}

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const { country_calling_codes: codes, countries }: Metadata = JSON.parse(
  read("node_modules/libphonenumber-js/metadata.min.json"),
);

/** The table's lines, by the trunk prefix and the possible lengths in the main region. */
const lines = new Map<string, string>();
for (const [code, regions] of Object.entries(codes)) {
  const [, , , possible, , trunk] = countries[regions[0] ?? ""] ?? ["", "", "", [], [], ""];
  const key = `${trunk || "-"} ${possible.reduce((sum, length) => sum + 2 ** length, 0).toString(16)}`;
  lines.set(key, `${lines.get(key) ?? key} ${code}${regions.join("")}`);
}
const table = [...lines.values()].sort().join("\n");
const path = "crates/model/src/phones.txt";
if (process.argv.includes("--check")) {
  if (read(path) !== table) throw new Error(`${path} is outdated: run this script without --check`);
} else {
  writeFileSync(new URL(path, root), table);
  for (const name of readdirSync(new URL("visitor/languages/", root)).filter((name) => name.endsWith(".json"))) {
    const language = name.replace(".json", "");
    const names = new Intl.DisplayNames([language], { type: "region" });
    const { compare } = new Intl.Collator(language);
    const named = Object.keys(countries).map((region) => [region, names.of(region) ?? region] as const);
    const sorted = named.sort(([, one], [, other]) => compare(one, other));
    const file = `visitor/languages/${name}`;
    const texts: unknown = { ...JSON.parse(read(file)), country_names: sorted.map((pair) => pair.join(" ")).join("|") };
    writeFileSync(new URL(file, root), `${JSON.stringify(texts, null, 2)}\n`);
  }
}
