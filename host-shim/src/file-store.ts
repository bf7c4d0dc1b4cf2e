/**
 * Ties a database to the store of its uploads. The store holds a file with an id, which the database records too. A
 * host that shares the database but not the store therefore fails at its start, before a file is missing.
 */

import { writeLog } from "./log.ts";
import type { Files, Host } from "./ports.ts";
import { reasonOf } from "./reason.ts";

/** Key of the file with the store's id. No upload has such a key. */
const ID_KEY = "cf-store-id";
/** Time in milliseconds for which a store that was found counts as available. */
const FOUND_MS = 10_000;
/** Number of times that a start looks for the id, while another host that starts at the same time may be writing it. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

type StoreHost = Pick<Host, "files" | "log">;

/** Returns the id that the database records. If there is none, records the given id. */
type RecordedId = (id: string | null) => Promise<string | null>;

export class FileStore {
  readonly #host: StoreHost;
  /** Id of the store; null before {@link tie}, or when the store could not be checked. */
  #id: string | null = null;
  #foundAt = -Infinity;

  constructor(host: StoreHost) {
    this.#host = host;
  }

  /** Records the store on the first start. Rejects when the database belongs to another store. */
  async tie(recordedId: RecordedId): Promise<void> {
    const { files } = this.#host;
    if (files === undefined) return;
    const recorded = await recordedId(null);
    let present: string | null;
    try {
      present = (await idIn(files)) ?? (recorded === null ? await placeId(files) : null);
    } catch (error) {
      return writeLog(this.#host, "warn", "the store of uploads could not be checked", { error: reasonOf(error) });
    }
    const id = recorded ?? (present === null ? null : await recordedId(present));
    if (id === null) return writeLog(this.#host, "warn", "the store of uploads does not return what it stored", {});
    // When two hosts start at once, the host whose id the database recorded writes it again over the other's.
    if (recorded === null && id === present) await files.put(ID_KEY, encoded(id), "text/plain");
    if (!(await isFound(files, id, present === null ? 1 : ATTEMPTS))) throw new Error(DIFFERENT);
    this.#id = id;
  }

  /** Rejects when the store is missing, so that a file that is not found does not count as deleted. */
  async prove(): Promise<void> {
    const { files } = this.#host;
    if (this.#id === null || files === undefined || performance.now() - this.#foundAt < FOUND_MS) return;
    if ((await idIn(files)) !== this.#id) throw new Error(DIFFERENT);
    this.#foundAt = performance.now();
  }
}

const DIFFERENT = `the uploads of this database are in another store: share one folder or bucket between all its hosts. \
If the store is lost, start without it by deleting the row "file_store" of the table cf_settings`;

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

async function idIn(files: Files): Promise<string | null> {
  const bytes = await files.get(ID_KEY);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Gives a new id to a store; null when the store does not return the id. */
async function placeId(files: Files): Promise<string | null> {
  await files.put(ID_KEY, encoded(crypto.randomUUID()), "text/plain");
  return idIn(files);
}

async function isFound(files: Files, id: string, attempts: number): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    if ((await idIn(files)) === id) return true;
    if (attempt >= attempts) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
