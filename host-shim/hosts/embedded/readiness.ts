/** Whether the database and the disk take writes: what reads may be full, locked or damaged all the same. */
import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../src/ports.ts";
import { run } from "./schema.ts";

const ANSWER_MS = 2_000;

const DISK_FULL = "disk full";

/** The reason that an error's own code names, if any. */
type Reasons = (error: Error) => string | undefined;

/** What is wrong, by SQLite's primary result codes. */
const SQLITE_REASONS: Readonly<Record<number, string>> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "disk fault",
  11: "damaged",
  13: DISK_FULL,
  14: "its file cannot be opened",
  26: "damaged",
};

/** By PostgreSQL's SQLSTATE, and by what a connection that is not to be had says. */
const POSTGRES_REASONS: Readonly<Record<string, string>> = {
  "25006": "read-only",
  "53100": DISK_FULL,
  "53300": "no connection left",
  "55P03": "locked",
  "57P03": "it starts or stops",
  "58030": "disk fault",
  XX001: "damaged",
  XX002: "damaged",
  ECONNREFUSED: "not reached",
  ENOTFOUND: "not reached",
  ETIMEDOUT: "not reached",
};

/** By the system's codes, for files. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EROFS: "read-only",
  EACCES: "not writable",
  EPERM: "not writable",
  EIO: "disk fault",
  EMFILE: "too many open files",
  ENFILE: "too many open files",
  ENOENT: "its folder is gone",
};

const ofFiles: Reasons = (error) => ("code" in error ? FILE_REASONS[String(error.code)] : undefined);

const ofDatabases: Reasons = (error) =>
  ("errcode" in error ? SQLITE_REASONS[Number(error.errcode) & 0xff] : undefined) ??
  ("code" in error ? POSTGRES_REASONS[String(error.code)] : undefined);

/** Several pages of either database: one alone may fit into what the file has already. */
const ROW_BYTES = 16 * 1024;
const FILE_BYTES = 64 * 1024;

export interface NotReady {
  readonly part: "database" | "disk";
  /** A few words that reveal nothing else. */
  readonly reason: string;
}

export interface ReadinessServices {
  readonly database: Database;
  /** Where uploads are kept, and SQLite's file. */
  readonly dataDirectory: string;
}

/** A check that returns why the host is not ready; null when it is. Callers at once share one. */
export function createReadiness({ database, dataDirectory }: ReadinessServices): () => Promise<NotReady | null> {
  const file = join(dataDirectory, `cf-forms.sqlite-ready-${process.pid}`);
  let underWay: Promise<NotReady | null> | undefined;

  async function check(): Promise<NotReady | null> {
    // SQLite's log may have room for a row on a disk that has none.
    const [inDatabase, onDisk] = await Promise.all([faultOf(writeRow(database), ofDatabases), faultOf(writeFile(file), ofFiles)]);
    // A full disk has other faults of the database in its wake.
    if (onDisk !== null && (inDatabase === null || onDisk === DISK_FULL)) return { part: "disk", reason: onDisk };
    return inDatabase === null ? null : { part: "database", reason: inDatabase };
  }

  return () => (underWay ??= check().finally(() => (underWay = undefined)));
}

async function writeRow(database: Database): Promise<void> {
  const sql = `INSERT INTO cf_host_settings (name, value) VALUES ('ready_at', ?1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  // Random, since PostgreSQL would press anything else into a page.
  const row = `${Date.now()} ${randomBytes((ROW_BYTES * 3) / 4).toString("base64")}`;
  await run(database, sql, row);
}

/** Writes and syncs a file, and deletes it. */
async function writeFile(path: string): Promise<void> {
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(randomBytes(FILE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}

/** Why the work failed, or took too long; null when it is done. */
async function faultOf(work: Promise<void>, known: Reasons): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, `no answer in ${ANSWER_MS} ms: locked, or too busy`);
  });
  try {
    return await Promise.race([work.then(() => null, (error: unknown) => reasonOf(error, known)), late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown, known: Reasons): string {
  if (!(error instanceof Error)) return "it failed";
  const reason = known(error);
  if (reason !== undefined) return reason;
  return error.cause === undefined ? "it failed" : reasonOf(error.cause, known);
}
