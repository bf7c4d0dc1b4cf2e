/**
 * Crashes cause no long delay. The embedded host is killed every two seconds while visitors submit, webhooks run, and
 * each mail takes 300 ms. Afterwards every mail is sent within a minute, and never by two attempts at once.
 */
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { postgresForTests } from "./postgres-server.ts";

const KILLS = 4;
const PAUSE_MS = 2_000;
const SUBMISSIONS = 40;
const PASSWORD = "abcd EFGH ijkl MNOP qrst 1234";

const folder = mkdtempSync(join(tmpdir(), "cf-forms-restarts-"));
const postgres = await postgresForTests();

after(async () => {
  if ("server" in postgres) await postgres.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const databases: readonly [string, { skip?: string }, string][] = [
  ["SQLite", {}, ""],
  ["PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, "server" in postgres ? postgres.server.url : ""],
];

/** An SMTP server that takes 300 ms for each mail, and detects concurrent mails to one recipient. */
async function startSlowSmtp() {
  const taken = new Map<string, number>();
  const overlaps: string[] = [];
  const open = new Map<string, string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, { id }, done) {
      if (open.has(address)) overlaps.push(address);
      open.set(address, id);
      done();
    },
    onData(stream, { envelope }, done) {
      stream.toArray().then(async () => {
        await wait(300);
        for (const { address } of envelope.rcptTo) {
          open.delete(address);
          taken.set(address, (taken.get(address) ?? 0) + 1);
        }
        done();
      }, done);
    },
    onClose({ id }) {
      for (const [address, session] of open) if (session === id) open.delete(address);
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    overlaps,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

for (const [name, options, databaseUrl] of databases) {
  describe(`a host killed every two seconds on ${name}`, options, () => {
    it("sends every mail within a minute after the last kill, none twice at the same time", async () => {
      const smtp = await startSlowSmtp();
      const webhook = createServer((request, response) => {
        request.resume().once("end", () => void wait(3_000).then(() => response.end("{}")));
      }).listen(0, "127.0.0.1");
      await once(webhook, "listening");
      const { port: webhookPort } = webhook.address() as AddressInfo;
      let host: ChildProcess | undefined;
      let url = "";

      async function start(): Promise<void> {
        const main = fileURLToPath(new URL("../../host-shim/hosts/embedded/main.ts", import.meta.url));
        const child = fork(main, [], {
          execArgv: ["--disable-warning=ExperimentalWarning"],
          silent: true,
          env: {
            ...process.env,
            PORT: "0",
            DATA_DIR: join(folder, name),
            DATABASE_URL: databaseUrl,
            SMTP_URL: smtp.url,
            CF_ADMIN_PASSWORD: "correct horse battery staple",
            CF_ADMIN_APP_PASSWORD: PASSWORD,
            QUEUE_INTERVAL_MS: "500",
            WEBHOOK_NETWORKS: "127.0.0.0/8",
            CF_SECRET: "of the host",
          },
        });
        host = child;
        url = await new Promise<string>((resolve, reject) => {
          let output = "";
          const hear = (chunk: unknown) => {
            output += String(chunk);
            const found = /listening on (\S+)/.exec(output);
            if (found?.[1] !== undefined) resolve(found[1]);
          };
          child.stdout?.on("data", hear);
          child.stderr?.on("data", hear);
          child.once("exit", () => reject(new Error(output)));
        });
      }

      async function submit(n: number): Promise<void> {
        for (let attempt = 0; attempt < 200; attempt += 1) {
          try {
            const response = await fetch(`${url}/forms/contact`, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                accept: "application/json",
                "idempotency-key": `visitor-${n}`,
              },
              body: JSON.stringify({ name: `v${n}` }),
              signal: AbortSignal.timeout(5_000),
            });
            assert.equal(response.status, 200, await response.text());
            return;
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            await wait(100);
          }
        }
        assert.fail(`visitor ${n} got no response`);
      }

      try {
        await start();
        const actions = [
          { type: "webhook", url: `http://127.0.0.1:${webhookPort}/` },
          { type: "email", to: "[name]@example.org" },
        ];
        const made = await fetch(`${url}/api/cf/v1/forms`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` },
          body: JSON.stringify({
            title: "Contact",
            slug: "contact",
            markup: "<input name=name>",
            settings: { actions },
          }),
        });
        assert.equal(made.status, 201, await made.text());

        const submitting = (async () => {
          for (let n = 0; n < SUBMISSIONS; n += 1) {
            await submit(n);
            await wait((KILLS * PAUSE_MS) / SUBMISSIONS);
          }
        })();
        for (let kill = 0; kill < KILLS; kill += 1) {
          await wait(PAUSE_MS);
          host?.kill("SIGKILL");
          await start();
        }
        const killed = performance.now();
        await submitting;
        while (smtp.taken.size < SUBMISSIONS && performance.now() - killed < 60_000) await wait(50);
        const seconds = ((performance.now() - killed) / 1_000).toFixed(1);
        assert.equal(smtp.taken.size, SUBMISSIONS, `mails out ${seconds} s after the last kill`);
        assert.deepEqual(smtp.overlaps, [], "no recipient got two mails at once");
        console.log(`${name}: ${SUBMISSIONS} mails, the last ${seconds} s after the last of ${KILLS} kills`);
      } finally {
        host?.kill("SIGKILL");
        webhook.closeAllConnections();
        webhook.close();
        await smtp.close();
      }
    });
  });
}
