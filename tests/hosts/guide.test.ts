/** The programs of docs/hosting.md, unchanged: each does the main job. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { freePort } from "../free-port.ts";
import { startSmtp, type SmtpServer } from "../shim/smtp-server.ts";
import { answers, filesOf, installed, hostsPath, writeProject } from "./guide.ts";
import { mainJob } from "./main-job.ts";

const platform = `${process.platform}-${process.arch}`;
const first = (folder: string): string => installed(`${folder}/${readdirSync(installed(folder))[0]}`);
const node = ["--disable-warning=ExperimentalWarning"];

/** The commands that build and start each program. */
const COMMANDS: Readonly<Record<string, () => { readonly build?: string[]; readonly start: string[] }>> = {
  Node: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Express: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Koa: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Fastify: () => ({ start: [process.execPath, ...node, "server.js"] }),
  NestJS: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Hono: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Deno: () => ({ start: [`${first("@deno")}/deno`, "run", "--allow-all", "--node-modules-dir=manual", "server.js"] }),
  Bun: () => ({ start: [`${first("@oven")}/bin/bun`, "server.js"] }),
  "Next.js": () => ({
    build: [process.execPath, installed("next/dist/bin/next"), "build"],
    start: [process.execPath, ...node, installed("next/dist/bin/next"), "start"],
  }),
  Astro: () => ({
    build: [process.execPath, installed("astro/bin/astro.mjs"), "build"],
    start: [process.execPath, ...node, "dist/server/entry.mjs"],
  }),
};

for (const [name, commands] of Object.entries(COMMANDS)) {
  describe(`the guide for ${name}`, {
    skip: name === "Deno" && platform === "linux-arm64" ? "no Deno here" : false,
  }, async () => {
    const folder = hostsPath(`.sites/${name}`);
    const port = await freePort();
    const url = `http://localhost:${port}`;
    let mails: SmtpServer;
    let server: ChildProcess | undefined;
    before(async () => {
      const {
        build,
        start: [program = "", ...parameters],
      } = commands();
      rmSync(folder, { recursive: true, force: true });
      writeProject(folder, [...filesOf("## On your server"), ...filesOf(`### ${name}`)]);
      mails = await startSmtp();
      const env = {
        ...process.env,
        NODE_ENV: "production",
        ASTRO_TELEMETRY_DISABLED: "1",
        NEXT_TELEMETRY_DISABLED: "1",
        HOST: "localhost",
        PORT: String(port),
        SITE_URL: url,
        FORMS_TOKEN: "of the tests",
        SMTP_URL: mails.url,
      };
      if (build !== undefined) execFileSync(build[0] ?? "", build.slice(1), { cwd: folder, env, stdio: "pipe" });
      server = spawn(program, parameters, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
      await answers(`${url}/api/cf/v1/forms`, server);
    });
    after(async () => {
      server?.kill(); // none where its build failed
      await mails.close();
    });
    const subjects = () => mails.mails.map(({ headers }) => headers["subject"] ?? "");
    const host = {
      rest: `${url}/api/cf/v1`,
      front: `${url}/forms`,
      credentials: { authorization: "Bearer of the tests" },
      fetch: (request: Request) => fetch(request),
      async runQueue() {
        const until = Date.now() + 15_000;
        while (subjects().length < 3 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      mails: subjects,
      notes: () => [],
    };
    // The guide does not include another plugin's action.
    for (const [step, run] of mainJob(host)) if (!step.includes("another plugin")) test(step, run);

    if (name === "Next.js")
      test("a page of a server component shows the component", async () => {
        const page = await (await fetch(`${url}/contact`)).text();
        assert.match(page, /<cf-form [^>]*slug="contact"[^>]*><a href="\/forms\/contact">Contact us<\/a><\/cf-form>/);
      });

    test("it ends by itself on SIGTERM", async () => {
      assert.ok(server !== undefined);
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      const [code, signal] = await ended;
      // Next.js ends with its own code.
      if (name !== "Next.js") assert.deepEqual([code, signal], [0, null]);
    });
  });
}
