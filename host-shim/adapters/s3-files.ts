/** The files port on a bucket of S3, or of a service with its API, through a client that signs requests. */
import type { Files } from "../src/ports.ts";
import { checkFileKey } from "./file-key.ts";

/** A client that signs and sends requests, such as the `AwsClient` of `aws4fetch`. */
export interface SigningClient {
  /** Signs a request and sends it. */
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** A place for files. */
export interface S3Place {
  /** Address of the bucket: `https://forms.s3.eu-central-1.amazonaws.com`, or `https://s3.example.org/forms`. */
  readonly bucket: string;
  /** Folder in the bucket, such as `uploads`; default: none. */
  readonly folder?: string;
}

/** Size of the parts of a large file. S3 rejects parts below 5 MiB, except the last. */
const PART_BYTES = 8 * 2 ** 20;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Opens a file store in a bucket, which must not be public. A file of more than 8 MB is sent in parts, so that only one
 * part is in memory.
 */
export function s3Files(client: SigningClient, place: S3Place): Files {
  const bucket = new Bucket(client, place);
  return {
    put: (key, bytes, contentType) => bucket.put(key, new Uint8Array(bytes), contentType),
    putStream: (key, stream, contentType) => putStream(bucket, key, stream, contentType),
    async get(key) {
      const found = await bucket.get(key);
      return found === null ? null : new Uint8Array(await found.arrayBuffer());
    },
    async getStream(key) {
      const found = await bucket.get(key);
      return found === null ? null : (found.body ?? new Blob([]).stream());
    },
    async delete(key) {
      await bucket.send("DELETE", key);
      for (const upload of await bucket.unfinished(key)) await bucket.abort(key, upload);
    },
  };
}

/** Stores a short stream with one request, and a long one in parts. If the stream fails, no part remains. */
async function putStream(
  bucket: Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<void> {
  const parts = partsOf(stream);
  const first = await parts.next();
  if (first.done === true || first.value.length < PART_BYTES)
    return bucket.put(key, first.done === true ? new Uint8Array() : first.value, contentType);
  const upload = await bucket.begin(key, contentType);
  try {
    const tags = [await bucket.putPart(key, upload, 1, first.value)];
    for await (const part of parts) tags.push(await bucket.putPart(key, upload, tags.length + 1, part));
    await bucket.complete(key, upload, tags);
  } catch (error) {
    // The original error matters; `delete` also aborts unfinished uploads.
    await bucket.abort(key, upload).catch(() => undefined);
    throw error;
  }
}

/** Cuts a stream into parts of one size; the last may be shorter. */
async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Bytes> {
  let part = new Uint8Array(PART_BYTES);
  let size = 0;
  for await (const piece of stream) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + PART_BYTES - size);
      part.set(taken, size);
      [at, size] = [at + taken.length, size + taken.length];
      if (size < PART_BYTES) continue;
      yield part;
      [part, size] = [new Uint8Array(PART_BYTES), 0];
    }
  }
  if (size > 0) yield part.slice(0, size);
}

/** The requests to a bucket. */
class Bucket {
  readonly #client: SigningClient;
  readonly #address: string;
  readonly #folder: string;

  constructor(client: SigningClient, { bucket, folder = "" }: S3Place) {
    this.#client = client;
    this.#address = new URL(bucket).href.replace(/\/+$/, "");
    this.#folder = folder === "" ? "" : `${folder.replace(/^\/+|\/+$/g, "")}/`;
  }

  /** Sends a request for a key. Rejects when the response is an error other than 404. */
  async send(method: string, key: string, query = "", init: RequestInit = {}): Promise<Response> {
    const address = `${this.#address}/${this.#folder}${checkFileKey(key)}${query}`;
    const response = await this.#client.fetch(address, { ...init, method });
    if (response.ok || response.status === 404) return response;
    throw new Error(`the bucket responded with ${response.status} to ${method}: ${codeOf(await response.text())}`);
  }

  async get(key: string): Promise<Response | null> {
    const response = await this.send("GET", key);
    if (response.status !== 404) return response;
    await response.body?.cancel();
    return null;
  }

  async put(key: string, bytes: Bytes, contentType: string): Promise<void> {
    await existing(await this.send("PUT", key, "", { body: bytes, headers: { "content-type": contentType } })).text();
  }

  async begin(key: string, contentType: string): Promise<string> {
    const begun = existing(await this.send("POST", key, "?uploads=", { headers: { "content-type": contentType } }));
    const upload = elementOf(await begun.text(), "UploadId");
    if (upload === null) throw new Error("the bucket did not start a multipart upload");
    return upload;
  }

  /** Stores a part, and returns its tag. */
  async putPart(key: string, upload: string, number: number, bytes: Bytes): Promise<string> {
    const query = `?partNumber=${number}&uploadId=${encodeURIComponent(upload)}`;
    const response = existing(await this.send("PUT", key, query, { body: bytes }));
    await response.text();
    return response.headers.get("etag") ?? "";
  }

  async complete(key: string, upload: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const headers = { "content-type": "application/xml" };
    const response = await this.send("POST", key, `?uploadId=${encodeURIComponent(upload)}`, { body, headers });
    const text = await existing(response).text();
    // A bucket may respond with 200 before it joins the parts.
    if (text.includes("<Error>")) throw new Error(`the bucket could not join the parts: ${codeOf(text)}`);
  }

  async abort(key: string, upload: string): Promise<void> {
    await this.send("DELETE", key, `?uploadId=${encodeURIComponent(upload)}`);
  }

  /**
   * Returns the ids of the unfinished multipart uploads of a killed process. If a service does not list them, a rule of
   * the bucket must delete them.
   */
  async unfinished(key: string): Promise<readonly string[]> {
    const prefix = this.#folder + key;
    const address = `${this.#address}/?uploads=&prefix=${encodeURIComponent(prefix)}`;
    const response = await this.#client.fetch(address, { method: "GET" });
    const text = await response.text();
    if (!response.ok) return [];
    const uploads = [...text.matchAll(/<Upload>([\s\S]*?)<\/Upload>/g)].map(([, upload = ""]) => upload);
    return uploads
      .filter((upload) => elementOf(upload, "Key") === prefix)
      .flatMap((upload) => elementOf(upload, "UploadId") ?? []);
  }
}

function existing(response: Response): Response {
  if (response.status === 404) throw new Error("the bucket does not exist");
  return response;
}

/** The code of an error that S3 describes in XML. */
const codeOf = (text: string): string => elementOf(text, "Code") ?? "no reason";

/** The text of the first element of a name; keys, ids and codes need no unescaping. */
function elementOf(text: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? null;
}
