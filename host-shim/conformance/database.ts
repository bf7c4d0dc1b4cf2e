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
import { registerCases, type Case, type RegisterSkip, type RegisterTest } from "./case.ts";
import { batchCases } from "./database-batches.ts";
import { changesCases } from "./database-changes.ts";
import { concurrencyCases } from "./database-concurrency.ts";
import { valueCases } from "./database-values.ts";
import { Workspace } from "./workspace.ts";

export interface DatabaseConformance {
  readonly test: RegisterTest;
  /** Hears of the cases that are left out for `cannot`; without it they are printed. */
  readonly skip?: RegisterSkip;
  /** What the database's client cannot do, each with the reason. All other cases hold for everybody. */
  readonly cannot?: Readonly<Partial<Record<Optional, string>>>;
  open(): Promise<{ readonly database: Database; close(): Promise<void> }>;
}

/**
 * - `columns of one name`: two columns of one name, or names that are numbers, each in its place.
 * - `undoing what cannot be read`: a writing batch whose answer holds an inexact number is undone.
 */
export type Optional = "columns of one name" | "undoing what cannot be read";

/** The cases themselves, for whoever wants to run some of them in another way. */
export const databaseCases: readonly Case<Database>[] = [
  ...valueCases,
  ...changesCases,
  ...batchCases,
  ...concurrencyCases,
].map(({ run, ...about }) => ({
  ...about,
  run: async (database) => {
    const workspace = new Workspace(database);
    try {
      await run(workspace);
    } finally {
      await workspace.dropTables();
    }
  },
}));

export function databaseConformance({ test, skip, cannot, open }: DatabaseConformance): void {
  const openSubject = async () => {
    const { database, close } = await open();
    return { subject: database, close };
  };
  registerCases(databaseCases, test, openSubject, cannot, skip);
}
