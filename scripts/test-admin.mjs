/** `npm run test:admin`: the admin in a real browser. `npm test` runs the same files with the others. */
import { readdirSync } from "node:fs";
import { build } from "./build.mjs";
import { become, fail } from "./commands.mjs";
import { node24 } from "./prerequisites.mjs";

try {
  build();
} catch (error) {
  fail(error);
}
const files = readdirSync("tests/admin").filter((name) => name.endsWith(".test.ts")).map((name) => `tests/admin/${name}`);
become(node24(), ["--disable-warning=ExperimentalWarning", "--test", "--test-concurrency=2", ...files, "examples/admin-in-a-page/page.test.ts"]);
