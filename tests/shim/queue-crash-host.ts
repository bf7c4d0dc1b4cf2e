/**
 * A host process of the crash tests: `node queue-crash-host.ts <database> <ahead> [<folder of files>]`. The clock is
 * `<ahead>` ms ahead. A timer runs the queue every 50 ms. The process sends the port of the HTTP server to the parent.
 *
 * The parent sends two kinds of messages. A number sets the clock ahead by this number of ms. The message `settle`
 * stops the timer, runs due entries, and waits until no work is pending. After the first `settle`, entries run only on
 * a further `settle`, or after a request that starts the queue.
 */
import { serve } from "@hono/node-server";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { createForms } from "../../host-shim/src/index.ts";

const [place = "", startsAhead = "0", folder] = process.argv.slice(2);
let ahead = Number(startsAhead);
process.on("message", (message) => {
  if (message === "settle") void settle();
  else {
    ahead = Number(message);
    process.send?.("moved");
  }
});
/** Pending work: runs of the queue, and work that requests deferred. */
const under = new Set<Promise<unknown>>();
const begin = (work: Promise<unknown>): void => {
  const ended: Promise<unknown> = work.catch(() => undefined).finally(() => under.delete(ended));
  under.add(ended);
};
async function settle(): Promise<void> {
  clearInterval(interval);
  while (under.size > 0) await Promise.all(under);
  begin(runQueue());
  while (under.size > 0) await Promise.all(under);
  process.send?.("settled");
}

const database = place.startsWith("postgres:") ? openPostgres({ url: place }) : openSqlite({ path: place });
const principal = { id: "1", login: "admin", capabilities: ["edit_forms"] };
const forms = await createForms({
  baseUrl: "http://localhost",
  now: () => Date.now() + ahead,
  host: {
    database,
    ...(folder === undefined ? {} : { files: diskFiles(folder) }),
    defer: begin,
    authenticate: async () => ({ principal }),
    // The tests' receiver of webhooks has a private address, which `guardedFetch` would refuse.
    http: {
      async fetch({ url, method, headers, body }) {
        const response = await fetch(url, { method, headers, body: body === null ? null : Buffer.from(body) });
        return { status: response.status, headers: {}, body: new Uint8Array(await response.arrayBuffer()) };
      },
    },
  },
});
/** Runs the due entries. If the call fails, the next call runs the remaining entries. */
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
const interval = setInterval(() => begin(runQueue()), 50);
