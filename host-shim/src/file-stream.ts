/** Streams of stored files, also from hosts whose files have none. */
import type { Files } from "./ports.ts";

/** Opens a file as a stream; null when there is none. */
export async function streamOf(files: Files, key: string): Promise<ReadableStream<Uint8Array> | null> {
  if (files.getStream !== undefined) return files.getStream(key);
  const bytes = await files.get(key);
  if (bytes === null) return null;
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
