/** A multipart body (RFC 7578), parsed as it arrives. Only its texts are buffered. */

import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { BodyFault, type IncomingBody } from "./incoming-body.ts";
import { isDiskFull } from "./disk-full.ts";
import { loaded, ModuleFault } from "./module-fault.ts";
import { decoded, decodeNames, onEachPart, unescaped } from "./multipart-names.ts";
import { reasonOf } from "./reason.ts";
import { joined, type Place, storeFile } from "./store-file.ts";

/** Limit for all texts together. */
const MAX_TEXT_BYTES = 2 ** 20;
/** Limit for fields. A form may have ten thousand; the engine rejects more than twice as many. */
const MAX_FIELDS = 20_001;
const MAX_FILES = 1_000;
/** Limit for parts of any kind, also those that are neither a field nor a file. */
const MAX_PARTS = MAX_FIELDS + MAX_FILES;
/** Limit for the parts of a rejected body that is read for its answers. */
const MAX_PASSED_OVER = 2_000;
const MAX_NAME_BYTES = 2_000;
/** Memory that a part costs in addition to its bytes. */
const PART_OVERHEAD_BYTES = 2 ** 12;
/**
 * Size of the slices in which a piece is parsed. Parsing a whole piece full of small parts would block the event loop.
 */
const SLICE_BYTES = 2 ** 14;
/** Parsing time in milliseconds after which the parser yields to the event loop. */
const MAX_SLICE_MS = 2;
/** Number of a file's first bytes that the engine gets (`SNIFFED_BYTES` of `crates/model/src/file_types`). */
const SNIFFED_BYTES = 4096;

export interface FileName {
  readonly field: string;
  readonly filename: string;
}

/** The answers in a body, without the bytes of files. */
export interface Answers {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: readonly FileName[];
}

export interface MultipartPart {
  /** Names and texts since the last file. */
  readonly fields: readonly (readonly [string, string])[];
  /** The next file; null at the end. */
  readonly file: (FileName & { readonly content_type: string }) | null;
  /** Fault of a rejected body, which is still read for its answers. */
  readonly fault?: BodyFault["code"];
}

export interface ReceivedFile {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes, from which the engine detects the type. */
  readonly first: Uint8Array;
  readonly stored: boolean;
  readonly error?: string;
  /** Whether the host's disk has no room for the file. */
  readonly full?: boolean;
}

type Event =
  | { readonly field: readonly [string, string] }
  | { readonly file: NonNullable<MultipartPart["file"]>; readonly stream: BusboyFileStream }
  | "end";

export class Multipart {
  readonly #body: IncomingBody;
  /** The answers that were read so far. */
  readonly #answers: { readonly fields: (readonly [string, string])[]; readonly files: FileName[] } = {
    fields: [],
    files: [],
  };
  readonly #events: Event[] = [];
  #eventAdded: () => void = () => undefined;
  /** Whether a caller waits for the next event. Otherwise the body is not read. */
  #isAwaited = false;
  #wanted: () => void = () => undefined;
  #file: AsyncIterator<Uint8Array> | null = null;
  #receiving: Promise<ReceivedFile> | null = null;
  #isBroken = false;
  /** Fault that the parser found; the body may have another. */
  #fault: BodyFault["code"] | null = null;
  #parts = 0;
  /** Size of all texts so far. */
  #textBytes = 0;
  /** Whether a limit was reached, so that the remaining parts are skipped. */
  #isOver = false;
  /** Rejects when the body cannot be read. The stream of a file does not report that. */
  readonly #broken: Promise<never>;
  #break: (fault: BodyFault | ModuleFault) => void = () => undefined;

  constructor(body: IncomingBody, contentType: string) {
    this.#body = body;
    this.#broken = new Promise((_, reject) => {
      this.#break = (fault) => {
        this.#isBroken = true;
        reject(fault);
      };
    });
    this.#broken.catch(() => undefined);
    void this.#parse(contentType).catch((error: unknown) => {
      const isKnown = error instanceof BodyFault || error instanceof ModuleFault;
      this.#break(isKnown ? error : new BodyFault("broken", error));
    });
  }

  /** The answers that were read so far. */
  get answers(): Answers {
    return this.#answers;
  }

  /**
   * Returns the texts up to the next file, which must be received before the next call. A rejected body may break off
   * at any point.
   */
  async next(): Promise<MultipartPart> {
    const fields: (readonly [string, string])[] = [];
    for (;;) {
      const event = await this.#nextEvent();
      if (event !== "end" && "field" in event) {
        fields.push(event.field);
        continue;
      }
      const fault = this.#body.fault ?? this.#fault;
      const found = fault === null ? { fields } : { fields, fault };
      if (event === "end") return { ...found, file: null };
      this.#file = event.stream[Symbol.asyncIterator]();
      this.#wanted();
      return { ...found, file: event.file };
    }
  }

  async #nextEvent(): Promise<Event> {
    try {
      return await Promise.race([this.#take(), this.#broken]);
    } catch (error) {
      if (this.#body.fault === null) throw error;
      return "end";
    }
  }

  /** Reads the file to its end, and stores it if there is a destination. */
  receive(place: Place | null): Promise<ReceivedFile> {
    return (this.#receiving = this.#receive(this.#body.fault === null ? place : null));
  }

  /** Reads the rest without its files, and returns all texts and file names that arrived. */
  async rest(): Promise<Answers> {
    try {
      if (this.#file !== null) await (this.#receiving ?? this.receive(null));
      while ((await this.next()).file !== null) await this.receive(null);
    } catch {
      // The answers before the failure are complete.
    }
    return this.#answers;
  }

  async #receive(place: Place | null): Promise<ReceivedFile> {
    const { createHash } = await loaded("node:crypto", import("node:crypto"));
    const hash = createHash("sha256");
    let size = 0;
    const pieces: Uint8Array[] = [];
    const piece = async (): Promise<Uint8Array | null> => {
      // Only the file's stream reports a body that ends within a file.
      const pending = this.#file?.next().catch((error: unknown) => Promise.reject(new BodyFault("broken", error)));
      const next = await Promise.race([pending, this.#broken]);
      if (next === undefined || next.done === true) return null;
      if (size < SNIFFED_BYTES) pieces.push(next.value.slice(0, SNIFFED_BYTES - size));
      size += next.value.length;
      // Files of a rejected body are not stored, so nothing needs their hash.
      if (this.#body.fault === null) hash.update(next.value);
      return next.value;
    };
    let failed: Pick<ReceivedFile, "error" | "full"> = {};
    let stored = false;
    if (place !== null) {
      try {
        stored = await storeFile(place, piece, () => (this.#body.fault === null ? size : Infinity));
      } catch (failure) {
        if (failure instanceof BodyFault) throw failure;
        failed = { error: reasonOf(failure).slice(0, 1_000), ...(isDiskFull(failure) ? { full: true } : {}) };
      }
    }
    while ((await piece()) !== null);
    this.#file = null;
    this.#receiving = null;
    const first = joined(pieces, Math.min(size, SNIFFED_BYTES));
    return { size, sha256: hash.digest("hex"), first, stored, ...failed };
  }

  async #parse(contentType: string): Promise<void> {
    const busboy = await this.#parser(contentType);
    const ended = new Promise<void>((resolve, reject) => {
      busboy.on("finish", () => resolve());
      busboy.on("error", reject);
    });
    // `ended` is awaited below, but may reject before.
    ended.catch(() => undefined);
    let isEmpty = true;
    for (let piece = await this.#nextPiece(); piece !== null; piece = await this.#nextPiece()) {
      if (this.#isBroken) return;
      isEmpty = false;
      for (let at = 0; at < piece.length; at += SLICE_BYTES) {
        const slice = piece.subarray(at, at + SLICE_BYTES);
        const begun = performance.now();
        // The next slice is parsed when this one is consumed, including its files.
        const taken = new Promise<void>((resolve) => busboy.write(slice, () => resolve()));
        const milliseconds = performance.now() - begun;
        await Promise.race([taken, ended]);
        if (this.#isOver) return this.#add("end");
        if (milliseconds > MAX_SLICE_MS) await new Promise((resolve) => setTimeout(resolve));
      }
    }
    if (isEmpty) throw new BodyFault("broken");
    busboy.end();
    await ended;
    this.#add("end");
  }

  /** Creates the parser, whose parts become events. */
  async #parser(contentType: string): Promise<BusboyInstance> {
    // The parser needs Node's streams, so it is loaded only for the first multipart body.
    const { Busboy } = await loaded("the parser of bodies with files", import("@fastify/busboy"));
    const busboy = new Busboy({
      headers: { "content-type": contentType },
      // Latin-1 keeps the bytes; `decoded` finds their encoding.
      defCharset: "latin1",
      // A part with a file name is a file, even if the name is empty: browsers send an empty name for an empty file
      // input.
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: {
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_TEXT_BYTES,
        fields: MAX_FIELDS,
        files: MAX_FILES,
        parts: MAX_PARTS,
        headerPairs: 50,
        headerSize: 16_384,
      },
    });
    onEachPart(busboy, (part) => {
      this.#body.charge(PART_OVERHEAD_BYTES);
      if (++this.#parts > MAX_PASSED_OVER && this.#body.fault !== null) this.#isOver = true;
      decodeNames(part);
    });
    // Despite the parser's types a part may have no name. A text without a name is ignored.
    busboy.on("field", (name: string | undefined, value, nameIsCut, valueIsCut) => {
      if (name !== undefined) this.#addField(name, value, nameIsCut || valueIsCut);
    });
    busboy.on("file", (name: string | undefined, stream, filename, _encoding, type) => {
      this.#addFile({ field: name ?? "", filename, content_type: type ?? "" }, stream);
    });
    for (const limit of ["fieldsLimit", "partsLimit"] as const) {
      busboy.on(limit, () => {
        this.#fault = "too_many_fields";
        this.#isOver = true;
      });
    }
    return busboy;
  }

  /** Adds a text. A text that is too large is skipped; the others are kept. */
  #addField(name: string, value: string, isCut: boolean): void {
    const bytes = name.length + value.length;
    if (isCut || this.#textBytes + bytes > MAX_TEXT_BYTES) return void (this.#fault ??= "too_large");
    this.#textBytes += bytes;
    const field = [unescaped(name), decoded(value)] as const;
    this.#answers.fields.push(field);
    this.#add({ field });
  }

  #addFile(part: NonNullable<MultipartPart["file"]>, stream: BusboyFileStream): void {
    // The next read reports the error.
    stream.on("error", () => undefined);
    // A limit was reached, so the file is discarded.
    if (this.#isOver) return void stream.resume();
    const [field, filename] = [unescaped(part.field), unescaped(part.filename)];
    this.#answers.files.push({ field, filename });
    this.#add({ file: { ...part, field, filename }, stream });
  }

  /** Reads the next piece when all events are consumed and a caller waits for more. */
  async #nextPiece(): Promise<Uint8Array | null> {
    while (this.#file === null && (this.#events.length > 0 || !this.#isAwaited)) {
      await new Promise<void>((resolve) => (this.#wanted = resolve));
    }
    return this.#body.next();
  }

  #add(event: Event): void {
    this.#events.push(event);
    this.#eventAdded();
  }

  async #take(): Promise<Event> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      this.#isAwaited = true;
      this.#wanted();
      await new Promise<void>((resolve) => (this.#eventAdded = resolve));
      this.#isAwaited = false;
    }
  }
}
