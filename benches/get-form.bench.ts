/**
 * GET one form through the engine, against the same host answering a constant after the same SQL:
 * what is left of its requests per second, over HTTP.
 */

import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { createForms, type Database, type Statement } from "../host-shim/src/index.ts";
import { compared, serveForLoad, type Load, type Round } from "./http-load.ts";
import type { Section } from "./section.ts";

const ROUNDS = 9;
const REQUESTS = 3_000;
const CONCURRENCY = 16;
const baseUrl = "http://bench.test";
const principal = { id: "1", login: "bench", capabilities: ["edit_forms", "unfiltered_html"] };

const markup = Array.from({ length: 12 }, (_, n) => `<p><label>Field ${n} <input name="f${n}"></label></p>`).join("\n");

const getForm: Section = {
  name: "get-form",
  async run() {
    const database = openSqlite({ path: ":memory:" });
    const seen: (readonly Statement[])[] = [];
    const watched: Database = {
      dialect: database.dialect,
      batch: (statements) => {
        seen.push(statements);
        return database.batch(statements);
      },
    };
    const host = { database: watched, authenticate: async () => ({ principal }) };
    const forms = await createForms({ host, baseUrl });
    await forms.migrate();
    const created = await forms.fetch(
      new Request(`${baseUrl}/api/cf/v1/forms`, { method: "POST", body: JSON.stringify({ title: "Bench", markup }) }),
    );
    if (created?.status !== 201) throw new Error("the form could not be made");
    const { id }: { id: number } = await created.json();
    const path = `/api/cf/v1/forms/${id}`;
    const answer = async (request: Request) => (await forms.fetch(request)) ?? new Response(null, { status: 404 });
    const get = () => answer(new Request(`${baseUrl}${path}`));

    seen.length = 0;
    const constant = await (await get()).text();
    const [statements] = seen;
    if (statements === undefined || seen.length !== 1) throw new Error("GET one form should be one batch");
    const bare = async () => {
      await database.batch(statements);
      return new Response(constant, { headers: { "content-type": "application/json" } });
    };

    const servers = { engine: await serveForLoad(answer), bare: await serveForLoad(bare) };
    const load: Load = { method: "GET", path, requests: REQUESTS, concurrency: CONCURRENCY };
    const samples = { engine: new Array<Round>(), bare: new Array<Round>() };
    for (let n = 0; n < ROUNDS; n += 1) {
      samples.bare.push(await servers.bare.round(load));
      samples.engine.push(await servers.engine.round(load));
    }
    await servers.engine.close();
    await servers.bare.close();
    await forms.close();
    await database.close();
    const { percent, detail } = compared(samples);
    return [
      {
        what: "GET one form, of a bare host's requests/s",
        value: percent,
        unit: "%",
        budget: { atLeast: 60 },
        detail: `${detail}; ${statements.length} statement(s), ${CONCURRENCY} at once`,
      },
    ];
  },
};

export default getForm;
