/** The inbox with 100,000 submissions: it scrolls without a halt. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noChromium } from "../browser/chromium.ts";
import { makeForm, signIn, startBrowser, startSite } from "./admin-site.ts";

const ROWS = 100_000;
const MOST_TASK_MS = 50;

interface Scrolled {
  /** The longest times between two frames, the longest last. */
  readonly frames: readonly number[];
  /** Durations of the requests for pages of the list. */
  readonly requests: readonly number[];
  readonly inTheDocument: number;
  readonly lastRow: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The processor time of each task of pages' main threads, in milliseconds. */
function tasksOf(trace: string): readonly number[] {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const threads = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid}.${tid}`));
  return traceEvents.flatMap(({ name, pid, tid, tdur }) => (/RunTask$/.test(name) && tdur !== undefined && threads.has(`${pid}.${tid}`) ? [tdur / 1000] : []));
}

describe("a large inbox", { skip: noChromium }, () => {
  it("scrolls through 100,000 submissions", { timeout: 120_000 }, async (t) => {
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
    // By wheel, as people do: the list grows by a page whenever its end comes near.
    const scroll = (): Promise<Scrolled> => page.evaluate(async () => {
      const box = document.querySelector(".grid-box");
      if (box === null) throw new Error("no list");
      performance.clearResourceTimings();
      const frames: number[] = [];
      let before = await new Promise<number>(requestAnimationFrame);
      for (let frame = 0; frame < 240; frame += 1) {
        box.scrollTop += 150;
        const now = await new Promise<number>(requestAnimationFrame);
        frames.push(now - before);
        before = now;
      }
      const requests = performance.getEntriesByType("resource").filter(({ name }) => /submissions\?.*per_page=100/.test(name));
      return {
        frames: frames.sort((a, b) => a - b).slice(-5),
        requests: requests.map((entry) => entry instanceof PerformanceResourceTiming && entry.requestStart > 0 ? entry.responseEnd - entry.requestStart : 0),
        inTheDocument: document.querySelectorAll(".grid-box [role=row]").length,
        lastRow: Math.max(...[...document.querySelectorAll("[data-index]")].map((row) => Number(row.getAttribute("data-index")))),
      };
    });
    // Judged by the processor time of the page's tasks and the middle request: other programs of the
    // machine take their turns too, and what they take is not the list's.
    await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
    const { frames, requests, inTheDocument, lastRow } = await scroll();
    const tasks = tasksOf((await browser.stopTracing()).toString("utf8"));
    const longest = Math.max(0, ...tasks);
    const middle = requests.toSorted((a, b) => a - b)[Math.floor(requests.length / 2)] ?? 0;
    t.diagnostic(`longest of ${tasks.length} tasks ${longest.toFixed(0)} ms of processor time; longest frame by the clock ${Math.max(...frames).toFixed(0)} ms; ${requests.length} requests, the middle one ${middle.toFixed(0)} ms, the longest ${Math.max(0, ...requests).toFixed(0)} ms`);
    assert.ok(tasks.length > 200, "nothing was traced");
    assert.ok(lastRow > 300, "it did not scroll through several pages");
    assert.ok(requests.length > 0, "no page was asked for");
    assert.ok(inTheDocument < 60, `${inTheDocument} rows in the document`);
    assert.ok(longest <= MOST_TASK_MS, `a task of ${longest} ms`);
    assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), String(ROWS + 1));
  });
});
