/**
 * `npm run bench`, or `npm run bench -- <section> …`: measures the budgets, prints them as a table
 * and writes `target/bench.json`. Fails when a budget is missed.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import type { Measurement, Section } from "./section.ts";

const folder = new URL("./", import.meta.url);
const report = new URL("../target/bench.json", import.meta.url);

async function sections(): Promise<Section[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".bench.ts")).sort();
  const modules: { default: Section }[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
  return modules.map((module) => module.default);
}

function isWithinBudget({ value, budget }: Measurement): boolean {
  return "atMost" in budget ? value <= budget.atMost : value >= budget.atLeast;
}

/** Formats a number with three significant digits and without exponent. */
function readable(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function row(section: Section, measurement: Measurement): Record<string, string> {
  const { what, value, unit, budget, detail } = measurement;
  const limit = "atMost" in budget ? `≤ ${budget.atMost}` : `≥ ${budget.atLeast}`;
  return {
    section: section.name,
    what,
    measured: `${readable(value)} ${unit}`,
    budget: `${limit} ${unit}`,
    result: isWithinBudget(measurement) ? "pass" : "FAIL",
    detail,
  };
}

const wanted = process.argv.slice(2);
const known = await sections();
const unknown = wanted.filter((name) => known.every((section) => section.name !== name));
if (unknown.length > 0) {
  console.error(`unknown section: ${unknown.join(", ")}; the sections are ${known.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const rows = [];
const measured = [];
for (const section of known) {
  if (wanted.length > 0 && !wanted.includes(section.name)) continue;
  console.log(`measuring ${section.name} …`);
  for (const measurement of await section.run()) {
    rows.push(row(section, measurement));
    measured.push({ section: section.name, ...measurement, pass: isWithinBudget(measurement) });
  }
}
console.table(rows);
await mkdir(new URL("./", report), { recursive: true });
await writeFile(report, `${JSON.stringify({ node: process.version, measured }, null, 2)}\n`);
process.exitCode = measured.every(({ pass }) => pass) ? 0 : 1;
