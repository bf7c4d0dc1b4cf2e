/**
 * The inbox with 100,000 submissions: no frame, and no request for a page of the list, takes longer than 50 ms of
 * wall-clock time.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { ADMIN, APP_PASSWORD, basic } from "../shim/embedded-fixture.ts";
import { makeForm, signIn, startBrowser, startSite } from "./admin-site.ts";
import { longestTask } from "./longest-task.ts";

const ROWS = 100_000;
const MAX_FRAME_MS = 50;
const MAX_REQUEST_MS = 50;
/** Number of rounds. The best round counts, because other programs use the machine too. */
const ROUNDS = 10;
const FRAMES = 90;

interface Scrolled {
  /** Times between frames, in milliseconds. */
  readonly frames: readonly number[];
  /** Durations of the requests for pages of the list, from the first byte sent to the last one read. */
  readonly requests: readonly number[];
  /** URL of the last request. */
  readonly lastRequest: string;
  readonly inTheDocument: number;
  readonly lastRow: number;
}

/** Measures the minimal processor time of a request to the host, which runs in this process, in milliseconds. */
async function processorTime(address: string): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const response = await fetch(address, { headers: basic(ADMIN.login, APP_PASSWORD) });
    assert.equal(((await response.json()) as readonly unknown[]).length, 100);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe("a large inbox", { skip: noChromium }, () => {
  it("scrolls through 100,000 submissions", { timeout: 180_000 }, async (t) => {
    const host = await startSite(t);
    const { id } = await makeForm(host.url);
    await host.formsOptions.host.database.batch([
      {
        sql: `INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld,
                data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
              SELECT 'u' || i, ?2, CASE WHEN i % 3 = 0 THEN 'read' ELSE 'new' END, '', 0, 0, '[]', 0,
                '{"name":"Visitor ' || i || '","email":"visitor' || i || '@example.org","topic":"Sales","message":"Good morning"}',
                '[]', '', '', '', '', 1, ?3 + i * 1000, ?3 + i * 1000 FROM n`,
        params: [ROWS, id, host.clock.time - ROWS * 1000],
      },
      {
        sql: `INSERT INTO cf_stats SELECT form.id, 'status', '', s.status, 0, COUNT(*) FROM cf_submissions s
              CROSS JOIN (SELECT 0 AS id UNION ALL SELECT ?1) form GROUP BY form.id, s.status`,
        params: [id],
      },
    ]);
    const browser = await startBrowser(t);
    const { page } = await signIn(browser, host.url);
    await page.goto(`${host.url}/admin/inbox?form=${id}`);
    await page.getByRole("row").filter({ hasText: "Visitor 100000" }).waitFor();
    // Scrolls by wheel; the list loads a page whenever its end comes near.
    const scroll = (): Promise<Scrolled> =>
      page.evaluate(async (count) => {
        const box = document.querySelector(".grid-box");
        if (box === null) throw new Error("no list");
        performance.clearResourceTimings();
        const frames: number[] = [];
        let before = await new Promise<number>(requestAnimationFrame);
        for (let frame = 0; frame < count; frame += 1) {
          box.scrollTop += 150;
          const now = await new Promise<number>(requestAnimationFrame);
          frames.push(now - before);
          before = now;
        }
        const requests = performance
          .getEntriesByType("resource")
          .filter(({ name }) => /submissions\?.*per_page=100/.test(name));
        return {
          frames,
          requests: requests.map((entry) =>
            entry instanceof PerformanceResourceTiming && entry.requestStart > 0
              ? entry.responseEnd - entry.requestStart
              : 0,
          ),
          lastRequest: requests.at(-1)?.name ?? "",
          inTheDocument: document.querySelectorAll(".grid-box [role=row]").length,
          lastRow: Math.max(
            ...[...document.querySelectorAll("[data-index]")].map((row) => Number(row.getAttribute("data-index"))),
          ),
        };
      }, FRAMES);
    const rounds: { readonly frame: number; readonly request: number }[] = [];
    const isInTime = ({ frame, request }: (typeof rounds)[number]) =>
      frame <= MAX_FRAME_MS && request <= MAX_REQUEST_MS;
    let last = 0;
    while (rounds.length < ROUNDS && !rounds.some(isInTime)) {
      const { frames, requests, inTheDocument, lastRow } = await scroll();
      assert.equal(frames.length, FRAMES);
      assert.ok(requests.length > 0, "no page was requested");
      assert.ok(lastRow > last + 250, "it did not scroll through several pages");
      assert.ok(inTheDocument < 60, `${inTheDocument} rows in the document`);
      last = lastRow;
      rounds.push({ frame: Math.max(...frames), request: Math.max(...requests) });
      const middle = frames.toSorted((a, b) => a - b)[FRAMES / 2] ?? 0;
      t.diagnostic(
        `round ${rounds.length}, to row ${lastRow}: longest of ${FRAMES} frames ${Math.max(...frames).toFixed(0)} ms, middle ${middle.toFixed(0)} ms; longest of ${requests.length} requests ${Math.max(...requests).toFixed(0)} ms`,
      );
    }
    if (!rounds.some(isInTime)) {
      // Either the list is slow, or the machine is busy; the processor time of the slow frames and requests decides.
      const {
        task,
        result: { lastRequest },
      } = await longestTask(page, scroll);
      const request = await processorTime(lastRequest);
      t.diagnostic(
        `by the processor's time: the list's longest task ${task.toFixed(0)} ms, a request ${request.toFixed(0)} ms`,
      );
      assert.ok(task <= MAX_FRAME_MS, `a task of ${task} ms of processor time`);
      assert.ok(request <= MAX_REQUEST_MS, `a request of ${request} ms of processor time`);
    }
    assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), String(ROWS + 1));

    // A change of the whole list is sent in batches, shows its progress, and stops when cancelled.
    let parts = 0;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/submissions/bulk*", async (route) => {
      parts += 1;
      if (parts === 2) await held;
      await route.continue();
    });
    await page.locator(".grid-row").nth(3).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Select all in the list" }).click();
    await page.getByRole("toolbar").getByRole("button", { name: "Archive" }).click();
    await page.getByText(/^100 of \d+ done$/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    goOn();
    await page.getByText(/of \d+ done$/).waitFor({ state: "detached" });
    assert.equal(parts, 2);
  });
});
