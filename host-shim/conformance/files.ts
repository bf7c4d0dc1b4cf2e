/**
 * The conformance suite of the files port. `open` is called once for each case. All cases may share one store, because each
 * uses different keys.
 */
import type { Files } from "../src/ports.ts";
import { registerCases, type Case, type Closable, type RegisterTest } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";

/** Options of {@link filesConformance}. */
export interface FilesConformance {
  readonly test: RegisterTest;
  /** Opens the store. Each case opens it and closes it. */
  open(): Promise<{ readonly files: Files } & Closable>;
}

const TYPE = "application/octet-stream";
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const uniqueKey = (): string => `conformance/${crypto.randomUUID()}/file.bin`;

/** Creates a stream that delivers a piece at each pull; null is an error. */
function streamOf(pieces: readonly (Uint8Array | null)[]): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else if (piece === null) controller.error(new Error("the sender is gone"));
      else controller.enqueue(piece);
    },
  });
}

async function expectStored(files: Files, key: string, expected: Uint8Array, what: string): Promise<void> {
  const stored = await files.get(key);
  if (stored === null) throw new Error(`${what}: there is none`);
  expectTrue(
    stored.length === expected.length && stored.every((byte, index) => byte === expected[index]),
    `${what} differ`,
  );
}

/** The cases of the files port. */
export const filesCases: readonly Case<Files>[] = [
  {
    name: "bytes come back as they were: every byte value, none at all, and 3 MB",
    run: async (files) => {
      const contents = [
        Uint8Array.from({ length: 256 }, (_, byte) => byte),
        new Uint8Array(0),
        new Uint8Array(3_000_000).fill(7),
      ];
      for (const content of contents) {
        const key = uniqueKey();
        await files.put(key, content, TYPE);
        await expectStored(files, key, content, `${content.length} bytes`);
        await files.delete(key);
      }
    },
  },
  {
    name: "a part of a larger buffer is stored alone",
    run: async (files) => {
      const key = uniqueKey();
      await files.put(key, text("before|part|after").subarray(7, 11), TYPE);
      await expectStored(files, key, text("part"), "the bytes of the part");
      await files.delete(key);
    },
  },
  {
    name: "a second put replaces the first, also with fewer bytes",
    run: async (files) => {
      const key = uniqueKey();
      await files.put(key, text("the first and longer one"), TYPE);
      await files.put(key, text("second"), TYPE);
      await expectStored(files, key, text("second"), "the bytes after the second put");
      await files.delete(key);
    },
  },
  {
    name: "concurrent puts of one key leave one of them whole",
    run: async (files) => {
      const key = uniqueKey();
      const contents = Array.from({ length: 10 }, (_, n) => new Uint8Array(100_000).fill(n));
      await Promise.all(contents.map((content) => files.put(key, content, TYPE)));
      const stored = await files.get(key);
      const first = stored?.[0];
      expectTrue(
        stored?.length === 100_000 && stored.every((byte) => byte === first),
        "the stored bytes are a mixture",
      );
      await files.delete(key);
    },
  },
  {
    name: "a missing key reads as null, and deleting it is not an error",
    run: async (files) => {
      const key = uniqueKey();
      expectEqual(await files.get(key), null, "the missing file");
      await files.delete(key);
      await files.put(key, text("x"), TYPE);
      expectEqual(await files.get(key.slice(0, key.lastIndexOf("/"))), null, "the start of a key");
      await files.delete(key.slice(0, key.lastIndexOf("/")));
      await expectStored(files, key, text("x"), "the bytes after its start was deleted");
      await files.delete(key);
      await files.delete(key);
      expectEqual(await files.get(key), null, "the deleted file");
    },
  },
  {
    name: "an adapter with streams stores and reads in pieces, and a stream that fails leaves nothing",
    run: async (files) => {
      if (files.putStream === undefined || files.getStream === undefined) return;
      const key = uniqueKey();
      expectTrue((await files.getStream(key)) === null, "the stream of a missing file is null");
      await files.putStream(key, streamOf([text("one "), text("two")]), TYPE);
      await expectStored(files, key, text("one two"), "the bytes of the stream");
      const read = new Uint8Array(await new Response(await files.getStream(key)).arrayBuffer());
      expectEqual(new TextDecoder().decode(read), "one two", "the stream of the bytes");
      await (await files.getStream(key))?.cancel();
      await files.delete(key);
      const failing = uniqueKey();
      await expectRejection(
        () => files.putStream?.(failing, streamOf([text("half"), null]), TYPE) ?? Promise.resolve(),
        "a stream that fails",
      );
      expectEqual(await files.get(failing), null, "what a stream that failed left");
    },
  },
  {
    name: "an invalid key is rejected by put, get and delete",
    run: async (files) => {
      const badKeys = [
        "",
        "/",
        "/etc/passwd",
        "..",
        "../up",
        "a/../../up",
        "a/./b",
        "a//b",
        "a/",
        "a\\b",
        "a\0b",
        "A",
        "ä",
        "a b",
        "%2e%2e/up",
        "a~",
      ];
      for (const key of [...badKeys, "a".repeat(10_000)]) {
        const what = JSON.stringify(key.slice(0, 20));
        await expectRejection(() => files.put(key, text("x"), TYPE), `put ${what}`);
        await expectRejection(() => files.get(key), `get ${what}`);
        await expectRejection(() => files.delete(key), `delete ${what}`);
      }
    },
  },
];

/** Registers the cases of the files port with a test runner. */
export function filesConformance({ test, open }: FilesConformance): void {
  registerCases(filesCases, test, async () => {
    const { files, close } = await open();
    return { subject: files, close };
  });
}
