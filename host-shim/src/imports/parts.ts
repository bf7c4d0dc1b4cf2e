/** The readings in progress, by the texts that stand for them where the engine expects a file. */

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

  /** Lets the engine read a file during `work`, which gets the text that stands for the file. */
  async during<T>(file: ImportFile, filter: PartFilter, work: (content: string) => Promise<T>): Promise<T> {
    // The text is random, so that no request can name the file.
    const content = `cf-import ${crypto.randomUUID()}`;
    this.#readings.set(content, { file, filter });
    try {
      return await work(content);
    } finally {
      this.#readings.delete(content);
    }
  }

  /** Reads the next part of the file that a text stands for; null for any other text. */
  read(content: string, options: ImportOptions): Promise<string> | null {
    const reading = this.#readings.get(content);
    if (reading === undefined) return null;
    return reading.file.next(JSON.stringify(withOffsets(options))).then(reading.filter);
  }
}
