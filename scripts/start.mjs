/**
 * `npm start`: builds missing or outdated parts, then runs the embedded host from a copy of the package. Later builds do
 * not change the copy, because a running server reads from it (the admin's files, a restarted worker).
 */
import { join } from "node:path";
import { become, fail } from "./commands.mjs";
import { buildToRun } from "./build.mjs";
import { keepFor } from "./package-folders.mjs";
import { node24 } from "./prerequisites.mjs";

try {
  const copy = buildToRun();
  const server = become(node24(), [
    "--disable-warning=ExperimentalWarning",
    join(copy, "host-shim/hosts/embedded/main.js"),
    ...process.argv.slice(2),
  ]);
  if (server.pid !== undefined) keepFor(copy, server.pid);
} catch (error) {
  fail(error);
}
