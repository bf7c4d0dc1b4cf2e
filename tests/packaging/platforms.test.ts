/**
 * The engine and the shim name no platform. Platforms belong in `host-shim/hosts` and `host-shim/adapters`; importers
 * may name their formats, such as `emdash-forms`.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const PLATFORM =
  /\b(?:emdash(?!-forms\b)|payloadcms|strapi|directus|apostrophecms|wrangler|miniflare|workerd|astro|next\.js|express|koa|hono|deno|bun)\b/i;
const KINDS = /\.(?:rs|ts|json|toml|sql)$/;

for (const folder of ["src", "crates", "host-shim/src"]) {
  test(`${folder} names no platform`, () => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter(
      (name) => KINDS.test(name) && !name.startsWith("import/"),
    );
    assert.ok(files.length > 10, `${files.length} files in ${folder}`);
    const found = files.flatMap((name) =>
      readFileSync(join(root, folder, name), "utf8")
        .split("\n")
        .flatMap((line, index) => (PLATFORM.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });
}
