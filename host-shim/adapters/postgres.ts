/**
 * The database port on PostgreSQL (≥ 12) through `pg`, with a pool of connections. A batch is one transaction and
 * usually one round trip. Batches with gathered statements, as submits have, share transactions.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Database, Statement, StatementResult } from "../src/ports.ts";
import {
  checkBatch,
  getTypeParser,
  runBatch,
  RolledBackError,
  type Plan,
  type PlannedStatement,
  type RunOptions,
} from "./postgres-batch.ts";
import { SharedTransactions } from "./shared-transactions.ts";
import { isGathered, statementFacts } from "./statement.ts";

/** Options of {@link openPostgres}. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string;
  /** Limit for open connections. Default 10. */
  readonly max?: number;
  /** Time that a batch waits for a connection or its turn, in milliseconds. Default 10,000. */
  readonly connect_ms?: number;
  /**
   * Timeout of a statement in the server, in milliseconds; the client's timeout is twice as long. Default 60,000. The
   * timeouts do not apply to a patient batch.
   */
  readonly statement_ms?: number;
  /** Limit for prepared statements of a connection; 0 for a pooler that does not support them. Default 500. */
  readonly prepared?: number;
}

/** A PostgreSQL database with connections to close. */
export interface PostgresDatabase extends Database {
  readonly dialect: "postgres";
  /** Closes the connections after running batches have ended. Later batches are rejected. */
  close(): Promise<void>;
}

/** Limit for attempts at a batch that fails because of concurrent transactions. */
const MAX_ATTEMPTS = 8;

/** Lock timeout of a transaction of several batches. */
const SHARED_LOCK_MS = 1_000;

/** Opens a pool of connections to a PostgreSQL server. */
export function openPostgres(options: PostgresOptions): PostgresDatabase {
  const { url, max = 10, connect_ms = 10_000, statement_ms = 60_000, prepared = 500 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "cf-forms",
    max,
    connectionTimeoutMillis: connect_ms,
    statement_timeout: statement_ms,
    idle_in_transaction_session_timeout: statement_ms,
    query_timeout: 2 * statement_ms,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
  });
  // Without a listener, a connection that the server ends would end this process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const connections: Connections = { pool, plans: new Plans(prepared) };
  const transactions = {
    runShared: (statements: readonly PlannedStatement[]) =>
      attempt(connections, statements, { lock_ms: SHARED_LOCK_MS }),
    // A batch waits for a lock no longer than for a connection.
    runAlone: (statements: readonly PlannedStatement[]) => runAlone(connections, statements, { lock_ms: connect_ms }),
    isRolledBack: (error: unknown) => error instanceof RolledBackError,
    isConflict: (error: unknown) => error instanceof Error && (isTransient(error.cause) || isLocked(error.cause)),
  };
  const shared = new SharedTransactions(transactions, { wait_ms: connect_ms, max_alone: Math.ceil(max / 2) });

  return {
    dialect: "postgres",
    async batch(statements, options = {}) {
      if (statements.length === 0) return [];
      const batch = statements.map((statement) => connections.plans.planned(statement));
      checkBatch(batch);
      return batch.some(isGathered) && !options.patient ? shared.run(batch) : runAlone(connections, batch, options);
    },
    async close() {
      await shared.settled();
      await pool.end();
    },
  };
}

/** Plans of statements. */
class Plans {
  /** Plans by text. A connection never drops a prepared statement, so the number of names is bounded. */
  private readonly plans = new Map<string, Plan>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  planned(statement: Statement): PlannedStatement {
    let plan = this.plans.get(statement.sql);
    if (plan === undefined) {
      const facts = statementFacts(statement.sql);
      const named = this.plans.size < this.limit;
      plan = {
        facts,
        name: named ? `cf_${this.plans.size}` : null,
        isReadable: facts.kind === "writes" && !facts.returning,
      };
      if (named) this.plans.set(statement.sql, plan);
    }
    return { ...statement, plan };
  }

  /** Clears the known columns, because another host's migration may have changed them. */
  forgetColumns(): void {
    for (const plan of this.plans.values()) plan.isReadable = plan.facts.kind === "writes" && !plan.facts.returning;
  }
}

interface Connections {
  readonly pool: pg.Pool;
  readonly plans: Plans;
}

async function attempt(
  { pool, plans }: Connections,
  statements: readonly PlannedStatement[],
  options: RunOptions,
): Promise<StatementResult[]> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new Error(`no connection to PostgreSQL: ${reasonOf(cause)}`, { cause });
  });
  let isUsable = true;
  try {
    return await runBatch(client, statements, options);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    isUsable = cause instanceof RangeError || (cause instanceof pg.DatabaseError && !isStalePlan(cause));
    if (cause instanceof pg.DatabaseError && isStalePlan(cause)) plans.forgetColumns();
    throw error;
  } finally {
    client.release(!isUsable);
  }
}

async function runAlone(
  connections: Connections,
  statements: readonly PlannedStatement[],
  options: RunOptions = {},
): Promise<StatementResult[]> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(connections, statements, options);
    } catch (error) {
      if (tried === MAX_ATTEMPTS || !(error instanceof Error) || !isTransient(error.cause)) throw error;
    }
    // The delay is random, so that conflicting batches do not conflict again.
    await delay(Math.random() * 5 * 2 ** tried);
  }
}

/** The message of an error. A failed connection to a name with several addresses has one error for each, and no message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ");
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether a retry may succeed: after serialization failures, deadlocks and plans that a migration has made stale. */
function isTransient(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && (cause.code === "40001" || cause.code === "40P01" || isStalePlan(cause));
}

/** Whether a statement waited too long for a lock. */
function isLocked(cause: unknown): boolean {
  return cause instanceof pg.DatabaseError && cause.code === "55P03";
}

function isStalePlan(error: pg.DatabaseError): boolean {
  return error.code === "26000" || (error.code === "0A000" && error.routine === "RevalidateCachedQuery");
}
