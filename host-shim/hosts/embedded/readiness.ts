/**
 * Checks that the database and the disk accept writes. A database that can be read may still be full, locked or
 * damaged.
 */
import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../src/ports.ts";
import { run } from "./schema.ts";

const TIMEOUT_MS = 2_000;

const DISK_FULL = "disk full";

/** Returns the reason for an error's code, if known. */
type Reasons = (error: Error) => string | undefined;

/** Reasons by SQLite's primary result codes. */
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

/** Reasons by PostgreSQL's SQLSTATE, and by the codes of a failed connection. */
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

/** Reasons by the system's codes for files. */
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

/** Size of the test row: several pages of either database, because one page may fit into the existing file. */
const ROW_BYTES = 16 * 1024;
const FILE_BYTES = 64 * 1024;

export interface NotReady {
  readonly part: "database" | "disk";
  /** Short reason that reveals no internals. */
  readonly reason: string;
}

export interface ReadinessServices {
  readonly database: Database;
  /** Folder of uploads and of SQLite's file. */
  readonly dataDirectory: string;
}

/** Creates a check that returns why the host is not ready; null when it is. Concurrent callers share one check. */
export function createReadiness({ database, dataDirectory }: ReadinessServices): () => Promise<NotReady | null> {
  const file = join(dataDirectory, `cf-forms.sqlite-ready-${process.pid}`);
  let underWay: Promise<NotReady | null> | undefined;

  async function check(): Promise<NotReady | null> {
    // The disk is checked as well, because SQLite's log may have room for a row on a full disk.
    const [inDatabase, onDisk] = await Promise.all([
      faultOf(writeRow(database), ofDatabases),
      faultOf(writeFile(file), ofFiles),
    ]);
    // A full disk causes various errors of the database, so the disk is reported.
    if (onDisk !== null && (inDatabase === null || onDisk === DISK_FULL)) return { part: "disk", reason: onDisk };
    return inDatabase === null ? null : { part: "database", reason: inDatabase };
  }

  return () => (underWay ??= check().finally(() => (underWay = undefined)));
}

async function writeRow(database: Database): Promise<void> {
  const sql = `INSERT INTO cf_host_settings (name, value) VALUES ('ready_at', ?1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  // Random bytes, because PostgreSQL would compress others into one page.
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

/** Returns why the work failed or timed out; null when it succeeded. */
async function faultOf(work: Promise<void>, known: Reasons): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, `no response in ${TIMEOUT_MS} ms: locked, or too busy`);
  });
  try {
    return await Promise.race([
      work.then(
        () => null,
        (error: unknown) => reasonOf(error, known),
      ),
      late,
    ]);
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
