/** Names and texts of a multipart body, in the encodings that browsers send. */
import type { Dicer } from "@fastify/busboy";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes bytes as UTF-8, or else as windows-1252, which browsers send from pages in that encoding. */
export function decoded(bytes: string): string {
  // A character above 0xFF shows that the parser decoded the text already, by the encoding that its part names.
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
export function onEachPart(busboy: unknown, callback: (part: Dicer.PartStream) => void): void {
  const { _parser: parser } = busboy as ParserInternals;
  parser?.parser?.prependListener("part", callback);
}

/**
 * Converts the names of fields and files to UTF-8, because the parser reads heads of parts only as UTF-8 and has no
 * option for it.
 */
export function decodeNames(part: Dicer.PartStream): void {
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
export function unescaped(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
