/**
 * The conformance suite of the database port, for any adapter:
 *
 *     import { test } from "node:test";
 *     databaseConformance({ test, open: async () => ({ database, close }) });
 *
 * `open` is called once for each case. All cases may share one database. Each case creates tables with random names through
 * the port, and drops them, for which the user needs the rights.
 */
import type { Database } from "../src/ports.ts";
import { registerCases, type Case, type Closable, type RegisterSkip, type RegisterTest } from "./case.ts";
import { batchCases } from "./database-batches.ts";
import { changesCases } from "./database-changes.ts";
import { concurrencyCases } from "./database-concurrency.ts";
import { valueCases } from "./database-values.ts";
import { Workspace } from "./workspace.ts";

/** Options of {@link databaseConformance}. */
export interface DatabaseConformance {
  readonly test: RegisterTest;
  /** Receives the cases that `cannot` skips; without it they are printed. */
  readonly skip?: RegisterSkip;
  /** Abilities that the database's client lacks, with the reasons. All other cases are mandatory. */
  readonly cannot?: Readonly<Partial<Record<Optional, string>>>;
  /** Opens the database. Each case opens it and closes it. */
  open(): Promise<{ readonly database: Database } & Closable>;
}

/**
 * Abilities that a client may lack:
 *
 * - `columns of one name`: two columns with one name, or names that are numbers, each at its position.
 * - `undoing what cannot be read`: a writing batch whose result holds an inexact number is rolled back.
 */
export type Optional = "columns of one name" | "undoing what cannot be read";

/** The cases, for running some of them in another way. */
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

/** Registers the cases of the database port with a test runner. */
export function databaseConformance({ test, skip, cannot, open }: DatabaseConformance): void {
  const openSubject = async () => {
    const { database, close } = await open();
    return { subject: database, close };
  };
  registerCases(databaseCases, test, openSubject, cannot, skip);
}
