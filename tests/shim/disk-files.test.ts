import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { diskFiles } from "../../host-shim/adapters/disk-files.ts";
import { filesConformance } from "../../host-shim/conformance/files.ts";

async function openTemporary(): Promise<{ directory: string; remove(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), "cf-forms-files-"));
  return { directory: join(parent, "uploads"), remove: () => rm(parent, { recursive: true }) };
}

describe("the disk files adapter", () => {
  filesConformance({
    test,
    open: async () => {
      const { directory, remove } = await openTemporary();
      return { files: diskFiles(directory), close: remove };
    },
  });

  test("only the owner can read stored files, and no temporary file is left", async (t) => {
    const { directory, remove } = await openTemporary();
    t.after(remove);
    const files = diskFiles(directory);
    await files.put("7/abc/photo.png", Uint8Array.of(1, 2, 3), "image/png");
    assert.deepEqual(await readdir(join(directory, "7", "abc")), ["photo.png"]);
    assert.equal((await stat(join(directory, "7", "abc", "photo.png"))).mode & 0o777, 0o600);
    for (const path of ["", "7", "7/abc"]) assert.equal((await stat(join(directory, path))).mode & 0o777, 0o700, path);
  });

  test("a put that fails leaves no temporary file", async (t) => {
    const { directory, remove } = await openTemporary();
    t.after(remove);
    const files = diskFiles(directory);
    await files.put("7/abc", Uint8Array.of(1), "text/plain");
    await assert.rejects(files.put("7", Uint8Array.of(2), "text/plain"));
    assert.deepEqual(await readdir(directory), ["7"]);
    assert.deepEqual(await files.get("7/abc"), Uint8Array.of(1));
  });

  test("deleting a link removes the link, not what it points to", async (t) => {
    const { directory, remove } = await openTemporary();
    t.after(remove);
    const files = diskFiles(directory);
    await files.put("target", Uint8Array.of(1), "text/plain");
    await symlink(join(directory, "target"), join(directory, "link"));
    await files.delete("link");
    assert.deepEqual(await readdir(directory), ["target"]);
  });
});
