/**
 * A host is killed during the upload of a file, between the upload and the submit with its token, and during the
 * submit. Each stored submission has its complete file once, and a file that no submit claims is purged.
 */
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { isUpload } from "./site.ts";

const VISITORS = 4;
const FILE_BYTES = 400_000;
/** Longer than the lifetime of a token, and than the interval between purges. */
const JUMP_MS = 26 * 3_600_000;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-early-crash-"));
const postgres = await postgresForTests();
after(async () => {
  if ("server" in postgres) await postgres.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const databases: readonly [string, { skip?: string }, string][] = [
  ["SQLite", {}, join(folder, "forms.sqlite")],
  ["PostgreSQL", "skip" in postgres ? { skip: postgres.skip } : {}, "server" in postgres ? postgres.server.url : ""],
];

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const contentOf = (visitor: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(FILE_BYTES + visitor)]));

for (const [name, options, place] of databases) {
  describe(`a host on ${name} that is killed between uploads and submits`, options, () => {
    const files = join(folder, `files-${name}`);
    let child: ChildProcess | undefined;
    let url = "";
    let ahead = 0;

    async function start(): Promise<void> {
      const script = fileURLToPath(new URL("queue-crash-host.ts", import.meta.url));
      child = fork(script, [place, String(ahead), files], { execArgv: ["--disable-warning=ExperimentalWarning"] });
      const [port] = await once(child, "message");
      url = `http://127.0.0.1:${port}`;
    }

    async function kill(): Promise<void> {
      assert.ok(child !== undefined);
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }

    async function tell(message: string | number): Promise<void> {
      assert.ok(child !== undefined);
      const replied = once(child, "message");
      child.send(message);
      await replied;
    }

    /** Sends a request until a host responds. Kills the first host after a time, if given. */
    async function persist(
      send: () => Promise<Response>,
      killAfterMs: number | null,
    ): Promise<Record<string, unknown>> {
      const sent = send().catch(() => null);
      if (killAfterMs !== null) {
        await wait(killAfterMs);
        await kill();
        await start();
      }
      const response = (await sent) ?? (await send());
      const body = (await response.json()) as Record<string, unknown>;
      assert.ok(response.ok, JSON.stringify(body));
      return body;
    }

    function upload(visitor: number, content: Uint8Array<ArrayBuffer>): Promise<Response> {
      const body = new FormData();
      body.append("field", "cv");
      body.append("key", `file-${visitor}`.padEnd(32, "0"));
      body.append("file", new Blob([content], { type: "application/pdf" }), `${visitor}.pdf`);
      return fetch(`${url}/forms/jobs/files`, { method: "POST", body, headers: { accept: "application/json" } });
    }

    function submit(visitor: number, token: string): Promise<Response> {
      const body = new URLSearchParams({ name: `visitor ${visitor}`, cv: token, _submission_key: `s-${visitor}` });
      return fetch(`${url}/forms/jobs`, { method: "POST", body, headers: { accept: "application/json" } });
    }

    const onDisk = (): string[] =>
      readdirSync(files, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && isUpload(entry.name))
        .map((entry) => entry.name);

    before(async () => {
      await start();
      const made = await fetch(`${url}/api/cf/v1/forms`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          title: "Jobs",
          slug: "jobs",
          markup: '<input name="name"><input type="file" name="cv">',
          settings: { rate_limit: 100_000 },
        }),
      });
      assert.equal(made.status, 201, await made.text());
    });
    after(() => child?.kill("SIGKILL"));

    it("loses and duplicates no file, and keeps no unclaimed one", { timeout: 240_000 }, async () => {
      const contents = Array.from({ length: VISITORS }, (_, visitor) => contentOf(visitor));
      const tokens: unknown[] = [];
      for (const [visitor, content] of contents.entries()) {
        // The kill happens while the file streams.
        const killAfterMs = visitor % 2 === 0 ? 2 + visitor * 10 : null;
        tokens.push((await persist(() => upload(visitor, content), killAfterMs))["token"]);
      }
      // A kill between the uploads and the submits.
      await kill();
      await start();
      assert.ok(onDisk().length >= VISITORS, "files wait for their submits");
      const claimed = new Map<unknown, string>();
      // The last visitor leaves without a submit.
      for (const [visitor, content] of contents.slice(0, -1).entries()) {
        // One visitor's host is killed during the submit.
        const body = await persist(() => submit(visitor, String(tokens[visitor])), visitor === 1 ? 15 : null);
        claimed.set(body["submission_id"], sha256(content));
      }
      for (let jump = 0; jump < 2; jump += 1) {
        ahead += JUMP_MS;
        await tell(ahead);
        await tell("settle");
      }
      const response = await fetch(`${url}/api/cf/v1/submissions?status=any&per_page=100`);
      const stored = (await response.json()) as { id: number; files: { id: number }[] }[];
      const found = await Promise.all(
        stored.map(async ({ id, files: [file, ...more] }) => {
          assert.deepEqual(more, [], "one file");
          const address = `${url}/api/cf/v1/submissions/${id}/files/${file?.id}`;
          return [id, sha256(new Uint8Array(await (await fetch(address)).arrayBuffer()))] as const;
        }),
      );
      assert.deepEqual(new Map([...found].sort(([one], [other]) => one - other)), claimed);
      assert.equal(onDisk().length, claimed.size, "the unclaimed file was purged");
      const database = place.startsWith("postgres:") ? openPostgres({ url: place }) : openSqlite({ path: place });
      const [uploads] = await database.batch([
        { sql: "SELECT COUNT(*), COUNT(CASE WHEN submission_id = 0 THEN 1 END) FROM cf_uploads", params: [] },
      ]);
      await database.close();
      assert.deepEqual(uploads?.rows, [[claimed.size, 0]]);
    });
  });
}
