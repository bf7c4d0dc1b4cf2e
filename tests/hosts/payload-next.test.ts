/** Payload inside Next.js, as docs/hosting.md mounts it: the main job through Payload's own routes and keys. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../free-port.ts";
import { launchChromium, noChromium } from "../browser/chromium.ts";
import { answers, filesOf, hostInProcess, installed, hostsPath, writeProject } from "./guide.ts";
import { mainJob } from "./main-job.ts";

const folder = hostsPath(".sites/payload-next");
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
    rmSync(folder, { recursive: true, force: true });
    const config = readFileSync(hostsPath("payload-next.config.js"), "utf8");
    writeProject(folder, [...filesOf("### Payload inside Next.js"), ["payload.config.js", config], ["push.js", PUSH]]);
    const env = {
      ...process.env,
      NODE_ENV: "production" as const,
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      SITE_URL: url,
      API_KEY: apiKey,
    };
    // In production, migrations create Payload's tables, not the site.
    execFileSync(process.execPath, ["push.js"], {
      cwd: folder,
      env: { ...env, NODE_ENV: "development" },
      stdio: "pipe",
    });
    const next = ["--disable-warning=ExperimentalWarning", installed("next/dist/bin/next")];
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
  for (const [step, run] of mainJob(host)) if (!step.includes("another plugin")) test(step, run);

  test("a user who is signed in to Payload finds the admin in a page of the site", { skip: noChromium }, async () => {
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
  });

  test("the forms are in a separate file", () => assert.ok(existsSync(join(folder, "cf-forms.db"))));
});
