/**
 * The conformance suite of the database port. Any adapter, ours or another's, runs it:
 *
 *     import { test } from "node:test";
 *     databaseConformance({ test, open: async () => ({ database, close }) });
 *
 * `open` is called once for each case. The databases may be one and the same: cases make tables of
 * their own, with random names, through the port, and drop them. The user needs the right to do so.
 */
import type { Database } from "../src/ports.ts";
import { registerCases, type Case, type RegisterTest } from "./case.ts";
import { batchCases } from "./database-batches.ts";
import { changesCases } from "./database-changes.ts";
import { concurrencyCases } from "./database-concurrency.ts";
import { valueCases } from "./database-values.ts";
import { Workspace } from "./workspace.ts";

export interface DatabaseConformance {
  readonly test: RegisterTest;
  open(): Promise<{ readonly database: Database; close(): Promise<void> }>;
}

/** The cases themselves, for whoever wants to run some of them in another way. */
export const databaseCases: readonly Case<Database>[] = [
  ...valueCases,
  ...changesCases,
  ...batchCases,
  ...concurrencyCases,
].map(({ name, run }) => ({
  name,
  run: async (database) => {
    const workspace = new Workspace(database);
    try {
      await run(workspace);
    } finally {
      await workspace.dropTables();
    }
  },
}));

export function databaseConformance({ test, open }: DatabaseConformance): void {
  registerCases(databaseCases, test, async () => {
    const { database, close } = await open();
    return { subject: database, close };
  });
}
