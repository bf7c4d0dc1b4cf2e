/** The files port on a directory, which only the account of the process can read. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Files } from "../src/ports.ts";
import { checkFileKey } from "./file-key.ts";

const PIECE_BYTES = 64 * 1024;

/** Opens a file store. Directories are created as needed (mode 0700) and stay when they become empty. */
export function diskFiles(directory: string): Files {
  const root = resolve(directory);

  return {
    put: async (key, bytes) => put(pathOf(root, key), bytes),
    putStream: async (key, bytes) => put(pathOf(root, key), bytes),
    async getStream(key) {
      try {
        const file = await open(pathOf(root, key), "r");
        // A directory can be opened, but not read.
        if ((await file.stat()).isFile()) return streamOf(file);
        await file.close();
        return null;
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    async get(key) {
      const path = pathOf(root, key);
      try {
        return new Uint8Array(await readFile(path));
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      const path = pathOf(root, key);
      try {
        await rm(path);
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
      // A killed process may have left temporary files of this key.
      const beginning = `${basename(path)}~`;
      const siblings = await readdir(dirname(path)).catch((error: unknown) => whenAbsent(error));
      for (const name of siblings) {
        if (name.startsWith(beginning)) await rm(join(dirname(path), name), { force: true });
      }
    },
  };
}

/** The path of a key. The key's alphabet cannot leave the directory, and works on every file system. */
function pathOf(root: string, key: string): string {
  return join(root, checkFileKey(key));
}

/** Stores bytes under a path, all of them or none. */
async function put(path: string, bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The rename is atomic: readers see the old or the new bytes. No key has a tilde, so none names a temporary file.
  const temporary = `${path}~${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      if (bytes instanceof Uint8Array) await file.writeFile(bytes);
      else for await (const piece of bytes) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Streams a file and closes it at the end or on cancel. */
function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, null);
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

function whenAbsent(error: unknown): string[] {
  if (isAbsent(error)) return [];
  throw error;
}

/** Makes a rename durable. Windows cannot open a directory and needs no sync. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Whether an error means that no file has this key: nothing exists, the path is a directory, or a parent is a file. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && ABSENT.has(error.code);
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ERR_FS_EISDIR"]);
