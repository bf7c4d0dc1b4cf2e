/** The files port on an R2 bucket, which must not be public. */
import type { Files } from "../../src/ports.ts";

/** The part of a stored object that the adapter needs. */
export interface R2ObjectLike {
  /** Reads the bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The part of the binding that the adapter needs. */
export interface R2Like {
  /** Stores an object. */
  put(
    key: string,
    bytes: Uint8Array,
    options: { readonly httpMetadata: { readonly contentType: string } },
  ): Promise<unknown>;
  /** Reads an object; null when there is none. */
  get(key: string): Promise<R2ObjectLike | null>;
  /** Deletes an object. */
  delete(key: string): Promise<void>;
}

/** Creates a files port over a bucket. */
export function r2Files(bucket: R2Like): Files {
  return {
    async put(key, bytes, contentType) {
      await bucket.put(key, bytes, { httpMetadata: { contentType } });
    },
    async get(key) {
      const found = await bucket.get(key);
      return found === null ? null : new Uint8Array(await found.arrayBuffer());
    },
    delete: (key) => bucket.delete(key),
  };
}
