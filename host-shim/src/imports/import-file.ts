/** A stored file that the importers read in parts. */

import { loadImporters } from "#load-engine";
import { streamOf } from "../file-stream.ts";
import type { Files } from "../ports.ts";

type Importers = Awaited<ReturnType<typeof loadImporters>>;

/** Settings for reading a file, in the shape that `crates/import/src/session.rs` reads. */
export interface Setup {
  readonly scan?: boolean;
  readonly import_id?: number;
  readonly from?: number;
  readonly forms?: readonly number[];
  readonly made?: readonly number[];
  readonly month_first?: readonly boolean[];
  readonly fetch_files?: boolean;
}

/** Description of a file. */
export interface Described {
  readonly format: string;
  readonly forms: number;
  readonly submissions: number;
  readonly losses: readonly { readonly code: string; readonly message: string; readonly where: string }[];
  readonly month_first?: readonly boolean[];
  /** The columns of CSV. */
  readonly mapping?: {
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly columns: Readonly<Record<string, string>>;
  };
}

/** Length of text, in characters, after which other work of the process gets its turn. */
const TURN_CHARS = 2 ** 20;

/** Encoding of files that are not UTF-8 and have no byte order mark. */
const FALLBACK_ENCODING = "windows-1252";

/** Converts bytes to text as they arrive. A workbook, which is a zip, becomes base64. */
class Decoder {
  readonly #encoding: string;
  #decoder: TextDecoder | null = null;
  #isZip = false;
  /** Bytes left over because base64 encodes groups of three. */
  #rest: Uint8Array = new Uint8Array();

  constructor(encoding: string) {
    this.#encoding = encoding;
  }

  /** Decodes the next bytes. `bytes` is null at the end. */
  next(bytes: Uint8Array | null): string {
    if (this.#decoder === null && !this.#isZip) {
      const starts = (first: number, second: number): boolean => bytes?.[0] === first && bytes[1] === second;
      this.#isZip = starts(0x50, 0x4b);
      const encoding = starts(0xff, 0xfe) ? "utf-16le" : starts(0xfe, 0xff) ? "utf-16be" : this.#encoding;
      this.#decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
    }
    if (!this.#isZip) return this.#decoder?.decode(bytes ?? new Uint8Array(), { stream: bytes !== null }) ?? "";
    const all = new Uint8Array(this.#rest.length + (bytes?.length ?? 0));
    all.set(this.#rest);
    all.set(bytes ?? [], this.#rest.length);
    const end = bytes === null ? all.length : all.length - (all.length % 3);
    this.#rest = all.slice(end);
    return base64(all.subarray(0, end));
  }
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // More arguments in one call would overflow the stack of some platforms.
  const size = 0x6000;
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + size))));
  }
  return parts.join("");
}

export class ImportFile {
  readonly encoding: string;
  readonly #importers: Importers;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder: Decoder;
  #isEnded = false;
  /** Characters that were read since other work had its turn. */
  #sinceTurn = 0;

  private constructor(importers: Importers, stream: ReadableStream<Uint8Array>, encoding: string) {
    this.#importers = importers;
    this.#reader = stream.getReader();
    this.#decoder = new Decoder(encoding);
    this.encoding = encoding;
  }

  static async open(files: Files, key: string, setup: Setup, encoding: string): Promise<ImportFile> {
    // Each file gets a separate instance, because a file that fails may corrupt its instance.
    const importers = await loadImporters();
    const stream = await streamOf(files, key);
    if (stream === null) throw new Error("the file of the import is gone");
    importers.beginFile(JSON.stringify(setup));
    return new ImportFile(importers, stream, encoding);
  }

  /** Reads a file to its end; returns the file and its description. */
  static async described(files: Files, key: string): Promise<readonly [ImportFile, Described]> {
    for (const encoding of ["utf-8", FALLBACK_ENCODING]) {
      const file = await ImportFile.open(files, key, { scan: true }, encoding);
      try {
        while (await file.#feed());
        return [file, JSON.parse(file.#importers.describeFile()) as Described];
      } catch (error) {
        await file.close();
        // The decoder rejects bytes that are not UTF-8.
        if (!(error instanceof TypeError) || encoding === FALLBACK_ENCODING) throw error;
      }
    }
    throw new Error("no encoding is left");
  }

  /** Reads the next part for the engine, with the options that the engine passed. */
  async next(options: string): Promise<string> {
    for (;;) {
      const part = this.#importers.nextPart(options);
      if (part !== "") return part;
      if (!(await this.#feed())) throw new Error("the file of the import ended early");
    }
  }

  /** Number of forms and submissions read so far. */
  get done(): number {
    return this.#importers.partsDone();
  }

  get isDone(): boolean {
    return this.#importers.isLastPart();
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }

  /** Passes the next bytes to the importers; false after the end. */
  async #feed(): Promise<boolean> {
    if (this.#isEnded) return false;
    const { done, value } = await this.#reader.read();
    const text = this.#decoder.next(done ? null : value);
    if (text !== "") this.#importers.pushText(text);
    this.#sinceTurn += text.length;
    if (this.#sinceTurn >= TURN_CHARS) {
      this.#sinceTurn = 0;
      // A stream from memory never lets timers and requests in.
      await new Promise((resolve) => setTimeout(resolve));
    }
    if (done) {
      this.#isEnded = true;
      this.#importers.endFile();
    }
    return true;
  }
}
