/**
 * Runs imports part by part, and deletes the forms and submissions of cancelled ones. After a stop, a later run
 * continues them.
 */

import { ApiError } from "../../../client/index.ts";
import type { FormImport } from "../../../client/operations.ts";
import { writeLog } from "../log.ts";
import { reasonOf } from "../reason.ts";
import { fetching } from "./fetch-files.ts";
import { ImportFile } from "./import-file.ts";
import type { ImportSite } from "./import-jobs.ts";
import { withNotes } from "./notes.ts";
import type { ImportParts, PartFilter } from "./parts.ts";
import type { ImportRecord, ImportRecords, State } from "./records.ts";

/** Lease of a running import, which each part renews. */
const LEASE_MS = 60_000;
/** Pause after a failed attempt. */
const RETRY_MS = 5_000;
const MAX_ATTEMPTS = 5;
/** Minimum time between two searches for imports that other processes left unfinished. */
const TICK_MS = 10_000;
/** Interval of the purge. */
const PURGE_MS = 3_600_000;
/** Retention of files whose import was not started, and of ended imports. */
const UNSTARTED_MS = 86_400_000;
const ENDED_MS = 30 * 86_400_000;
/** Longest time that a cancel waits for a part that another process is storing. */
const MAX_WAIT_MS = LEASE_MS + RETRY_MS;
const POLL_MS = 50;

const unchanged: PartFilter = (part) => Promise.resolve(part);

export class ImportRunner {
  readonly #site: ImportSite;
  readonly #records: ImportRecords;
  readonly #parts: ImportParts;
  #work: Promise<void> | null = null;
  #isClosed = false;
  #purgeAt = 0;
  #tickAt = 0;

  constructor(site: ImportSite, records: ImportRecords, parts: ImportParts) {
    this.#site = site;
    this.#records = records;
    this.#parts = parts;
  }

  get #fetching(): PartFilter {
    return fetching({ ...this.#site.host, records: this.#records, now: this.#site.now });
  }

  /** Runs the waiting imports, also those of other processes, unless the last run began less than `TICK_MS` ago. */
  tick(): Promise<void> | null {
    const left = this.#tickAt - this.#site.now();
    return left > 0 && left <= TICK_MS ? null : this.start();
  }

  /** Runs the waiting imports; null when they are running already. The promise never rejects. */
  start(): Promise<void> | null {
    if (this.#work !== null || this.#isClosed || this.#site.host.files === undefined) return null;
    this.#tickAt = this.#site.now() + TICK_MS;
    const work = this.#runAll().catch((error: unknown) => this.#report("the imports could not run", error));
    this.#work = work.finally(() => (this.#work = null));
    return this.#work;
  }

  /** Stops after the current part. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
  }

  /** Reads the first part without storing anything; rejects if the options do not fit the file. */
  async check(record: ImportRecord): Promise<void> {
    const file = await this.#open(record, []);
    try {
      await this.#parts.during(file, unchanged, (content) => this.#importPart(record, content, true));
    } finally {
      await file.close();
    }
  }

  /** Deletes the forms and submissions of a cancelled import, once no process is storing a part of it. */
  async undo(id: number): Promise<void> {
    const until = performance.now() + MAX_WAIT_MS;
    while (!this.#isClosed && performance.now() < until) {
      const record = await this.#claim(id);
      if (record !== null) return this.#undo(record);
      const current = await this.#records.read(id);
      if (current?.state !== "cancelling") return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  #claim(id = 0): Promise<ImportRecord | null> {
    const now = this.#site.now();
    return this.#records.claim(now, now + LEASE_MS, id);
  }

  async #runAll(): Promise<void> {
    await this.#purge();
    for (let next = await this.#claim(); next !== null; next = this.#isClosed ? null : await this.#claim()) {
      await (next.state === "running" ? this.#run(next) : this.#undo(next));
    }
  }

  async #run(claimed: ImportRecord): Promise<void> {
    let record = claimed;
    try {
      const made = await this.#records.made(record.id);
      const { data } = record;
      // The submissions are counted again, because a process may have stopped before it saved the progress of a part.
      const submissions = data.done > 0 ? await this.#records.count(record.id) : 0;
      record = { ...record, data: { ...data, submissions, forms: united(data.forms, [...made.values()]) } };
      const file = await this.#open(record, [...made.keys()]);
      try {
        const filter = data.options.fetch_files === true ? this.#fetching : unchanged;
        await this.#parts.during(file, filter, async (content) => {
          while (!file.isDone && !this.#isClosed) {
            const next = await this.#step(record, file, content);
            if (next === null) return;
            record = next;
          }
          if (!file.isDone) await this.#records.release(record);
        });
      } finally {
        await file.close();
      }
      if (file.isDone) await this.#removeFile(record);
    } catch (error) {
      await this.#fail(record, error);
    }
  }

  /** Stores one part; null when the import was cancelled or another process runs it. */
  async #step(record: ImportRecord, file: ImportFile, content: string): Promise<ImportRecord | null> {
    const made = await this.#importPart(record, content, false);
    const { data } = record;
    const stored = made.forms.reduce((sum, { submissions }) => sum + (submissions.stored ?? 0), 0);
    const ids = made.forms.flatMap(({ id }) => id ?? []);
    const next = {
      ...record,
      data: {
        ...data,
        done: file.done,
        total: file.isDone ? file.done : Math.max(data.total, file.done),
        forms: united(data.forms, ids),
        submissions: data.submissions + stored,
        losses: withNotes(data.losses, made.report),
        attempts: 0,
      },
    };
    const [state, until] = file.isDone ? (["done", 0] as const) : (["running", this.#site.now() + LEASE_MS] as const);
    const isSaved = await this.#records.save(next, "running", state, until);
    if (isSaved) return { ...next, lease: until };
    await this.#records.release(record);
    return null;
  }

  #importPart({ data }: ImportRecord, content: string, preview: boolean): Promise<FormImport> {
    const { form_id, mapping, time_zone, keep_scripts = false } = data.options;
    const body = {
      content,
      ...(data.stated === undefined ? {} : { format: data.stated as FormImport["format"] }),
      ...(form_id === undefined ? {} : { form_id }),
      ...(mapping === undefined ? {} : { mapping }),
      ...(time_zone === undefined ? {} : { time_zone }),
    };
    return this.#site.clientOf(data.principal).importForms({ preview, keep_scripts, body });
  }

  #open({ id, data }: ImportRecord, made: readonly number[]): Promise<ImportFile> {
    const { key, done, options, month_first, encoding } = data;
    const { host } = this.#site;
    if (host.files === undefined) throw new Error("this host has no files");
    const chosen = options.forms === undefined ? {} : { forms: options.forms };
    const { fetch_files = false } = options;
    const setup = { import_id: id, from: done, made, month_first, fetch_files, ...chosen };
    return ImportFile.open(host.files, key, setup, encoding);
  }

  /** Records a failed attempt. Server errors are retried, up to `MAX_ATTEMPTS` attempts. */
  async #fail(record: ImportRecord, error: unknown): Promise<void> {
    const isPermanent = error instanceof ApiError && error.status < 500;
    const attempts = record.data.attempts + 1;
    const isLast = isPermanent || attempts >= MAX_ATTEMPTS;
    this.#report("an import failed", error, { import_id: record.id, attempts });
    const message = error instanceof ApiError ? error.message : "Something went wrong on the server.";
    const data = { ...record.data, attempts, ...(isLast ? { error: message } : {}) };
    const until = isLast ? 0 : this.#site.now() + RETRY_MS;
    await this.#records.save({ ...record, data }, "running", isLast ? "failed" : "running", until);
    if (isLast) await this.#removeFile(record);
  }

  async #undo(record: ImportRecord): Promise<void> {
    const client = this.#site.clientOf(record.data.principal);
    for (const id of (await this.#records.made(record.id)).values()) {
      await client.deleteForm({ id, force: true }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      });
    }
    let lease = record;
    let before: number | undefined;
    for (let ids = await this.#records.stored(record.id); ids[0] !== undefined; ) {
      if (ids[0] === before) throw new Error(`the submission ${before} of a cancelled import is not deleted`);
      [before] = ids;
      await client.bulkSubmissions({ body: { ids: [...ids], action: "delete" } });
      lease = (await this.#save(lease, "cancelling")) ?? lease;
      ids = await this.#records.stored(record.id);
    }
    await this.#removeFile(record);
    const data = { ...record.data, forms: [], submissions: 0, done: 0 };
    await this.#save({ ...lease, data }, "cancelled");
  }

  /** Renews the lease of a cancelled import, or ends the lease with the state `cancelled`. */
  async #save(record: ImportRecord, state: State): Promise<ImportRecord | null> {
    const until = state === "cancelled" ? 0 : this.#site.now() + LEASE_MS;
    return (await this.#records.save(record, "cancelling", state, until)) ? { ...record, lease: until } : null;
  }

  async #removeFile({ data }: ImportRecord): Promise<void> {
    await this.#site.host.files?.delete(data.key).catch((error: unknown) => {
      this.#report("the file of an import is left", error, { key: data.key });
    });
  }

  /** Deletes imports that were not started within a day, and records of ended imports after 30 days. */
  async #purge(): Promise<void> {
    const now = this.#site.now();
    if (now < this.#purgeAt && this.#purgeAt - now <= PURGE_MS) return;
    this.#purgeAt = now + PURGE_MS;
    for (const { id, data } of await this.#records.before(now - UNSTARTED_MS, ["new", "ready"])) {
      await this.#site.host.files?.delete(data.key);
      await this.#records.remove(id);
    }
    for (const { id, data } of await this.#records.before(now - ENDED_MS, ["done", "failed", "cancelled"])) {
      // A process that was killed may have left the file.
      await this.#site.host.files?.delete(data.key);
      await this.#records.remove(id);
    }
  }

  #report(message: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    writeLog(this.#site.host, "error", message, { ...fields, error: reasonOf(error) });
  }
}

function united(one: readonly number[], other: readonly number[]): readonly number[] {
  return [...new Set([...one, ...other])];
}
