/** What a browser or a Worker has to load. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Section } from "./section.ts";

const moduleSize: Section = {
  name: "module-size",
  async run() {
    const module = await readFile(new URL("../pkg/wasm/cf_forms_bg.wasm", import.meta.url));
    const gzip = gzipSync(module, { level: 9 }).length;
    return [
      {
        what: "wasm module, gzip",
        value: gzip / 1000,
        unit: "KB",
        budget: { atMost: 400 },
        detail: `${Math.round(module.length / 1000)} KB raw`,
      },
    ];
  },
};

export default moduleSize;
