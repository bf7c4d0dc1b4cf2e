/** `npm run bench -- [section …]`: builds, then measures the budgets. */
import { build } from "./build.mjs";
import { become, fail } from "./commands.mjs";
import { node24 } from "./prerequisites.mjs";

try {
  build();
} catch (error) {
  fail(error);
}
const flags = ["--disable-warning=ExperimentalWarning", "--expose-gc"];
become(node24(), [...flags, "benches/bench.ts", ...process.argv.slice(2)]);
