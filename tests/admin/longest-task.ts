/** Processor time of a page's tasks, which a busy machine affects less than wall-clock time. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Measures the longest processor time of a task on the pages' main threads during `act`, in milliseconds. */
export async function longestTask<Result>(
  page: Page,
  act: () => Promise<Result>,
): Promise<{ readonly task: number; readonly result: Result }> {
  const browser = page.context().browser();
  assert.ok(browser !== null);
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  const result = await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8")) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}.${tid}`),
  );
  const tasks = traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    /RunTask$/.test(name) && tdur !== undefined && threads.has(`${pid}.${tid}`) ? [tdur / 1000] : [],
  );
  assert.ok(tasks.length > 5, "the trace is empty");
  return { task: Math.max(...tasks), result };
}
