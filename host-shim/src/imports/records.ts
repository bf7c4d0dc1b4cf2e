/** The records of imports in parts, each with its progress. The engine creates the table. */

import type { Principal, SqlValue } from "../ports.ts";

/** A remark about a part of a file, such as one that was not imported. */
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

/**
 * State of a record. `new`: the file is not yet stored and described. `cancelling`: the created forms and submissions
 * are being deleted.
 */
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

/** The facts about a fetched file. */
interface FileRecord {
  readonly field: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly key: string;
}

/** Runs a statement of `src/store/imports.rs` by its name, and returns its rows. */
export type RunStatement = (statement: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>;

type Row = readonly SqlValue[];

export class ImportRecords {
  readonly #run: RunStatement;

  constructor(run: RunStatement) {
    this.#run = run;
  }

  async add(data: ImportData, now: number): Promise<number> {
    const [row] = await this.#run("add", [JSON.stringify(data), now]);
    return Number(row?.[0]);
  }

  async read(id: number): Promise<ImportRecord | null> {
    const [row] = await this.#run("read", [id]);
    return row === undefined ? null : recordOf(row);
  }

  /** Changes a record that is still in one of the states; returns whether it was. */
  change(id: number, from: readonly State[], state: State, data: ImportData): Promise<boolean> {
    return this.#changes("change", [id, state, JSON.stringify(data), JSON.stringify(from)]);
  }

  /** Claims the import `id`, or for 0 the oldest import that has work left. */
  async claim(now: number, until: number, id = 0): Promise<ImportRecord | null> {
    const [row] = await this.#run("claim", [until, now, id]);
    return row === undefined ? null : recordOf(row);
  }

  /** Stores the progress, unless the lease was lost or the import was cancelled; the lease then ends at `until`. */
  save({ id, lease, data }: ImportRecord, from: State, state: State, until: number): Promise<boolean> {
    return this.#changes("save", [id, lease, state, JSON.stringify(data), until, from]);
  }

  /** Ends the lease. */
  release({ id, lease }: ImportRecord): Promise<boolean> {
    return this.#changes("release", [id, lease]);
  }

  /** A batch of records in these states that were created before a moment. */
  async before(moment: number, states: readonly State[]): Promise<readonly ImportRecord[]> {
    return (await this.#run("before", [moment, JSON.stringify(states)])).map(recordOf);
  }

  async remove(id: number): Promise<void> {
    await this.#run("remove", [id]);
  }

  /** Ids of the forms that an import created, by their indexes in its file. */
  async made(id: number): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#run("made", [`${id}:%`]);
    return new Map(rows.map(([value, form]) => [Number(String(value).split(":")[1]), Number(form)]));
  }

  /** Ids of a batch of submissions that an import stored. */
  async stored(id: number): Promise<readonly number[]> {
    return (await this.#run("stored", [id])).map(([submission]) => Number(submission));
  }

  /** Number of submissions that an import stored. */
  async count(id: number): Promise<number> {
    const [row] = await this.#run("count", [id]);
    return Number(row?.[0] ?? 0);
  }

  /** Records a file before it is stored, so that the purge finds it if no submission takes it. */
  async addFile(file: FileRecord, now: number): Promise<void> {
    const { field, filename, content_type, size, key } = file;
    await this.#run("add_file", [crypto.randomUUID(), field, filename, content_type, size, key, now]);
  }

  async #changes(statement: string, parameters: readonly SqlValue[]): Promise<boolean> {
    return (await this.#run(statement, parameters)).length > 0;
  }
}

function recordOf([id, state, data, lease, createdAt]: Row): ImportRecord {
  return {
    id: Number(id),
    // Only the engine's migration and this file write the column, so it holds a `State`.
    state: String(state) as State,
    data: JSON.parse(String(data)) as ImportData,
    lease: Number(lease),
    createdAt: Number(createdAt),
  };
}
