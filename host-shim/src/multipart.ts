/** A multipart body (RFC 7578), parsed as it arrives. Only its texts are buffered. */

import type { BusboyFileStream, Dicer } from "@fastify/busboy";
import { BodyFault, type IncomingBody } from "./incoming-body.ts";
import { isDiskFull } from "./disk-full.ts";
import type { Files } from "./ports.ts";
import { reasonOf } from "./reason.ts";

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
/** Memory that a part costs besides its bytes. */
const PART_OVERHEAD_BYTES = 2 ** 12;
/** Size of the slices in which a piece is parsed. A piece full of small parts would block the event loop. */
const SLICE_BYTES = 2 ** 14;
/** Time in milliseconds after which a slice yields to the event loop. */
const MAX_SLICE_MS = 2;
/** Number of a file's first bytes that the engine gets (`SNIFFED_BYTES` of `crates/model/src/file_types.rs`). */
const SNIFFED_BYTES = 4096;
/** Limit for a file on a host that cannot store a stream and so holds each file in memory. */
const MAX_BUFFERED_FILE_BYTES = 16 * 2 ** 20;

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
  /** Why the body is rejected although it is still read. */
  readonly fault?: BodyFault["code"];
}

export interface ReceivedFile {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes, by which the engine tells the type. */
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

/** Where a file is to be stored. */
export interface Place {
  readonly files: Files;
  readonly key: string;
  readonly contentType: string;
  /** Limit in bytes. A larger file is counted, but not stored. */
  readonly limit: number;
  /** Idle timeout in milliseconds. */
  readonly idleMs: number;
}

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
  /** Why the parts are rejected, apart from the body's fault. */
  #fault: BodyFault["code"] | null = null;
  #parts = 0;
  /** Whether reading of parts has ended. */
  #isOver = false;
  /** Rejects when the body cannot be read. The stream of a file does not report that. */
  readonly #broken: Promise<never>;
  #break: (fault: BodyFault) => void = () => undefined;

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
      this.#break(error instanceof BodyFault ? error : new BodyFault("broken", error));
    });
  }

  /** The answers that were read so far. */
  get answers(): Answers {
    return this.#answers;
  }

  /** Returns the texts up to the next file, which must be received before the next call. A rejected body may end anywhere. */
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

  /** Reads the file to its end; without a place its bytes are only counted. */
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
    const { createHash } = await import("node:crypto");
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
      // Files of a rejected body are not compared with others.
      if (this.#body.fault === null) hash.update(next.value);
      return next.value;
    };
    let failed: Pick<ReceivedFile, "error" | "full"> = {};
    let stored = false;
    if (place !== null) {
      try {
        stored = await store(place, piece, () => (this.#body.fault === null ? size : Infinity));
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
    // The parser needs Node's streams, so it is loaded only when a multipart body comes.
    const { Busboy } = await import("@fastify/busboy");
    const busboy = new Busboy({
      headers: { "content-type": contentType },
      // Latin-1 keeps the bytes; `decoded` finds their encoding.
      defCharset: "latin1",
      // A part with a file name is a file. The name of an empty file input is empty.
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
    let text = 0;
    // Despite the parser's types a part may have no name. A text without a name is ignored.
    busboy.on("field", (name: string | undefined, value, nameIsCut, valueIsCut) => {
      if (name === undefined) return;
      // A text that is too large is skipped; the others are kept.
      if (nameIsCut || valueIsCut || text + name.length + value.length > MAX_TEXT_BYTES)
        return void (this.#fault ??= "too_large");
      text += name.length + value.length;
      const field = [unescaped(name), decoded(value)] as const;
      this.#answers.fields.push(field);
      this.#add({ field });
    });
    busboy.on("file", (name: string | undefined, stream, cutName, _encoding, type) => {
      // The next read reports the error.
      stream.on("error", () => undefined);
      // The rest of the body is not read.
      if (this.#isOver) return void stream.resume();
      const [field, filename] = [unescaped(name ?? ""), unescaped(cutName)];
      this.#answers.files.push({ field, filename });
      this.#add({ file: { field, filename, content_type: type ?? "" }, stream });
    });
    const ended = new Promise<void>((resolve, reject) => {
      busboy.on("finish", () => resolve());
      busboy.on("error", reject);
    });
    for (const limit of ["fieldsLimit", "partsLimit"] as const) {
      busboy.on(limit, () => {
        this.#fault = "too_many_fields";
        this.#isOver = true;
      });
    }
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

/** Stores the pieces of a file; false when the file is too large. */
async function store(place: Place, piece: () => Promise<Uint8Array | null>, size: () => number): Promise<boolean> {
  const { files, key, contentType, idleMs } = place;
  if (files.putStream === undefined) {
    const limit = Math.min(place.limit, MAX_BUFFERED_FILE_BYTES);
    const pieces: Uint8Array[] = [];
    for (let next = await piece(); next !== null; next = await piece()) {
      if (size() <= limit) pieces.push(next);
      else pieces.length = 0;
    }
    if (size() > place.limit) return false;
    if (size() > limit) throw new Error("this host takes files of at most 16 MB");
    await withIdleTimeout(files.put(key, joined(pieces, size()), contentType), idleMs, size);
    return true;
  }
  let fault: unknown = null;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await piece();
          if (next === null) return controller.close();
          if (size() > place.limit) throw new RangeError("the file is too large");
          controller.enqueue(next);
        } catch (error) {
          fault = error;
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  try {
    await withIdleTimeout(files.putStream(key, stream, contentType), idleMs, size);
    return true;
  } catch (error) {
    if (fault instanceof RangeError) return false;
    throw fault ?? error;
  }
}

/** Awaits the work, and rejects when nothing moves for the idle timeout. */
async function withIdleTimeout(work: Promise<void>, idleMs: number, moved: () => number): Promise<void> {
  let last = -1;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (moved() === last) reject(new Error(`files took nothing in ${idleMs} ms`));
      last = moved();
    }, idleMs);
  });
  try {
    await Promise.race([work, stuck]);
  } finally {
    clearInterval(timer);
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8, or else as windows-1252, which browsers send from pages in that encoding. */
function decoded(bytes: string): string {
  // Characters beyond a byte are decoded already, because the part names its encoding.
  if (!/[\x80-\xff]/.test(bytes) || /[^\x00-\xff]/.test(bytes)) return bytes;
  const encoded = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  try {
    return utf8.decode(encoded);
  } catch {
    return new TextDecoder("windows-1252").decode(encoded);
  }
}

/** Members of the parser that its types omit. */
interface ParserInternals {
  readonly _parser?: { readonly parser?: Dicer };
}

/** Calls back with each part before the parser reads its head. */
function onEachPart(busboy: unknown, callback: (part: Dicer.PartStream) => void): void {
  const { _parser: parser } = busboy as ParserInternals;
  parser?.parser?.prependListener("part", callback);
}

/**
 * Converts the names of fields and files to UTF-8, because the parser reads heads of parts only as UTF-8 and has no
 * option for it.
 */
function decodeNames(part: Dicer.PartStream): void {
  part.prependListener("header", (header: { readonly "content-disposition"?: string[] }) => {
    const lines = header["content-disposition"] ?? [];
    for (const [index, line] of lines.entries()) {
      // Each quoted name may have its own encoding.
      const text = line.split('"').map(decoded).join('"');
      lines[index] = String.fromCharCode(...new TextEncoder().encode(text));
    }
  });
}

/** Restores a name: browsers percent-encode quotes and line breaks in it (HTML, "multipart form data"). */
function unescaped(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
