/** `npm run test:admin`: tests the admin in a real browser. The last line is the sum, as in `npm test`. */
import { availableParallelism } from "node:os";
import { build } from "./build.mjs";
import { fail } from "./commands.mjs";
import { add, printSum, runNodeTests, testFiles } from "./node-tests.mjs";

async function main() {
  build();
  const files = [...testFiles("tests/admin"), ...testFiles("examples/admin-in-a-page")];
  printSum(add(Object.values(await runNodeTests(files, { concurrency: availableParallelism(), timeoutMs: 300_000 }))));
}

main().catch(fail);
