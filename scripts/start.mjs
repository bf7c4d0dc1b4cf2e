/** `npm start`: builds what is missing or out of date, then runs the embedded host. */
import { become, fail } from "./commands.mjs";
import { build } from "./build.mjs";
import { node24 } from "./prerequisites.mjs";

try {
  build();
} catch (error) {
  fail(error);
}
become(node24(), ["--disable-warning=ExperimentalWarning", "host-shim/hosts/embedded/main.ts"]);
