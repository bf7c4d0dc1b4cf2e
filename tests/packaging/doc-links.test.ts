/** The links of the documentation: each refers to an existing file, and to a heading of that file. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("vendor/"));

const textOf = (path: string): string => readFileSync(join(root, path), "utf8").replaceAll(/^```.*?^```$/gms, "");

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = textOf(path).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    Array.from(headings, ([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Returns the fault of a page's link; null for a valid one. */
function faultOf(page: string, link: string): string | null {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return `${page}: no file ${link}`;
  if (anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor)) return null;
  return `${page}: no heading ${link}`;
}

test("every link refers to an existing file and heading", () => {
  assert.ok(pages.length > 15);
  const faults = pages.flatMap((page) =>
    Array.from(
      textOf(page)
        .replaceAll(/`[^`\n]+`/g, "")
        .matchAll(/\]\((?!\w+:)([^)\s]+)\)/g),
      ([, link = ""]) => faultOf(page, link),
    ),
  );
  assert.deepEqual(
    faults.filter((fault) => fault !== null),
    [],
  );
});
