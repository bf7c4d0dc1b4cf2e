/**
 * One cold start, in a process of its own because V8 shares compiled functions within one: prints
 * the milliseconds from a compiled module to the answer of a first request.
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
  // Compiles the module; of its functions none has run yet.
  await loadEngine();
  // Node loads its own fetch classes on first use, in 20 ms and more; a server has used them.
  await new Response(new Request(baseUrl).body).arrayBuffer();
  const started = performance.now();
  const forms = await createForms({ host, baseUrl });
  const response = await forms.fetch(new Request(`${baseUrl}/api/cf/v1/forms`));
  await response?.arrayBuffer();
  const took = performance.now() - started;
  if (response?.status !== 200) throw new Error(`the first request was answered ${response?.status}`);
  console.log(took);
}
await database.close();
