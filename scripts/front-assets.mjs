/**
 * Makes `host-shim/front/assets.ts` of the visitor's script and style. They become strings of a
 * module, because a Worker has no files to read them from. Run by Node 24, as a step of the build.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
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

/** The parts of the style: the values, then the rules that use them; later ones override. */
const STYLES = ["theme.css", "form.css", "messages.css", "steps.css"];

/** The parts of the visitor's script, each after those that it imports. events.ts waits for what form.ts announces. */
const PARTS = ["own.ts", "events.ts", "conditions.ts", "captcha.ts", "steps.ts", "form.ts"];

/**
 * The visitor's script as one plain file, in a scope of its own: types removed, lines that held only
 * types dropped, imports of the other parts dropped.
 */
function script() {
  const parts = PARTS.map((name) => {
    const plain = stripTypeScriptTypes(source(name));
    const joined = plain.replace(/^import \{[^}]*\} from "\.\/[a-z]+\.ts";$/gm, "").replace(/^export (?=(async )?function |const )/gm, "");
    if (/^(import|export)\b/m.test(joined)) {
      throw new CommandError(`host-shim/front/${name} becomes a part of one file: it can import only from the others`);
    }
    return joined;
  });
  const services = `const CAPTCHA_SERVICES = ${JSON.stringify(captchaServices())};`;
  const whole = `(() => {\n${services}\n${parts.join("\n")}\n})();\n`;
  // A name that two parts have is found here, not by visitors: in a block two functions cannot share one.
  new Script(`"use strict"; {\n${services}\n${parts.join("\n")}\n}`);
  return whole.replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n");
}

/** The widgets of `verifiers.json` by type, with what the visitor's script must know. */
function captchaServices() {
  const path = join(root, "src/front/checks/verifiers.json");
  /** @type {{ type: string, token: string, widget?: { script: string, global: string } }[]} */
  const verifiers = JSON.parse(readFileSync(path, "utf8"));
  return Object.fromEntries(
    verifiers.flatMap(({ type, token, widget }) =>
      widget === undefined ? [] : [[type, { script: widget.script, global: widget.global, token }]],
    ),
  );
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
    style: asset("form", "css", "text/css", STYLES.map(source).join("\n")),
    script: asset("form", "js", "text/javascript", script()),
  };
  writeIfChanged(
    join(folder, "assets.ts"),
    `// Made by scripts/front-assets.mjs from ${[...STYLES, ...PARTS].join(", ")}; not to be edited.

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
