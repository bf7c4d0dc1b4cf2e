/** A multipart body (RFC 7578), parsed as it arrives: nothing gathers but its texts. */

import type { BusboyFileStream, Dicer } from "@fastify/busboy";
import { BodyFault, type IncomingBody } from "./incoming-body.ts";
import { isDiskFull } from "./disk-full.ts";
import type { Files } from "./ports.ts";
import { reasonOf } from "./reason.ts";

/** All texts together may have so many bytes. */
const TEXT_BYTES = 2 ** 20;
/** A form may have ten thousand fields; the engine refuses more than twice as many. */
const MAX_FIELDS = 20_001;
const MAX_FILES = 1_000;
/** Parts of any kind, also those that are neither a field nor a file. */
const MAX_PARTS = MAX_FIELDS + MAX_FILES;
/** The parts of a body that is refused, read for the answers in it. */
const MAX_PASSED_OVER = 2_000;
const LONGEST_NAME = 2_000;
/** What a part costs in memory besides its bytes. */
const PART_BYTES = 2 ** 12;
/** A piece of the body is parsed in slices: one of nothing but small parts takes a while, and others wait for the turn's end. */
const SLICE_BYTES = 2 ** 14;
/** A slice that takes longer, in milliseconds, ends the turn. */
const MAX_SLICE_MS = 2;
/** How many first bytes of a file the engine sees: `SNIFFED_BYTES` of `crates/model/src/file_types.rs`. */
const SNIFFED_BYTES = 4096;
/** A host that cannot take a stream has each file in memory. */
const WITHOUT_STREAMS = 16 * 2 ** 20;

export interface FileName {
  readonly field: string;
  readonly filename: string;
}

/** What a body says without the bytes of files. */
export interface Answers {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: readonly FileName[];
}

export interface MultipartPart {
  /** Names and texts since the last file. */
  readonly fields: readonly (readonly [string, string])[];
  /** The file that comes next; null at the end. */
  readonly file: (FileName & { readonly content_type: string }) | null;
  /** Why the body is refused, of which more is read all the same. */
  readonly fault?: BodyFault["code"];
}

export interface ReceivedFile {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes, by which the engine tells the type. */
  readonly first: Uint8Array;
  readonly stored: boolean;
  readonly error?: string;
  /** Whether there is no room for it on the host's disk. */
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
  /** What is larger is counted, and not stored. */
  readonly limit: number;
  /** How long nothing may move, in milliseconds. */
  readonly idleMs: number;
}

export class Multipart {
  readonly #body: IncomingBody;
  /** What was read so far. */
  readonly #answers: { readonly fields: (readonly [string, string])[]; readonly files: FileName[] } = { fields: [], files: [] };
  readonly #events: Event[] = [];
  #heard: () => void = () => undefined;
  /** Whether somebody waits for the next event: without that nothing is read of the body. */
  #isAwaited = false;
  #awaited: () => void = () => undefined;
  #file: AsyncIterator<Uint8Array> | null = null;
  #receiving: Promise<ReceivedFile> | null = null;
  #isBroken = false;
  /** Why the parts are refused, whatever the body is. */
  #fault: BodyFault["code"] | null = null;
  #parts = 0;
  /** Whether no further part is read. */
  #isOver = false;
  /** Rejects when the body cannot be read on. The stream of a file is not told of that. */
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

  /** What was read so far. */
  get answers(): Answers {
    return this.#answers;
  }

  /** The texts up to the next file, whose bytes must be received before the next call. A refused body may end anywhere. */
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
      this.#awaited();
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

  /** Reads the file to its end; without a place its bytes are counted alone. */
  receive(place: Place | null): Promise<ReceivedFile> {
    return (this.#receiving = this.#receive(this.#body.fault === null ? place : null));
  }

  /** Reads what is left, files uncounted; returns all texts and the names of all files, as far as they came. */
  async rest(): Promise<Answers> {
    try {
      if (this.#file !== null) await (this.#receiving ?? this.receive(null));
      while ((await this.next()).file !== null) await this.receive(null);
    } catch {
      // What came before is there.
    }
    return this.#answers;
  }

  async #receive(place: Place | null): Promise<ReceivedFile> {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    let size = 0;
    const pieces: Uint8Array[] = [];
    const piece = async (): Promise<Uint8Array | null> => {
      // A body that ends within a file is told by the file's stream alone.
      const own = this.#file?.next().catch((error: unknown) => Promise.reject(new BodyFault("broken", error)));
      const next = await Promise.race([own, this.#broken]);
      if (next === undefined || next.done === true) return null;
      if (size < SNIFFED_BYTES) pieces.push(next.value.slice(0, SNIFFED_BYTES - size));
      size += next.value.length;
      // Files of a refused body are compared with none.
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
    // It needs Node's streams, which a bundle for other platforms has no use for until a file comes.
    const { Busboy } = await import("@fastify/busboy");
    const busboy = new Busboy({
      headers: { "content-type": contentType },
      // A file is what has a name, also an empty one: an input that was left empty.
      // As bytes: which characters they are, `decoded` finds out.
      defCharset: "latin1",
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: {
        fieldNameSize: LONGEST_NAME,
        fieldSize: TEXT_BYTES,
        fields: MAX_FIELDS,
        files: MAX_FILES,
        parts: MAX_PARTS,
        headerPairs: 50,
        headerSize: 16_384,
      },
    });
    onEachPart(busboy, (part) => {
      this.#body.charge(PART_BYTES);
      if (++this.#parts > MAX_PASSED_OVER && this.#body.fault !== null) this.#isOver = true;
      decodeNames(part);
    });
    let text = 0;
    // A part may have no name, whatever the parser's types say: it is no field, and a file of none.
    busboy.on("field", (name: string | undefined, value, nameIsCut, valueIsCut) => {
      if (name === undefined) return;
      // A text that is too large is passed over, and the others are kept.
      if (nameIsCut || valueIsCut || text + name.length + value.length > TEXT_BYTES) return void (this.#fault ??= "too_large");
      text += name.length + value.length;
      const field = [unescaped(name), decoded(value)] as const;
      this.#answers.fields.push(field);
      this.#add({ field });
    });
    busboy.on("file", (name: string | undefined, stream, cutName, _encoding, type) => {
      // What goes wrong with it is told by the next read.
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
    // Both are waited for below; a fault may come before.
    ended.catch(() => undefined);
    let isEmpty = true;
    for (let piece = await this.#nextPiece(); piece !== null; piece = await this.#nextPiece()) {
      if (this.#isBroken) return;
      isEmpty = false;
      for (let at = 0; at < piece.length; at += SLICE_BYTES) {
        const slice = piece.subarray(at, at + SLICE_BYTES);
        const begun = performance.now();
        // The next slice is parsed when this one is taken, files and all.
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

  /** Reads on when all that was read is taken, and more is wanted. */
  async #nextPiece(): Promise<Uint8Array | null> {
    while (this.#file === null && (this.#events.length > 0 || !this.#isAwaited)) {
      await new Promise<void>((resolve) => (this.#awaited = resolve));
    }
    return this.#body.next();
  }

  #add(event: Event): void {
    this.#events.push(event);
    this.#heard();
  }

  async #take(): Promise<Event> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      this.#isAwaited = true;
      this.#awaited();
      await new Promise<void>((resolve) => (this.#heard = resolve));
      this.#isAwaited = false;
    }
  }
}

/** Stores the pieces of a file; false where there are too many. */
async function store(place: Place, piece: () => Promise<Uint8Array | null>, size: () => number): Promise<boolean> {
  const { files, key, contentType, idleMs } = place;
  if (files.putStream === undefined) {
    const limit = Math.min(place.limit, WITHOUT_STREAMS);
    const pieces: Uint8Array[] = [];
    for (let next = await piece(); next !== null; next = await piece()) {
      if (size() <= limit) pieces.push(next);
      else pieces.length = 0;
    }
    if (size() > place.limit) return false;
    if (size() > limit) throw new Error("this host takes files of at most 16 MB");
    await moving(files.put(key, joined(pieces, size()), contentType), idleMs, size);
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
    await moving(files.putStream(key, stream, contentType), idleMs, size);
    return true;
  } catch (error) {
    if (fault instanceof RangeError) return false;
    throw fault ?? error;
  }
}

/** Rejects when for so long neither the work is done nor anything has moved. */
async function moving(work: Promise<void>, idleMs: number, moved: () => number): Promise<void> {
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

/** A text of bytes in UTF-8, or else in windows-1252: browsers send it where a page of another site says so. */
function decoded(bytes: string): string {
  // Characters beyond a byte were decoded already: the part names its encoding.
  if (!/[\x80-\xff]/.test(bytes) || /[^\x00-\xff]/.test(bytes)) return bytes;
  const own = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  try {
    return utf8.decode(own);
  } catch {
    return new TextDecoder("windows-1252").decode(own);
  }
}

/** The parts of the parser that its types leave out. */
interface ParserInternals {
  readonly _parser?: { readonly parser?: Dicer };
}

/** Calls back with each part, before the parser reads its head. */
function onEachPart(busboy: unknown, callback: (part: Dicer.PartStream) => void): void {
  const { _parser: parser } = busboy as ParserInternals;
  parser?.parser?.prependListener("part", callback);
}

/**
 * Gives the parser the names of fields and files in UTF-8, whatever their encoding: it reads heads of parts in UTF-8
 * alone and has no option for it.
 */
function decodeNames(part: Dicer.PartStream): void {
  part.prependListener("header", (header: { readonly "content-disposition"?: string[] }) => {
    const lines = header["content-disposition"] ?? [];
    for (const [index, line] of lines.entries()) {
      // Each quoted name by itself.
      const text = line.split('"').map(decoded).join('"');
      lines[index] = String.fromCharCode(...new TextEncoder().encode(text));
    }
  });
}

/** A name as the page has it: browsers write what would end it as percent signs (HTML, "multipart form data"). */
function unescaped(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
