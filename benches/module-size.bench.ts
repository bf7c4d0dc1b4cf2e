/** Sizes of the modules that a browser or a Worker loads. */
import { readFile } from "node:fs/promises";
import { gzipSize } from "./gzip-size.ts";
import type { Section } from "./section.ts";

async function sizeOf(what: string, file: string, atMost: number) {
  const module = await readFile(new URL(`../pkg/wasm/${file}`, import.meta.url));
  const value = gzipSize(module) / 1000;
  return { what, value, unit: "KB" as const, budget: { atMost }, detail: `${Math.round(module.length / 1000)} KB raw` };
}

const moduleSize: Section = {
  name: "module-size",
  run: () =>
    Promise.all([
      sizeOf("engine's module, gzip", "cf_forms_bg.wasm", 1100),
      sizeOf("browser's module, gzip", "browser_bg.wasm", 390),
      sizeOf("importers' module, gzip", "importers_bg.wasm", 260),
    ]),
};

export default moduleSize;
