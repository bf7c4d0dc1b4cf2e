/**
 * `npm start`: builds what is missing or out of date, then runs the embedded host, from a copy of the package that later
 * builds do not touch: a server reads from it for as long as it runs (the admin's files, a worker that is started anew).
 */
import { join } from "node:path";
import { become, fail } from "./commands.mjs";
import { buildToRun } from "./build.mjs";
import { keepFor } from "./package-folders.mjs";
import { node24 } from "./prerequisites.mjs";

try {
  const copy = buildToRun();
  const server = become(node24(), ["--disable-warning=ExperimentalWarning", join(copy, "host-shim/hosts/embedded/main.js")]);
  if (server.pid !== undefined) keepFor(copy, server.pid);
} catch (error) {
  fail(error);
}
