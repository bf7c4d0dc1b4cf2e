/**
 * The host's tables. Users, sessions and application passwords belong to the embedded host, because other platforms
 * have their own tables for these.
 */
import type { Database, SqlValue, Statement } from "../../src/ports.ts";

type Dialect = Database["dialect"];

/** Builds a statement for either database from placeholders `?1`, `?2` …. */
export function statement(dialect: Dialect, sql: string, ...params: SqlValue[]): Statement {
  return { sql: dialect === "postgres" ? sql.replace(/\?(\d+)/g, "$$$1") : sql, params };
}

/** Runs one statement as a batch. */
export async function run(
  database: Database,
  sql: string,
  ...params: SqlValue[]
): Promise<{ readonly rows: readonly (readonly SqlValue[])[]; readonly changes: number }> {
  const [result] = await database.batch([statement(database.dialect, sql, ...params)]);
  if (result === undefined) throw new Error("the database returned no result for a batch of one");
  return result;
}

/** Number of the advisory lock for the creation of tables: "cf_h" in ASCII. */
const LOCK = 0x63_66_5f_68;

/** Creates missing tables. Times are integer milliseconds UTC. Safe to run from many processes. */
export async function createHostTables(database: Database): Promise<void> {
  const { dialect } = database;
  const identity = dialect === "postgres" ? "BIGINT GENERATED ALWAYS AS IDENTITY" : "INTEGER";
  // PostgreSQL's IF NOT EXISTS is not safe against a concurrent creation; the lock ends with the batch.
  const lock = dialect === "postgres" ? [`SELECT pg_advisory_xact_lock(${LOCK})`] : [];
  const tables = [
    `CREATE TABLE IF NOT EXISTS cf_host_settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS cf_host_users (
      id ${identity} PRIMARY KEY,
      login TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS cf_host_sessions (
      token_hash TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES cf_host_users (id) ON DELETE CASCADE,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    `CREATE INDEX IF NOT EXISTS cf_host_sessions_user ON cf_host_sessions (user_id)`,
    `CREATE INDEX IF NOT EXISTS cf_host_sessions_expiry ON cf_host_sessions (expires_at)`,
    `CREATE TABLE IF NOT EXISTS cf_host_application_passwords (
      uuid TEXT PRIMARY KEY,
      user_id BIGINT NOT NULL REFERENCES cf_host_users (id) ON DELETE CASCADE,
      app_id TEXT NOT NULL,
      name TEXT NOT NULL,
      password_hash TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT,
      last_ip TEXT
    )`,
    `CREATE INDEX IF NOT EXISTS cf_host_application_passwords_user
      ON cf_host_application_passwords (user_id)`,
  ];
  await database.batch([...lock, ...tables].map((sql) => statement(dialect, sql)));
}
