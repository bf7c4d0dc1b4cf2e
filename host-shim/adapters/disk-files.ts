/** The files port on a directory. Only the account that runs the process may read what it holds. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Files } from "../src/ports.ts";

const KEY = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/;
const LONGEST_KEY = 512;

/** Directories are made as needed (mode 0700) and stay when the last file in them is deleted. */
export function diskFiles(directory: string): Files {
  const root = resolve(directory);

  /** A key's path. Its alphabet has no way out of the directory, and is the same on every file system. */
  function pathOf(key: string): string {
    if (key.length > LONGEST_KEY || !KEY.test(key))
      throw new RangeError(`not a key: ${JSON.stringify(key.slice(0, 100))}`);
    return join(root, key);
  }

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Readers see the old bytes or the new ones. No key has a tilde, so none names a temporary file.
      const temporary = `${path}~${randomBytes(6).toString("hex")}`;
      try {
        const file = await open(temporary, "wx", 0o600);
        try {
          await file.writeFile(bytes);
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
    },
    async get(key) {
      const path = pathOf(key);
      try {
        return new Uint8Array(await readFile(path));
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    async delete(key) {
      const path = pathOf(key);
      try {
        await rm(path);
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    },
  };
}

/** Makes the rename itself durable. Windows has no such thing, and refuses to open a directory. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** No file has this key: nothing is there, or a directory of other keys, or a file where one would be. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && ABSENT.has(error.code);
}

const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ERR_FS_EISDIR"]);
