/** The scenarios in one Payload: each with a new plugin and database, and with Payload's users and keys. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient } from "@libsql/client";
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { diskFiles } from "cf-forms/adapters/disk-files";
import { libsql } from "cf-forms/adapters/libsql";
import { cfForms } from "cf-forms/hosts/payload";
import { buildConfig, getPayload, handleEndpoints, type Payload, type SanitizedConfig } from "payload";
import { CALLERS } from "../shim/callers.ts";
import { playScenario, scenarioFiles } from "../shim/scenarios.ts";

const SITE = "http://payload.test";
const folder = mkdtempSync(join(tmpdir(), "cf-forms-payload-"));
const loginOf = (login: string) => `${login}@example.org`;
const keys = new Map<string, string>();
let config: SanitizedConfig;
let payload: Payload;

/**
 * Replaces the plugin's endpoints by those of a plugin with another database. Payload reads its endpoints for each
 * request.
 */
function beginSite(index: number): () => void {
  const client = createClient({ url: `file:${join(folder, `forms-${index}.db`)}` });
  const plugin = cfForms({
    can: ({ email }) => Object.values(CALLERS).find(({ login }) => loginOf(login) === email) ?? false,
    database: libsql(client),
    files: diskFiles(join(folder, "files")),
    automaticRuns: false,
    queueIntervalMs: 0,
    clientAddress: () => "192.0.2.1",
  });
  const { endpoints } = plugin<{ endpoints?: SanitizedConfig["endpoints"] }>({});
  config.endpoints = endpoints ?? [];
  return () => client.close();
}

describe("the scenarios in Payload", () => {
  before(async () => {
    config = await buildConfig({
      secret: "of the tests",
      serverURL: SITE,
      telemetry: false,
      typescript: { autoGenerate: false },
      db: sqliteAdapter({ client: { url: `file:${join(folder, "payload.db")}` } }),
      admin: { user: "users" },
      collections: [{ slug: "users", auth: { useAPIKey: true }, fields: [] }],
      email: () => ({
        name: "test",
        defaultFromAddress: "site@example.org",
        defaultFromName: "Site",
        sendEmail: async () => undefined,
      }),
    });
    payload = await getPayload({ config, key: "scenarios" });
    for (const [name, { login }] of Object.entries(CALLERS)) {
      const apiKey = crypto.randomUUID();
      keys.set(name, apiKey);
      await payload.create({
        collection: "users",
        data: { email: loginOf(login), password: "of the tests", enableAPIKey: true, apiKey },
      });
    }
  });
  after(async () => {
    await payload.destroy();
    rmSync(folder, { recursive: true });
  });

  const credentialsOf = (caller: string): Record<string, string> =>
    keys.has(caller) ? { authorization: `users API-Key ${keys.get(caller)}` } : {};
  const fetch = (request: Request) => handleEndpoints({ config, request });
  for (const [index, { file, scenario }] of scenarioFiles()
    .flatMap(({ file, scenarios }) => scenarios.map((scenario) => ({ file, scenario })))
    .entries()) {
    const skip =
      scenario.name === "names of every kind are found in the path"
        ? "Payload responds with 500 to a path that is no UTF-8"
        : false;
    test(`${file}: ${scenario.name}`, { skip }, async () => {
      const end = beginSite(index);
      try {
        await playScenario(scenario, {
          rest: `${SITE}/api/cf/v1`,
          front: `${SITE}/api/cf-forms`,
          loginOf,
          fetch,
          credentialsOf,
        });
      } finally {
        end();
      }
    });
  }
});
