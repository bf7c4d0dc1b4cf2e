import { gzip } from "pako";

/**
 * Returns the bytes of `content` after gzip at level 9. Node's own zlib chooses its matches by the instructions that the
 * processor offers, so its sizes differ between machines; pako's do not.
 */
export function gzipSize(content: Uint8Array | string): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return gzip(bytes, { level: 9 }).length;
}
