/** Payload inside Next.js, as docs/recipes.md mounts it: the main job through Payload's own routes and keys. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../free-port.ts";
import { launchChromium, noChromium } from "../../browser/chromium.ts";
import { answers, filesOf, hostInProcess, hostsPath, writeFiles } from "../guide.ts";
import { testsOf } from "../host-table.ts";
import { testMainJob } from "../main-job.ts";
import { assertInstalled, emptySite } from "../recipe.ts";
import { folder, installPayload } from "./payload-site.ts";

const testHost = testsOf("Payload in Next.js");
const port = await freePort();
const url = `http://localhost:${port}`;
const PUSH = `import { getPayload } from "payload";
import config from "./payload.config.js";
await getPayload({ config });
process.exit(0);
`;
const apiKey = crypto.randomUUID();

describe("Payload inside Next.js", () => {
  let server: ChildProcess;
  before(async () => {
    installPayload();
    emptySite(folder);
    const config = readFileSync(hostsPath("all/payload-next.config.js"), "utf8");
    writeFiles(folder, [...filesOf("Payload inside Next.js"), ["payload.config.js", config], ["push.js", PUSH]]);
    const env = {
      ...process.env,
      NODE_ENV: "production" as const,
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      SITE_URL: url,
      API_KEY: apiKey,
    };
    // In production, Payload creates its tables only by migrations, so a start in development mode creates them here.
    execFileSync(process.execPath, ["push.js"], {
      cwd: folder,
      env: { ...env, NODE_ENV: "development" },
      stdio: "pipe",
    });
    const next = ["--disable-warning=ExperimentalWarning", join(folder, "node_modules/next/dist/bin/next")];
    execFileSync(process.execPath, [...next, "build"], { cwd: folder, env, stdio: "pipe" });
    server = spawn(process.execPath, [...next, "start"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    await answers(`${url}/api/cf/v1/forms`, server);
  });
  after(() => server?.kill());

  const host = hostInProcess(folder, {
    rest: `${url}/api/cf/v1`,
    front: `${url}/api/cf-forms`,
    credentials: { authorization: `users API-Key ${apiKey}` },
  });
  testHost("install", "it is installed from the tarball, and starts", () => assertInstalled(folder));
  testMainJob("Payload in Next.js", host);

  testHost(
    "admin",
    "a user who is signed in to Payload finds the admin in a page of the site",
    async () => {
      const browser = await launchChromium(() => true);
      try {
        const page = await browser.newPage();
        const login = await page.request.post(`${url}/api/users/login`, {
          data: { email: "editor@example.org", password: "of the editor" },
        });
        assert.equal(login.status(), 200);
        await page.goto(`${url}/forms-admin`);
        await page.getByText("Create your first form").waitFor();
      } finally {
        await browser.close();
      }
    },
    { skip: noChromium },
  );

  test("the forms are in a separate file", () => assert.ok(existsSync(join(folder, "cf-forms.db"))));
});
