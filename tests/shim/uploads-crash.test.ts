/**
 * A host is killed repeatedly while files stream to it. Every stored submission has its complete files, a retried
 * submit is stored once, and the purge deletes the files that kills left behind. CF_CRASH_UPLOADS sets the number of
 * visitors.
 */
import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { openPostgres } from "../../host-shim/adapters/postgres.ts";
import { postgresForTests } from "./postgres-server.ts";
import { uploadsIn } from "./uploads-fixture.ts";

const VISITORS = Number(process.env["CF_CRASH_UPLOADS"] ?? 16);
const AT_ONCE = 4;
const KILLS = Math.max(3, Math.trunc(VISITORS / 4));
/** Longer than the maximum duration of a submit, and than the interval between purges. */
const JUMP_MS = 2 * 3_600_000;

const folder = mkdtempSync(join(tmpdir(), "cf-forms-upload-crash-"));
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

for (const [name, options, place] of databases) {
  describe(`a host on ${name} that is killed while files stream`, options, () => {
    const files = join(folder, `files-${name}`);
    let child: ChildProcess | undefined;
    let url = "";
    let ahead = 0;
    after(() => child?.kill("SIGKILL"));

    async function start(): Promise<void> {
      const script = fileURLToPath(new URL("queue-crash-host.ts", import.meta.url));
      child = fork(script, [place, String(ahead), files], { execArgv: ["--disable-warning=ExperimentalWarning"] });
      const [port] = await once(child, "message");
      url = `http://127.0.0.1:${port}`;
    }

    async function tell(message: string | number): Promise<void> {
      assert.ok(child !== undefined);
      const replied = once(child, "message");
      child.send(message);
      await replied;
    }

    const onDisk = (): string[] => uploadsIn(files);

    /** Submits two files in pieces with pauses; a text comes between the files. */
    function send(visitor: number, contents: readonly Uint8Array<ArrayBuffer>[]): Promise<Response> {
      const text = (part: string) => new TextEncoder().encode(part);
      const head = (field: string, more = "") =>
        text(`--x\r\nContent-Disposition: form-data; name="${field}"${more}\r\n\r\n`);
      const pieces: Uint8Array<ArrayBuffer>[] = [head("_submission_key"), text(`s-visitor-${visitor}\r\n`)];
      for (const [index, content] of contents.entries()) {
        pieces.push(head("cv[]", `; filename="${index}.pdf"`));
        for (let at = 0; at < content.length; at += 50_000) pieces.push(content.subarray(at, at + 50_000));
        pieces.push(text("\r\n"), head("name"), text(`visitor ${visitor}\r\n`));
      }
      pieces.push(text("--x--\r\n"));
      let next = 0;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const piece = pieces[next++];
          if (piece === undefined) return controller.close();
          if (next % 5 === 0) await wait(4);
          controller.enqueue(piece);
        },
      });
      const init: RequestInit & { duplex: "half" } = {
        method: "POST",
        body,
        duplex: "half",
        headers: { accept: "application/json", "content-type": "multipart/form-data; boundary=x" },
        signal: AbortSignal.timeout(10_000),
      };
      return fetch(`${url}/forms/jobs`, init);
    }

    it("keeps every stored submission with its files, stores none twice, and leaves no file behind", {
      timeout: 120_000,
    }, async () => {
      await start();
      const made = await fetch(`${url}/api/cf/v1/forms`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          title: "Jobs",
          slug: "jobs",
          markup: '<input name="name"><input type="file" name="cv[]" multiple>',
          settings: { rate_limit: 100_000 },
        }),
      });
      assert.equal(made.status, 201, await made.text());
      const acknowledged = new Map<number, { id: number; hashes: string[] }>();
      let broken = 0;

      async function submit(visitor: number): Promise<void> {
        const contents = [700_000, 300_000].map(
          (size) => new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(size + visitor)])),
        );
        for (const until = Date.now() + 60_000; Date.now() < until; ) {
          try {
            const response = await send(visitor, contents);
            const body = (await response.json()) as { submission_id: number };
            assert.equal(response.status, 200, JSON.stringify(body));
            acknowledged.set(visitor, { id: body.submission_id, hashes: contents.map(sha256) });
            return;
          } catch (error) {
            if (error instanceof assert.AssertionError) throw error;
            broken += 1;
            await wait(100);
          }
        }
        assert.fail(`visitor ${visitor} got no response`);
      }

      let isDone = false;
      const killing = (async () => {
        let kills = 0;
        for (; kills < KILLS || (!isDone && kills < 2 * KILLS); kills += 1) {
          await wait(100 + Math.random() * 900);
          child?.kill("SIGKILL");
          await start();
        }
        return kills;
      })();
      let visitor = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (visitor < VISITORS) await submit(visitor++);
        }),
      );
      isDone = true;
      const kills = await killing;

      const leftByKills = onDisk().length - 2 * VISITORS;
      for (let jump = 0; jump < 3; jump += 1) {
        ahead += JUMP_MS;
        await tell(ahead);
        await tell("settle");
      }
      const stored: { id: number; files: { id: number }[] }[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const response = await fetch(`${url}/api/cf/v1/submissions?status=any&per_page=100&page=${page}`);
        pages = Number(response.headers.get("x-wp-totalpages"));
        stored.push(...((await response.json()) as typeof stored));
      }
      assert.equal(stored.length, VISITORS, "one submission for each visitor");
      assert.deepEqual(new Set(stored.map(({ id }) => id)), new Set([...acknowledged.values()].map(({ id }) => id)));
      for (const { id, hashes } of acknowledged.values()) {
        const files = stored.find((one) => one.id === id)?.files ?? [];
        const kept = await Promise.all(
          files.map(async (file) =>
            sha256(
              new Uint8Array(await (await fetch(`${url}/api/cf/v1/submissions/${id}/files/${file.id}`)).arrayBuffer()),
            ),
          ),
        );
        assert.deepEqual(kept, hashes, `the files of submission ${id}`);
      }
      assert.equal(
        onDisk().length,
        2 * VISITORS,
        `left: ${onDisk()
          .filter((file) => file.includes("~"))
          .join()}`,
      );
      const database = place.startsWith("postgres:") ? openPostgres({ url: place }) : openSqlite({ path: place });
      const [uploads] = await database.batch([
        { sql: "SELECT COUNT(*), COUNT(CASE WHEN submission_id = 0 THEN 1 END) FROM cf_uploads", params: [] },
      ]);
      await database.close();
      assert.deepEqual(uploads?.rows, [[2 * VISITORS, 0]], "a record for each file, none without a submission");
      console.log(
        `${name}: ${VISITORS} submissions with ${2 * VISITORS} files, ${kills} kills, ${broken} attempts broken off, ${leftByKills} files left by kills and purged; 0 lost, 0 doubled`,
      );
    });
  });
}
