/** The guide's programs in a Strapi site in production: the main job, by a user of its admin. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { freePort } from "../../free-port.ts";
import { answers, filesOf, hostInProcess, writeFiles } from "../guide.ts";
import { testsOf } from "../host-table.ts";
import { testMainJob } from "../main-job.ts";
import { assertInstalled } from "../recipe.ts";
import { folder, installStrapi } from "./strapi-site.ts";

const port = await freePort();
const url = `http://localhost:${port}`;

const CONFIGURATION: readonly (readonly [string, string])[] = [
  [
    "config/database.js",
    'module.exports = { connection: { client: "sqlite", connection: { filename: ".tmp/data.db" }, useNullAsDefault: true } };',
  ],
  ["config/server.js", `module.exports = { host: "localhost", port: ${port}, app: { keys: ["of the tests"] } };`],
  [
    "config/admin.js",
    `module.exports = { serveAdminPanel: false, auth: { secret: "of the tests" }, apiToken: { salt: "of the tests" },
    transfer: { token: { salt: "of the tests" } }, secrets: { encryptionKey: "of the tests" } };`,
  ],
  [
    "config/plugins.js",
    'module.exports = { email: { config: { provider: require.resolve("../mail-sink"), settings: { defaultFrom: "site@example.org" } } } };',
  ],
  [
    "mail-sink.js",
    'exports.init = () => ({ send: async (mail) => require("node:fs").appendFileSync("mails.txt", `${mail.subject}\\n`) });',
  ],
];

describe("Strapi", () => {
  let server: ChildProcess;
  const credentials: Record<string, string> = {};
  before(async () => {
    installStrapi();
    for (const name of [".tmp", "mails.txt"]) rmSync(join(folder, name), { recursive: true, force: true });
    writeFiles(folder, [...CONFIGURATION, ...filesOf("Strapi 5")]);
    for (const name of [".tmp", "public/uploads", "src/api", "database/migrations"])
      mkdirSync(join(folder, name), { recursive: true });
    const env = { ...process.env, NODE_ENV: "production", STRAPI_TELEMETRY_DISABLED: "true", SITE_URL: url };
    const strapi = ["--disable-warning=ExperimentalWarning", "node_modules/@strapi/strapi/bin/strapi.js", "start"];
    server = spawn(process.execPath, strapi, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    await answers(`${url}/api/cf/v1/forms`, server);
    const owner = { firstname: "Ann", email: "ann@example.org", password: "Of the 1st owner" };
    const made = await fetch(`${url}/admin/register-admin`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(owner),
    });
    const { data } = await made.json();
    credentials["authorization"] = `Bearer ${data.accessToken ?? data.token}`;
  });
  after(() => server?.kill());

  const host = hostInProcess(folder, { rest: `${url}/api/cf/v1`, front: `${url}/forms`, credentials });
  testsOf("Strapi")("install", "it is installed from the tarball, and starts", () => assertInstalled(folder));
  testMainJob("Strapi", host);

  testsOf("Strapi")("sign-in", "an unknown token is reported, and Strapi's routes respond as before", async () => {
    const response = await fetch(`${url}/api/cf/v1/forms`, { headers: { authorization: "Bearer wrong" } });
    assert.deepEqual([response.status, (await response.json()).code], [401, "rest_invalid_token"]);
    assert.equal((await fetch(`${url}/_health`)).status, 204);
    assert.equal((await fetch(`${url}/admin/users/me`, { headers: credentials })).status, 200);
  });
});
