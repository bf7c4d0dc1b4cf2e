/**
 * Submit (validated, two actions queued, counters), against a bare handler that does one durable
 * INSERT through the same adapter with group commit; both over HTTP.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { createForms } from "../host-shim/src/index.ts";
import { compared, serveForLoad, type Load, type Round } from "./http-load.ts";
import type { Section } from "./section.ts";

const ROUNDS = 7;
const SUBMITS = 2_000;
const CONCURRENCY = 64;
const baseUrl = "http://bench.test";
const principal = { id: "1", login: "bench", capabilities: ["edit_forms", "unfiltered_html"] };

const form = {
  title: "Bench",
  slug: "bench",
  markup: `<input name="name" required><input type="email" name="email" required><select name="topic"><option>a<option>b</select><textarea name="message" maxlength="2000"></textarea>`,
  settings: { actions: [{ type: "email", to: "a@example.org" }, { type: "email", to: "b@example.org" }] },
};

const submit: Section = {
  name: "submit",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "cf-forms-bench-"));
    const database = openSqlite({ path: join(folder, "engine.sqlite") });
    const reference = openSqlite({ path: join(folder, "bare.sqlite") });
    try {
      // Nobody claims: what is measured is the submit, not the mails after it.
      const host = { database, authenticate: async () => ({ principal }) };
      const forms = await createForms({ host, baseUrl, queueConcurrency: 0, contentLengthHolds: true });
      await forms.migrate();
      const made = await forms.fetch(
        new Request(`${baseUrl}/api/cf/v1/forms`, { method: "POST", body: JSON.stringify(form) }),
      );
      if (made?.status !== 201) throw new Error("the form could not be made");
      await reference.batch([{ sql: "CREATE TABLE rows (id INTEGER PRIMARY KEY, data TEXT NOT NULL)", params: [] }]);

      const answer = async (request: Request) => (await forms.fetch(request)) ?? new Response(null, { status: 404 });
      const bare = async (request: Request) => {
        const data = Object.fromEntries(new URLSearchParams(await request.text()));
        await reference.batch([{ sql: "INSERT INTO rows (data) VALUES (?1)", params: [JSON.stringify(data)] }]);
        return Response.json({ ok: true });
      };
      const body = new URLSearchParams({
        name: "A visitor", email: "visitor@example.org", topic: "b",
        message: "Hello, this is a message of ordinary length.",
      });
      const load: Load = {
        method: "POST", path: "/forms/bench", requests: SUBMITS, concurrency: CONCURRENCY, body: body.toString(),
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
      };

      const servers = { engine: await serveForLoad(answer), bare: await serveForLoad(bare) };
      const samples = { engine: new Array<Round>(), bare: new Array<Round>() };
      for (let n = 0; n < ROUNDS; n += 1) {
        samples.bare.push(await servers.bare.round(load));
        samples.engine.push(await servers.engine.round(load));
      }
      await servers.engine.close();
      await servers.bare.close();
      await forms.close();
      const { percent, detail } = compared(samples);
      return [
        {
          what: "submit, of one durable INSERT's requests/s",
          value: percent,
          unit: "%",
          budget: { atLeast: 40 },
          detail: `${detail}, ${CONCURRENCY} at once`,
        },
      ];
    } finally {
      await database.close();
      await reference.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default submit;
