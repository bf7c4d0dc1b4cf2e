/** Tests whose results `npm run test:hosts` prints as a table of hosts. */
import { appendFileSync } from "node:fs";
import { test } from "node:test";

export type Column = "install" | "REST" | "visitors" | "files" | "mail" | "queue" | "sign-in" | "admin";

type Options = { readonly skip?: boolean | string };

/**
 * Appends an event to the file at `CF_HOSTS_RESULTS`, from which the table is made. Without the variable, nothing is
 * recorded.
 */
function record(host: string, column: Column, event: "declared" | "passed"): void {
  const path = process.env["CF_HOSTS_RESULTS"];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify({ host, column, event })}\n`);
}

/**
 * Returns a function that declares tests of a host. A column counts as passed when all its tests passed. A test that
 * never ran, because its site did not start, did not pass.
 */
export function testsOf(host: string) {
  return (column: Column, name: string, run: () => void | Promise<void>, { skip = false }: Options = {}): void => {
    if (skip === false) record(host, column, "declared");
    test(name, { skip }, async () => {
      await run();
      record(host, column, "passed");
    });
  };
}
