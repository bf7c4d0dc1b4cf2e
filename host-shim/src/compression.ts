/** Static texts in the encodings that browsers accept, each compressed once. */

/** Size up to which brotli's best quality costs less than half a second. */
const MAX_BEST_QUALITY_BYTES = 100_000;

/** A text's bytes, and the value of `Content-Encoding` if they are compressed. */
export interface EncodedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: "br" | "gzip" | null;
}

export class CompressedTexts {
  readonly #compressed = new Map<string, Promise<Uint8Array<ArrayBuffer> | null>>();

  /**
   * Encodes the text with this name as `Accept-Encoding` allows. The text of a name must never change, because its
   * encodings are cached.
   */
  async encode(
    name: string,
    acceptEncoding: string,
    read: () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>,
  ): Promise<EncodedText> {
    for (const encoding of ["br", "gzip"] as const) {
      if (!accepts(acceptEncoding, encoding)) continue;
      const bytes = await this.#once(`${encoding} ${name}`, async () => COMPRESS[encoding](await read()));
      if (bytes !== null) return { bytes, encoding };
    }
    return { bytes: await read(), encoding: null };
  }

  #once(key: string, compress: () => Promise<Uint8Array<ArrayBuffer> | null>): Promise<Uint8Array<ArrayBuffer> | null> {
    const known = this.#compressed.get(key);
    if (known !== undefined) return known;
    const made = compress();
    this.#compressed.set(key, made);
    made.catch(() => this.#compressed.delete(key));
    return made;
  }
}

/** Whether the header names the encoding without forbidding it. */
function accepts(header: string, encoding: string): boolean {
  return new RegExp(`(?:^|[,\\s])${encoding}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))(?:[,;\\s]|$)`, "i").test(header);
}

const COMPRESS = { br: brotli, gzip } as const;

/** Null on platforms without Node's compression. */
async function brotli(content: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> {
  const zlib = await import("node:zlib").catch(() => null);
  if (zlib === null) return null;
  const quality = content.length <= MAX_BEST_QUALITY_BYTES ? 11 : 9;
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: quality };
  return new Promise((resolve, reject) =>
    zlib.brotliCompress(content, { params }, (error, bytes) =>
      error === null ? resolve(new Uint8Array(bytes)) : reject(error),
    ),
  );
}

async function gzip(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
