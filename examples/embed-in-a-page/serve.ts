/** Serves `index.html` for a form of the site at BASE_URL; prints its own address. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const { BASE_URL = "http://127.0.0.1:3000", SLUG = "contact", PORT = "0" } = process.env;

/** Reads the hashed names of the form's style and script from the form's page. */
async function assets(): Promise<Record<"style" | "script", string>> {
  const page = await (await fetch(`${BASE_URL}/forms/${SLUG}`)).text();
  const style = /\/-\/assets\/([\w.-]+\.css)/.exec(page)?.[1];
  const script = /\/-\/assets\/([\w.-]+\.js)/.exec(page)?.[1];
  if (style === undefined || script === undefined) throw new Error(`no form at ${BASE_URL}/forms/${SLUG}`);
  return { style, script };
}

const values: Record<string, string> = { base_url: BASE_URL, slug: SLUG, ...(await assets()) };
const template = await readFile(new URL("index.html", import.meta.url), "utf8");
const page = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`http://127.0.0.1:${address.port}`);
});
process.once("SIGTERM", () => server.close());
