/** Whether the database takes writes: what reads may be full, locked or damaged all the same. */
import type { Database } from "../../src/ports.ts";
import { run } from "./schema.ts";

const ANSWER_MS = 2_000;

/** What is wrong, by SQLite's primary result codes. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "disk fault",
  11: "damaged",
  13: "disk full",
  14: "its file cannot be opened",
  26: "damaged",
};

/** By PostgreSQL's SQLSTATE, and by what a connection that is not to be had says. */
const OF_POSTGRES: Readonly<Record<string, string>> = {
  "25006": "read-only",
  "53100": "disk full",
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

/** Writes a row; returns why that failed in a few words that reveal nothing else, or null. */
export async function databaseFault(database: Database): Promise<string | null> {
  const sql = `INSERT INTO cf_host_settings (name, value) VALUES ('ready_at', ?1)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, `no answer in ${ANSWER_MS} ms: locked, or too busy`);
  });
  try {
    const written = run(database, sql, String(Date.now())).then(() => null, reasonOf);
    return await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  const known =
    ("errcode" in error ? OF_SQLITE[Number(error.errcode) & 0xff] : undefined) ??
    ("code" in error ? OF_POSTGRES[String(error.code)] : undefined);
  if (known !== undefined) return known;
  return error.cause === undefined ? "it failed" : reasonOf(error.cause);
}
