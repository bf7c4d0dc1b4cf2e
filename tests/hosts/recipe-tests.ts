/** The tests of a recipe: the main job, and an end by SIGTERM. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { after, before, describe } from "node:test";
import { freePort } from "../free-port.ts";
import { startSmtp, type SmtpServer } from "../shim/smtp-server.ts";
import { answers } from "./guide.ts";
import { testsOf, type Column } from "./host-table.ts";
import { testMainJob } from "./main-job.ts";
import { assertInstalled, folderOf, installRecipe, startRecipe, type Recipe } from "./recipe.ts";

const TOKEN = "token-of-the-tests";

export interface RunningRecipe {
  readonly url: string;
  readonly token: string;
}

type TestHost = (column: Column, name: string, run: () => Promise<void>, options?: { skip?: boolean | string }) => void;

interface RecipeTests {
  /** Declares the recipe's own tests. */
  readonly more?: (testHost: TestHost, running: RunningRecipe) => void;
  /** Starts the services that the platform needs, such as a database, and returns the site's environment variables. */
  readonly prepare?: (running: RunningRecipe) => Promise<Readonly<Record<string, string>>>;
}

/** Declares the tests of a recipe. */
export async function testRecipe(recipe: Recipe, { more, prepare }: RecipeTests = {}): Promise<void> {
  const { name } = recipe;
  const noDeno = process.platform === "linux" && process.arch === "arm64" && name === "Deno";
  const port = await freePort();
  const url = `http://localhost:${port}`;
  describe(`the recipe for ${name}`, { skip: noDeno ? "no Deno here" : false }, () => {
    let mails: SmtpServer;
    let server: ChildProcess | undefined;
    before(async () => {
      installRecipe(recipe);
      mails = await startSmtp();
      server = startRecipe(recipe, {
        ASTRO_TELEMETRY_DISABLED: "1",
        NEXT_TELEMETRY_DISABLED: "1",
        NUXT_TELEMETRY_DISABLED: "1",
        HOST: "localhost",
        PORT: String(port),
        SITE_URL: url,
        FORMS_TOKEN: TOKEN,
        SMTP_URL: mails.url,
        ...(await prepare?.({ url, token: TOKEN })),
      });
      await answers(`${url}/api/cf/v1/forms`, server);
    });
    after(async () => {
      server?.kill(); // none where its build failed
      await mails?.close();
    });
    const testHost = testsOf(name);
    testHost("install", "it is installed from the tarball, and starts", () => assertInstalled(folderOf(recipe)));
    const subjects = () => mails.mails.map(({ headers }) => headers["subject"] ?? "");
    testMainJob(name, {
      rest: `${url}/api/cf/v1`,
      front: `${url}/forms`,
      credentials: { authorization: `Bearer ${TOKEN}` },
      fetch: (request) => fetch(request),
      async runQueue() {
        const until = Date.now() + 15_000;
        while (subjects().length < 3 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      mails: subjects,
    });
    more?.(testHost, { url, token: TOKEN });
    testHost("install", "it exits on SIGTERM", async () => {
      assert.ok(server !== undefined);
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      const [code, signal] = await ended;
      // Next.js exits with a nonzero code.
      if (name !== "Next.js") assert.deepEqual([code, signal], [0, null]);
    });
  });
}
