/** Opens stored files as streams, even if the adapter has no streams. */
import type { Files } from "./ports.ts";

/** Opens a file as a stream; null when it does not exist. */
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
