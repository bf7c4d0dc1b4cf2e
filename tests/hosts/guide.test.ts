/** The programs of docs/hosting.md, as they stand there: each does the main job. */
import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startSmtp, type SmtpServer } from "../shim/smtp-server.ts";
import { freePort } from "./emdash-site.ts";
import { mainJob } from "./main-job.ts";

const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const sections = readFileSync(own("../../docs/hosting.md"), "utf8").split(/^(?=### |## )/m);

/** The files of a section: code whose first line is a comment with a path. */
function filesOf(heading: string): [string, string][] {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? assert.fail(`no section ${heading}`);
  return [...section.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```/gm)].map(([, name = "", code = ""]) => [name, code]);
}

const modules = (path: string): string => own(`node_modules/${path}`);
const platform = `${process.platform}-${process.arch}`;
const first = (folder: string): string => modules(`${folder}/${readdirSync(modules(folder))[0]}`);
const node = ["--disable-warning=ExperimentalWarning"];

/** How each is built and started. */
const COMMANDS: Readonly<Record<string, () => { readonly build?: string[]; readonly start: string[] }>> = {
  Node: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Express: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Koa: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Hono: () => ({ start: [process.execPath, ...node, "server.js"] }),
  Deno: () => ({ start: [`${first("@deno")}/deno`, "run", "--allow-all", "--node-modules-dir=manual", "server.js"] }),
  Bun: () => ({ start: [`${first("@oven")}/bin/bun`, "server.js"] }),
  "Next.js": () => ({
    build: [process.execPath, modules("next/dist/bin/next"), "build"],
    start: [process.execPath, ...node, modules("next/dist/bin/next"), "start"],
  }),
  Astro: () => ({
    build: [process.execPath, modules("astro/bin/astro.mjs"), "build"],
    start: [process.execPath, ...node, "dist/server/entry.mjs"],
  }),
};

for (const [name, commands] of Object.entries(COMMANDS)) {
  describe(`the guide for ${name}`, { skip: name === "Deno" && platform === "linux-arm64" ? "no Deno here" : false }, async () => {
    const folder = own(`.sites/${name}`);
    const port = await freePort();
    const url = `http://localhost:${port}`;
    let mails: SmtpServer;
    let server: ChildProcess;
    before(async () => {
      const { build, start: [program = "", ...parameters] } = commands();
      rmSync(folder, { recursive: true, force: true });
      for (const [path, content] of [["package.json", '{"private":true,"type":"module"}'] as const, ...filesOf("## On your server"), ...filesOf(`### ${name}`)]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      mails = await startSmtp();
      const env = {
        ...process.env, NODE_ENV: "production", ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1",
        HOST: "localhost", PORT: String(port), SITE_URL: url, FORMS_TOKEN: "of the tests", SMTP_URL: mails.url,
      };
      if (build !== undefined) execFileSync(build[0] ?? "", build.slice(1), { cwd: folder, env, stdio: "pipe" });
      server = spawn(program, parameters, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
      await answers(`${url}/api/cf/v1/forms`, server);
    });
    after(async () => {
      server.kill();
      await mails.close();
    });
    const subjects = () => mails.mails.map(({ headers }) => headers["subject"] ?? "");
    const host = {
      rest: `${url}/api/cf/v1`, front: `${url}/forms`, credentials: { authorization: "Bearer of the tests" },
      fetch: (request: Request) => fetch(request),
      async runQueue() {
        const until = Date.now() + 15_000;
        while (subjects().length < 3 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      mails: subjects,
      notes: () => [],
    };
    // The guide has no action of another plugin.
    for (const [step, run] of mainJob(host)) if (!step.includes("another plugin")) test(step, run);
  });
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + 30_000;
  while (server.exitCode === null && Date.now() < until) {
    if (await fetch(url).then(({ status }) => status === 403, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the program does not answer");
}
