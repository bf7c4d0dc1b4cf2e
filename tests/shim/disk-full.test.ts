/**
 * A full disk: a small file system in memory holds the database and the files. Until there is room again, a submit gets
 * a 503 with the form and its answers. No accepted submission is lost or stored twice. The test needs permission to
 * mount; CF_DISK_FULL_SUBMITS sets the number of submits to the full disk.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { items, member, startSite, type JsonValue } from "./site.ts";

const SUBMITS = Number(process.env["CF_DISK_FULL_SUBMITS"] ?? 30);
const folder = mkdtempSync(join(tmpdir(), "cf-forms-disk-full-"));
const disk = join(folder, "disk");
mkdirSync(disk);

function mount(): string | false {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "tmpfs", disk], { stdio: "pipe" });
    return false;
  } catch (error) {
    return `no right to mount a small disk: ${String(error).split("\n")[0]}`;
  }
}

const cannotMount = mount();
after(() => {
  if (cannotMount === false) execFileSync("umount", ["-l", disk]);
  rmSync(folder, { recursive: true, force: true });
});

test("a full disk loses and duplicates no submission", { skip: cannotMount, timeout: 120_000 }, async (t) => {
  const database = openSqlite({ path: join(disk, "forms.sqlite") });
  const site = await startSite({ database, host: { files: diskFiles(join(disk, "files")) } });
  t.after(() => site.close());
  const action = { type: "email", to: "desk@example.org", subject: "[name]", message: "x" };
  const markup =
    "<label>Name <input name=name></label><label>Story <textarea name=story></textarea></label><label>CV <input type=file name=cv></label>";
  await site.api("POST", "/forms", {
    title: "Jobs",
    slug: "jobs",
    markup,
    settings: { actions: [action], rate_limit: 100_000 },
  });

  const send = (n: number, accept: string): Promise<Response> => {
    const body = new FormData();
    for (const [name, value] of [
      ["_submission_key", `s-${n}`],
      ["name", `visitor${n}`],
      ["story", `${n} `.repeat(300)],
    ] as const)
      body.append(name, value);
    // Every third submit sends a file.
    if (n % 3 === 0) body.append("cv", new Blob([Buffer.alloc(60_000, "%PDF-1.4\n")]), "cv.pdf");
    return fetch(`${site.url}/forms/jobs`, { method: "POST", body, headers: { accept }, redirect: "manual" });
  };
  const fill = (): void => {
    // Fills the disk up to a page or two.
    for (const bytes of [1 << 20, 1 << 16, 1 << 12]) {
      try {
        for (let n = 0; ; n += 1) writeFileSync(join(disk, `ballast-${bytes}-${n}`), new Uint8Array(bytes));
      } catch {
        // The disk is full.
      }
    }
  };

  const accepted = new Set<number>();
  let refusals = 0;
  for (let n = 0; n < 2 * SUBMITS; n += 1) {
    if (n === SUBMITS / 2) fill();
    const isHtml = n % 2 === 0;
    const response = await send(n, isHtml ? "text/html" : "application/json");
    const text = await response.text();
    if (response.status === 200 || response.status === 303) {
      accepted.add(n);
      continue;
    }
    refusals += 1;
    assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "60"], text);
    if (isHtml)
      for (const part of [`visitor${n}`, `s-${n}"`, `${n} ${n} ${n}`, "<form"]) assert.ok(text.includes(part), text);
    else assert.equal(member(JSON.parse(text) as JsonValue, "code"), "disk_full");
  }
  assert.ok(refusals >= SUBMITS, `${refusals} refusals`);
  const stored = async (): Promise<string[]> => {
    const names: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await site.api("GET", `/submissions?status=any&per_page=100&page=${page}`);
      pages = Number(response.headers.get("x-wp-totalpages"));
      names.push(...items(response.body).map((one) => String(member(member(one, "data"), "name"))));
    }
    return names;
  };
  const names = (numbers: Iterable<number>): string[] => [...numbers].map((n) => `visitor${n}`).sort();
  assert.deepEqual((await stored()).sort(), names(accepted), "exactly the accepted submissions are stored");

  execFileSync("find", [disk, "-name", "ballast-*", "-delete"]);
  for (let n = 0; n < 2 * SUBMITS; n += 1) assert.equal((await send(n, "application/json")).status, 200);
  assert.deepEqual(
    (await stored()).sort(),
    names(Array.from({ length: 2 * SUBMITS }, (_, n) => n)),
    "each is stored once",
  );
  const mailed = (): string[] => [...new Set(site.mails.map(({ subject }) => subject))].sort();
  // A run that the full disk interrupted is claimed again after its lease of 30 s.
  for (
    const deadline = Date.now() + 60_000;
    mailed().length < 2 * SUBMITS && Date.now() < deadline;
    await setTimeout(200)
  ) {
    await site.forms.runQueue();
    await site.settled();
  }
  assert.deepEqual(mailed(), names(Array.from({ length: 2 * SUBMITS }, (_, n) => n)), "each has its mail");
  console.log(
    `${2 * SUBMITS} submissions, ${refusals} refused while the disk was full, ${site.mails.length} mails; 0 lost, 0 doubled`,
  );
});
