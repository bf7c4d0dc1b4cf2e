/** Pictures of forms: stored under the hash of their bytes, and served to everybody at an address that never changes. */

import type { Reply } from "./forms.ts";
import type { Multipart } from "./multipart.ts";
import { writeLog } from "./log.ts";
import type { Files, Host } from "./ports.ts";
import { reasonOf } from "./reason.ts";
import { streamOf } from "./file-stream.ts";
import { sanitizeSvg } from "./svg.ts";

/** Limit for a picture, in bytes. */
export const MAX_IMAGE_BYTES = 1 << 20;

/** The media types of pictures, by the extensions of their names. */
const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  svg: "image/svg+xml",
};

/** The path of a picture below the front prefix's `-/images/`. */
const PATH = /^(\d{1,16})\/([0-9a-f]{32})\.(png|jpg|webp|svg)$/;

/** A stored picture, or the fault of the file: `missing`, `size` or `type`. */
export type StoredImage =
  | { readonly name: string; readonly content_type: string }
  | { readonly fault: "missing" | "size" | "type" };

/** Reads the first file of a multipart body and stores it in a folder, if it is a picture. */
export async function storeImage(parts: Multipart, files: Files, folder: string, idleMs: number): Promise<StoredImage> {
  const { file, fault } = await parts.next();
  if (fault !== undefined) return { fault: fault === "too_large" ? "size" : "missing" };
  if (file === null) return { fault: "missing" };
  let received = new Uint8Array();
  const memory: Files = {
    put: async (_key, bytes) => void (received = new Uint8Array(bytes)),
    get: async () => null,
    delete: async () => undefined,
  };
  const { stored, size } = await parts.receive({
    files: memory,
    key: "picture",
    contentType: "",
    limit: MAX_IMAGE_BYTES,
    idleMs,
  });
  if (!stored) return { fault: size > MAX_IMAGE_BYTES ? "size" : "missing" };
  const picture = pictureOf(received);
  if (picture === null) return { fault: "type" };
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", picture.bytes)).subarray(0, 16);
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const name = `${hex}.${picture.extension}`;
  const contentType = TYPES[picture.extension] ?? "";
  await files.put(`${folder}/${name}`, picture.bytes, contentType);
  return { name, content_type: contentType };
}

/** Detects the type of a picture from its bytes, and sanitizes SVG; null for anything else. */
function pictureOf(bytes: Uint8Array<ArrayBuffer>): { extension: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const starts = (...wanted: readonly number[]) => wanted.every((byte, place) => byte < 0 || bytes[place] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return { extension: "png", bytes };
  if (starts(0xff, 0xd8, 0xff)) return { extension: "jpg", bytes };
  if (starts(0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50)) return { extension: "webp", bytes };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  const svg = sanitizeSvg(text);
  return svg === null ? null : { extension: "svg", bytes: new TextEncoder().encode(svg) };
}

/** Responds to a request for a picture. An SVG that is opened in a separate tab is sandboxed. */
export async function imageReply(method: string, path: string, host: Pick<Host, "files" | "log">): Promise<Reply> {
  const { files } = host;
  const [, form, hash, extension = ""] = PATH.exec(path) ?? [];
  const isRead = method === "GET" || method === "HEAD";
  const stream =
    files === undefined || hash === undefined || !isRead
      ? null
      : await streamOf(files, `images/${form}/${hash}.${extension}`).catch((error: unknown) =>
          writeLog(host, "error", "a picture could not be read", { path, error: reasonOf(error) }),
        );
  if (stream == null) {
    const [status, text] = stream === null ? [404, "Not found\n"] : [500, "The file could not be read\n"];
    return { status, headers: [["content-type", "text/plain;charset=UTF-8"]], body: new TextEncoder().encode(text) };
  }
  const head: Omit<Reply, "stream"> = {
    status: 200,
    headers: [
      ["content-type", TYPES[extension] ?? "application/octet-stream"],
      ["cache-control", "public, max-age=31536000, immutable"],
      ["content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
      ["x-content-type-options", "nosniff"],
      ["access-control-allow-origin", "*"],
      ["cross-origin-resource-policy", "cross-origin"],
    ],
    body: new Uint8Array(),
  };
  if (method === "GET") return { ...head, stream };
  await stream.cancel();
  return head;
}
