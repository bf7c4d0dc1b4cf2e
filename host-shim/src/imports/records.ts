/** The records of imports in parts, each with its progress. The engine creates the table. */

import type { Principal, SqlValue } from "../ports.ts";
import type { TimedDatabase } from "../timed-database.ts";

/** A part of a file that was not imported. */
export interface Note {
  readonly code: string;
  readonly message: string;
  readonly where: string;
}

/** The caller's choices for an import. */
export interface StartOptions {
  readonly forms?: readonly number[];
  readonly form_id?: number;
  readonly mapping?: { readonly [name: string]: unknown };
  readonly time_zone?: string;
  readonly fetch_files?: boolean;
  readonly keep_scripts?: boolean;
}

/** The state of a record. `new` has no file yet; `cancelling` still deletes what was created. */
export type State = "new" | "ready" | "running" | "done" | "failed" | "cancelling" | "cancelled";

/** The stored facts about an import. */
export interface ImportData {
  /** Key of the file. */
  readonly key: string;
  readonly size: number;
  /** The format that the caller names. */
  readonly stated?: string;
  readonly format: string;
  readonly encoding: string;
  readonly month_first: readonly boolean[];
  /** The user who imports. */
  readonly principal: Principal;
  readonly options: StartOptions;
  readonly done: number;
  readonly total: number;
  /** Forms that were created, or received submissions. */
  readonly forms: readonly number[];
  readonly submissions: number;
  readonly losses: readonly Note[];
  /** Failed attempts since the last part that was stored. */
  readonly attempts: number;
  readonly error?: string;
}

/** A record. */
export interface ImportRecord {
  readonly id: number;
  readonly state: State;
  readonly data: ImportData;
  readonly lease: number;
  readonly createdAt: number;
}

const COLUMNS = "id, state, data, lease_until, created_at";

/** Limit of rows that one statement reads. */
const BATCH_SIZE = 100;

export class ImportRecords {
  readonly #database: TimedDatabase;

  constructor(database: TimedDatabase) {
    this.#database = database;
  }

  async add(data: ImportData, now: number): Promise<number> {
    const [row] = await this.#rows(
      "INSERT INTO cf_imports (state, data, created_at) VALUES ('new', ?1, ?2) RETURNING id",
      [JSON.stringify(data), now],
    );
    return Number(row?.[0]);
  }

  async read(id: number): Promise<ImportRecord | null> {
    const [row] = await this.#rows(`SELECT ${COLUMNS} FROM cf_imports WHERE id = ?1`, [id]);
    return row === undefined ? null : recordOf(row);
  }

  /** Changes a record that is still in one of the states; returns whether it was. */
  change(id: number, from: readonly State[], state: State, data: ImportData): Promise<boolean> {
    const among = from.map((name) => `'${name}'`).join(", ");
    const sql = `UPDATE cf_imports SET state = ?2, data = ?3 WHERE id = ?1 AND state IN (${among}) RETURNING id`;
    return this.#has(sql, [id, state, JSON.stringify(data)]);
  }

  /** Takes the lease of the oldest import with work, or of one import. */
  async claim(now: number, until: number, id = 0): Promise<ImportRecord | null> {
    const [row] = await this.#rows(
      `UPDATE cf_imports SET lease_until = ?1 WHERE lease_until <= ?2 AND id = (SELECT i.id FROM cf_imports i
         WHERE i.state IN ('running', 'cancelling') AND i.lease_until <= ?2 AND (?3 = 0 OR i.id = ?3)
         ORDER BY i.created_at LIMIT 1) RETURNING ${COLUMNS}`,
      [until, now, id],
    );
    return row === undefined ? null : recordOf(row);
  }

  /** Stores the progress, unless the lease was lost or the import was cancelled; the lease then ends at `until`. */
  save({ id, lease, data }: ImportRecord, from: State, state: State, until: number): Promise<boolean> {
    return this.#has(
      `UPDATE cf_imports SET state = ?3, data = ?4, lease_until = ?5
         WHERE id = ?1 AND lease_until = ?2 AND state = ?6 RETURNING id`,
      [id, lease, state, JSON.stringify(data), until, from],
    );
  }

  /** Ends the lease. */
  release({ id, lease }: ImportRecord): Promise<boolean> {
    return this.#has("UPDATE cf_imports SET lease_until = 0 WHERE id = ?1 AND lease_until = ?2 RETURNING id", [
      id,
      lease,
    ]);
  }

  /** Records in a state that were created before a moment. */
  async before(moment: number, states: readonly State[]): Promise<readonly ImportRecord[]> {
    const among = states.map((name) => `'${name}'`).join(", ");
    const sql = `SELECT ${COLUMNS} FROM cf_imports WHERE created_at < ?1 AND state IN (${among}) ORDER BY created_at LIMIT ${BATCH_SIZE}`;
    return (await this.#rows(sql, [moment])).map(recordOf);
  }

  async remove(id: number): Promise<void> {
    await this.#rows("DELETE FROM cf_imports WHERE id = ?1", [id]);
  }

  /** The forms that an import created, by their places in its file. */
  async made(id: number): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#rows(
      `SELECT m.value, m.form_id FROM cf_form_meta m WHERE m.name = '_cf_import_part' AND m.value LIKE ?1 ORDER BY m.form_id`,
      [`${id}:%`],
    );
    return new Map(rows.map(([value, form]) => [Number(String(value).split(":")[1]), Number(form)]));
  }

  /** Some submissions that an import stored. */
  async stored(id: number): Promise<readonly number[]> {
    const sql = `SELECT s.id FROM cf_submissions s WHERE s.import_id = ?1 ORDER BY s.id LIMIT ${BATCH_SIZE}`;
    return (await this.#rows(sql, [id])).map(([submission]) => Number(submission));
  }

  /** Number of submissions that an import stored. */
  async count(id: number): Promise<number> {
    const [row] = await this.#rows("SELECT COUNT(*) FROM cf_submissions s WHERE s.import_id = ?1", [id]);
    return Number(row?.[0] ?? 0);
  }

  async #has(sql: string, params: readonly SqlValue[]): Promise<boolean> {
    return (await this.#rows(sql, params)).length > 0;
  }

  async #rows(sql: string, params: readonly SqlValue[]): Promise<readonly (readonly SqlValue[])[]> {
    const text = this.#database.dialect === "postgres" ? sql.replace(/\?(\d)/g, "$$$1") : sql;
    const [result] = await this.#database.batch([{ sql: text, params }]);
    return result?.rows ?? [];
  }
}

function recordOf([id, state, data, lease, createdAt]: readonly SqlValue[]): ImportRecord {
  return {
    id: Number(id),
    // The engine's migration and this file write the column.
    state: String(state) as State,
    data: JSON.parse(String(data)) as ImportData,
    lease: Number(lease),
    createdAt: Number(createdAt),
  };
}
