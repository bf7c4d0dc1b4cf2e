/** The HTTP port on the runtime's `fetch`, for platforms whose `fetch` reaches no private network, such as Workers. */
import type { Http } from "../../src/ports.ts";

export const fetchHttp: Http = {
  async fetch({ method, url, headers, body, timeout_ms, max_bytes }) {
    const response = await fetch(url, {
      method,
      headers: { ...headers },
      body: body === null ? null : new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeout_ms),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await readAtMost(response, max_bytes),
    };
  },
};

async function readAtMost(response: Response, max_bytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined && size < max_bytes) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value.subarray(0, max_bytes - size));
    size += value.length;
  }
  await reader?.cancel();
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
