/**
 * One host process of the crash test: `node queue-crash-host.ts <database> <ahead>`. Tells its port
 * to its parent; the parent tells it how far ahead its clock is, asks it to say when it runs nothing
 * any more, and kills it.
 */
import { serve } from "@hono/node-server";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { createForms } from "../../host-shim/src/index.ts";

const [place = "", startsAhead = "0"] = process.argv.slice(2);
let ahead = Number(startsAhead);
process.on("message", (message) => {
  if (message === "settle") void runQueue().then(() => process.send?.("settled"));
  else ahead = Number(message);
});

const database = place.startsWith("postgres:") ? openPostgres({ url: place }) : openSqlite({ path: place });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
const forms = await createForms({
  baseUrl: "http://localhost",
  now: () => Date.now() + ahead,
  host: {
    database,
    authenticate: async () => ({ principal }),
    // The receiver of the test is at a private address, which the guarded port refuses.
    http: {
      async fetch({ url, method, headers, body }) {
        const response = await fetch(url, { method, headers, body: body === null ? null : Buffer.from(body) });
        return { status: response.status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) };
      },
    },
  },
});
/** Runs what is due, until none is; a run that fails leaves it to the next. */
const runQueue = () => forms.runQueue().catch(() => undefined);
await forms.migrate();
const server = serve({
  fetch: async (request) => (await forms.fetch(request)) ?? new Response("Not found\n", { status: 404 }),
  hostname: "127.0.0.1",
  port: 0,
});
server.once("listening", () => {
  const address = server.address();
  process.send?.(address !== null && typeof address === "object" ? address.port : 0);
});
setInterval(() => void runQueue(), 50);
