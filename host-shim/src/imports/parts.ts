/** The files that are being read in parts. The engine gets a placeholder text instead of a file's content. */

import type { ImportOptions } from "../frame.ts";
import { withOffsets } from "../zone-clock.ts";
import type { ImportFile } from "./import-file.ts";

/** Changes a part of a file before the engine gets it. */
export type PartFilter = (part: string) => Promise<string>;

interface Reading {
  readonly file: ImportFile;
  readonly filter: PartFilter;
}

export class ImportParts {
  readonly #readings = new Map<string, Reading>();

  /** Lets the engine read a file during `work`, which gets the placeholder of the file. */
  async during<T>(file: ImportFile, filter: PartFilter, work: (content: string) => Promise<T>): Promise<T> {
    // The placeholder is random, so that no request can guess it.
    const content = `cf-import ${crypto.randomUUID()}`;
    this.#readings.set(content, { file, filter });
    try {
      return await work(content);
    } finally {
      this.#readings.delete(content);
    }
  }

  /** Reads the next part of the file with this placeholder; null for any other text. */
  read(content: string, options: ImportOptions): Promise<string> | null {
    const reading = this.#readings.get(content);
    if (reading === undefined) return null;
    return reading.file.next(JSON.stringify(withOffsets(options))).then(reading.filter);
  }
}
