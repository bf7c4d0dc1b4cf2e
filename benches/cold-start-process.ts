/**
 * Measures one cold start in a separate process, because V8 shares compiled functions within a process. Prints the
 * milliseconds from a compiled module to the response to a first request.
 */
import { loadEngine } from "#load-engine";
import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { createForms } from "../host-shim/src/index.ts";

const baseUrl = "http://bench.test";
const [path, task] = process.argv.slice(2);
if (path === undefined) throw new Error("usage: cold-start-process.ts <database file> [migrate]");
const database = openSqlite({ path });
const principal = { id: "1", login: "bench", capabilities: ["edit_forms"] };
const host = { database, authenticate: () => Promise.resolve({ principal }) };

if (task === "migrate") {
  await (await createForms({ host, baseUrl })).migrate();
} else {
  // Compiles the module; none of its functions has run yet.
  await loadEngine();
  // Node needs 20 ms or more to load its fetch classes on first use; a server has loaded them already.
  await new Response(new Request(baseUrl).body).arrayBuffer();
  const started = performance.now();
  const forms = await createForms({ host, baseUrl });
  const response = await forms.fetch(new Request(`${baseUrl}/api/cf/v1/forms`));
  await response?.arrayBuffer();
  const took = performance.now() - started;
  if (response?.status !== 200) throw new Error(`the response to the first request was ${response?.status}`);
  console.log(took);
}
await database.close();
