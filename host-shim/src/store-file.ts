/** Stores an uploaded file as it arrives. */
import type { Files } from "./ports.ts";

/** Limit for a file on a host that cannot store a stream and so holds each file in memory. */
export const MAX_BUFFERED_FILE_BYTES = 16 * 2 ** 20;

/** The destination of a file. */
export interface Place {
  readonly files: Files;
  readonly key: string;
  readonly contentType: string;
  /** Limit in bytes. A larger file is counted, but not stored. */
  readonly limit: number;
  /** Idle timeout in milliseconds. */
  readonly idleMs: number;
}

/** Stores the pieces of a file; false when the file is too large. */
export async function storeFile(
  place: Place,
  piece: () => Promise<Uint8Array | null>,
  size: () => number,
): Promise<boolean> {
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

/** Awaits the work, and rejects when no byte moves for the idle timeout. */
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

/** Joins the pieces to one array of the size. */
export function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
