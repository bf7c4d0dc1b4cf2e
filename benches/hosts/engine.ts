/**
 * The engine in its embedded host, as with `npm start`, but without the queue, because only the submit is measured. With
 * `BENCH_QUEUE` the queue runs, and its mailer responds at once. `BENCH_PORT` sets the port.
 */

import { startEmbeddedHost, readConfiguration } from "../../host-shim/hosts/embedded/index.ts";
import { createForms } from "../../host-shim/src/index.ts";
import { runHost } from "./control.ts";
import { APPLICATION_PASSWORD, authorization, benchForm, variedForm } from "./form.ts";

const runsQueue = process.env["BENCH_QUEUE"] !== undefined;
const mailer = { send: async () => ({ message_id: "", response: "250 OK" }) };

await runHost(async (folder) => {
  const configuration = readConfiguration({
    PORT: process.env["BENCH_PORT"] ?? "0",
    DATA_DIR: folder,
    CF_ADMIN_APP_PASSWORD: APPLICATION_PASSWORD,
    CF_SECRET: "a secret of the benchmark",
    ...(runsQueue ? {} : { QUEUE_INTERVAL_MS: "86400000" }),
    ...(process.env["DATABASE_URL"] === undefined ? {} : { DATABASE_URL: process.env["DATABASE_URL"] }),
  });
  const host = await startEmbeddedHost(configuration, {
    createForms: (options) =>
      createForms(runsQueue ? { ...options, host: { ...options.host, mailer } } : { ...options, queueConcurrency: 0 }),
    log: () => {},
  });
  const api = `${host.url}/api/cf/v1/forms`;
  const there = await fetch(`${api}/1`, { headers: { authorization } });
  for (const form of there.status === 404 ? [benchForm, variedForm] : []) {
    const made = await fetch(api, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(form),
    });
    if (made.status !== 201) throw new Error(`the form could not be made: ${await made.text()}`);
  }
  return { origin: host.url, close: () => host.close() };
});
