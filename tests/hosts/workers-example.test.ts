/** The example's worker in workerd: its admin, and its mails, which keep their Message-ID and their attachments. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { opensAdmin } from "./admin-page.ts";
import { hostsPath } from "./guide.ts";
import { testsOf } from "./host-table.ts";
import { startWorker } from "./start-worker.ts";

const SITE = "http://localhost:8787";

interface SentMail {
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly { readonly filename: string; readonly content: string }[];
}

/** A mail service that rejects the first mail permanently. */
async function startMailService() {
  const mails: SentMail[] = [];
  const server = createServer(async (request, response) => {
    mails.push((await json(request)) as SentMail);
    response.writeHead(mails.length === 1 ? 422 : 200).end('{"id":"1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { mails, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const folder = hostsPath(".sites/workers-d1");

/** Copies the example into an empty folder, with the admin's files as its README copies them. */
before(() => {
  rmSync(folder, { recursive: true, force: true });
  const example = hostsPath("../../examples/workers-d1");
  cpSync(example, folder, { recursive: true });
  symlinkSync(hostsPath("node_modules"), join(folder, "node_modules"));
  const readme = readFileSync(join(example, "README.md"), "utf8");
  const commands = readme.split("\n").filter((line) => /^ {4}(?:mkdir|cp) /.test(line));
  assert.equal(commands.length, 2);
  execFileSync("sh", ["-ec", commands.join("\n")], { cwd: folder });
});

testsOf("Workers")(
  "admin",
  "the example's worker serves the admin as static assets",
  async () => {
    const miniflare = await startWorker(".sites/workers-d1/worker.ts", {
      bindings: { EDITOR_TOKEN: "editor" },
      assets: join(folder, "public"),
    });
    try {
      await opensAdmin((await miniflare.ready).origin, "editor");
    } finally {
      await miniflare.dispose();
    }
  },
  { skip: noChromium },
);

test("the example's worker mails a visitor's file", async (t) => {
  const service = await startMailService();
  t.after(() => service.close());
  const miniflare = await startWorker(".sites/workers-d1/worker.ts", {
    bindings: { EDITOR_TOKEN: "editor", RESEND_KEY: "key", MAIL_URL: service.url },
  });
  t.after(() => miniflare.dispose());
  const headers = { authorization: "Bearer editor", "content-type": "application/json" };
  const actions = [{ type: "email", to: "desk@example.org", subject: "A file", attachments: ["cv"] }];
  const form = { title: "Jobs", slug: "jobs", markup: "<input name=cv type=file>", settings: { actions } };
  const made = await miniflare.dispatchFetch(`${SITE}/api/cf/v1/forms`, {
    method: "POST",
    headers,
    body: JSON.stringify(form),
  });
  assert.equal(made.status, 201, await made.text());
  const body = new FormData();
  body.set("cv", new File(["my life"], "cv.txt", { type: "text/plain" }));
  const request = new Request(`${SITE}/forms/jobs`, { method: "POST", body, headers: { accept: "application/json" } });
  const sent = await miniflare.dispatchFetch(request.url, {
    method: "POST",
    headers: Object.fromEntries(request.headers),
    body: await request.arrayBuffer(),
  });
  assert.equal(sent.status, 200, await sent.text());
  const until = Date.now() + 30_000;
  const arrived = async (count: number) => {
    while (service.mails.length < count && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(service.mails.length, count);
  };
  await arrived(1);
  const ask = async (method: string, path: string) => {
    const response = await miniflare.dispatchFetch(`${SITE}/api/cf/v1${path}`, { method, headers });
    return (await response.json()) as { id: number; status: string }[];
  };
  let [entry] = await ask("GET", "/action-queue");
  while (entry?.status !== "failed" && Date.now() < until) [entry] = await ask("GET", "/action-queue");
  assert.equal(entry?.status, "failed", "a permanent rejection is not retried");
  await ask("POST", `/action-queue/${entry?.id}/retry`);
  await (await miniflare.getWorker()).scheduled({ cron: "* * * * *" });
  await arrived(2);
  const [first, second] = service.mails;
  assert.equal(first?.headers["Message-ID"], second?.headers["Message-ID"]);
  assert.match(first?.headers["Message-ID"] ?? "", /^<.+@.+>$/);
  assert.deepEqual(
    second?.attachments.map(({ filename, content }) => [filename, Buffer.from(content, "base64").toString()]),
    [["cv.txt", "my life"]],
  );
});
