/**
 * Renders the pictures of the admin's templates: each template as the engine shows it to visitors, cut to the markup that
 * a picture needs, and the visitor's style. The admin composes SVG images of them (template-picture.tsx), so neither the
 * build nor an installing machine needs a browser. Needs the built engine and visitor's assets.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { JSDOM } from "jsdom";
import { inLanguage, textIn } from "../admin/templates/in-language.ts";
import { TEMPLATES } from "../admin/templates/index.ts";
import { LANGUAGES } from "../admin/shared/text/languages.ts";
import { openSqlite } from "../host-shim/adapters/node-sqlite.ts";
import { createForms } from "../host-shim/src/index.ts";
import { style } from "../visitor/assets.ts";
import { languages } from "../visitor/languages/index.ts";
import { root } from "./commands.mjs";

/** @typedef {{ readonly style: string, readonly pictures: Record<string, Record<string, string>> }} TemplatePictures */

const BASE_URL = "http://localhost";
const CACHE = join(root, "target/template-pictures.json");

/** Parts that a picture leaves out, such as the title, hidden elements, messages, and fields with conditions. */
const UNSEEN = "h1, script, template, [hidden], [type=hidden], .cf-messages, [data-cf-conditions]";

/** Attributes that change the look of an element. */
const LOOKS = /^(?:class|type|value|checked|placeholder|rows|cols|multiple|size|data-(?:layout|cf-type|cf-theme))$/;

/** Returns the pictures by template and language; renders them if an input has changed. */
export async function templatePictures() {
  const hash = inputs();
  const cached = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, "utf8")) : {};
  if (cached.hash === hash) return /** @type {TemplatePictures} */ (cached.rendered);
  const rendered = { style: styleOfPictures(), pictures: await renderAll() };
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify({ hash, rendered }));
  return rendered;
}

function inputs() {
  const folders = ["admin/templates", "visitor/languages"].map((name) => join(root, name));
  const hash = createHash("sha256");
  for (const file of [
    ...folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
    join(root, "pkg/wasm/cf_forms_bg.wasm"),
    join(root, "package-lock.json"),
    join(root, "scripts/template-pictures.mjs"),
  ]) {
    hash.update(readFileSync(file));
  }
  return hash.update(style.content).digest("hex");
}

/** Returns the visitor's style, with the rules for pages that run scripts. Images run none. */
function styleOfPictures() {
  return style.content
    .replace(/\(scripting:\s*enabled\)/g, "all")
    .replace(/\(scripting:\s*none\)/g, "not all")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}

/** @returns {Promise<Record<string, Record<string, string>>>} */
async function renderAll() {
  const folder = mkdtempSync(join(tmpdir(), "cf-forms-pictures-"));
  const database = openSqlite({ path: join(folder, "forms.sqlite") });
  const forms = await createForms({ baseUrl: BASE_URL, languages, host: hostOf(database) });
  try {
    await forms.migrate();
    /** @type {Record<string, Record<string, string>>} */
    const pictures = {};
    for (const [id, template] of Object.entries(TEMPLATES)) {
      const byLanguage = LANGUAGES.map(async ({ code }) => [code, pictureOf(await preview(forms, template, code))]);
      pictures[id] = Object.fromEntries(await Promise.all(byLanguage));
    }
    return pictures;
  } finally {
    await forms.close();
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {import("../host-shim/src/index.ts").Database} database
 * @returns {import("../host-shim/src/index.ts").Host}
 */
function hostOf(database) {
  return {
    database,
    authenticate: async () => ({ principal: { id: "build", login: "build", capabilities: ["edit_forms"] } }),
    mailer: { send: () => Promise.reject(new Error("The build sends no mail.")) },
  };
}

/**
 * Returns the page of a template as visitors see it.
 *
 * @param {import("../host-shim/src/index.ts").Forms} forms
 * @param {import("../admin/templates/index.ts").Template} template
 * @param {string} language
 */
async function preview(forms, { title, schema, settings = {}, messages = {} }, language) {
  const content = inLanguage({ schema, settings: { ...settings, language }, messages }, language);
  const request = new Request(`${BASE_URL}/api/cf/v1/forms/preview`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...Object(content), title: textIn(title, language) }),
  });
  const response = await forms.fetch(request);
  const body = await response?.json();
  if (response?.status !== 200) throw new Error(`The engine does not render “${title.en}”: ${JSON.stringify(body)}`);
  return body.html;
}

/**
 * Returns the visible part of a page as XML, for an SVG image.
 *
 * @param {string} html
 */
function pictureOf(html) {
  const { window } = new JSDOM(html);
  const { body } = window.document;
  for (const element of body.querySelectorAll(UNSEEN)) element.remove();
  for (const option of body.querySelectorAll("option + option")) option.remove();
  for (const element of body.querySelectorAll("*"))
    for (const { name } of [...element.attributes]) if (!LOOKS.test(name)) element.removeAttribute(name);
  const page = window.document.createElement("div");
  page.className = body.className;
  page.append(...body.children);
  return new window.XMLSerializer().serializeToString(page).replace(/>\s*\n\s*</g, "> <");
}
