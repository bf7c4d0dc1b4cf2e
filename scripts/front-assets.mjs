/**
 * Makes `host-shim/front/assets.ts` of the visitor's script and style. They become strings of a
 * module, because a Worker has no files to read them from. Run by Node 24, as a step of the build.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { CommandError, fail, root } from "./commands.mjs";

const folder = join(root, "host-shim/front");

/**
 * @param {string} name
 * @returns {string}
 */
function source(name) {
  return readFileSync(join(folder, name), "utf8");
}

/**
 * An asset under a name that changes with its content, so that it can be cached for ever.
 *
 * @param {string} stem
 * @param {string} ending
 * @param {string} type
 * @param {string} content
 */
function asset(stem, ending, type, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  return { name: `${stem}.${hash}.${ending}`, type: `${type}; charset=utf-8`, content };
}

/** The visitor's script as one plain file: types removed, lines that held only types dropped. */
function script() {
  // events.ts waits for what form.ts announces, so it comes first.
  const stripped = ["events.ts", "form.ts"].map((name) => {
    const plain = stripTypeScriptTypes(source(name));
    if (/^(import|export)\b/m.test(plain)) {
      throw new CommandError(`host-shim/front/${name} is sent as it is: it can have no imports or exports`);
    }
    return plain;
  });
  return stripped.join("\n").replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n");
}

/**
 * @param {string} file
 * @param {string} content
 */
function writeIfChanged(file, content) {
  if (!existsSync(file) || readFileSync(file, "utf8") !== content) writeFileSync(file, content);
}

try {
  const assets = {
    style: asset("form", "css", "text/css", source("form.css")),
    script: asset("form", "js", "text/javascript", script()),
  };
  writeIfChanged(
    join(folder, "assets.ts"),
    `// Made by scripts/front-assets.mjs from form.css, events.ts and form.ts; not to be edited.

/** A file for visitors' browsers; its name changes with its content. */
export interface FrontAsset {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

export const style: FrontAsset = ${JSON.stringify(assets.style, null, 2)};

export const script: FrontAsset = ${JSON.stringify(assets.script, null, 2)};
`,
  );
} catch (error) {
  fail(error);
}
