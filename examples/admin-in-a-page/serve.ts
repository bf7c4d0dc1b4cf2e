/**
 * A platform's page with the admin in it. The page and the API share an origin, as on a real
 * platform: what is under `/api` goes to the site that serves the forms, with the platform's own
 * credentials, so that the browser never sees them.
 */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" };
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** What of the package pages load: the admin, and the module with which it reads HTML that is typed. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.resolve("cf-forms/admin/style.css")));
const SERVED = /^\/cf-forms\/((?:admin|load|wasm)\/.+)$/;

export interface PlatformOptions {
  /** The site that serves the forms. */
  readonly site: string;
  /** HTTP Basic credentials of that site. */
  readonly authorization: string;
}

export function servePlatform({ site, authorization }: PlatformOptions): Server {
  return createServer((request, response) => {
    void (async () => {
      const { pathname, search } = new URL(request.url ?? "/", "http://page.invalid");
      // The API, and the style of the forms for the editor's preview.
      if (/^\/(?:api|forms\/-)\//.test(pathname)) {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const answer = await fetch(site + pathname + search, {
          method: request.method ?? "GET",
          headers: { authorization, accept: "application/json", "content-type": request.headers["content-type"] ?? "application/json" },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        });
        response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => /^(?:content-type|x-|etag|link)/.test(name))));
        response.end(Buffer.from(await answer.arrayBuffer()));
        return;
      }
      const path = normalize(pathname === "/" ? "/index.html" : pathname);
      const [, own] = SERVED.exec(path) ?? [];
      const file = own === undefined ? join(HERE, path) : join(PACKAGE, own);
      const content = await readFile(file).catch(() => null);
      // Nothing inline: the element brings its style as an adopted sheet. React Aria adds one style, which is spared.
      // Without 'wasm-unsafe-eval' the admin asks the API what HTML reads as.
      // The admin's own path, and that of the visitor's script, for previews.
      const here = `http://${request.headers.host ?? ""}`;
      response.setHeader("Content-Security-Policy", `default-src 'none'; script-src ${here}/cf-forms/ ${here}/forms/-/assets/ 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; frame-src 'self'; require-trusted-types-for 'script'; trusted-types cf-forms`);
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "text/plain");
      response.writeHead(content === null ? 404 : 200).end(content ?? "Not found");
    })().catch(() => response.writeHead(502).end());
  });
}

const [, started] = process.argv;
if (started !== undefined && fileURLToPath(import.meta.url) === started) {
  const { SITE = "http://127.0.0.1:3000", LOGIN = "admin", PASSWORD = "", PORT = "3005" } = process.env;
  const authorization = `Basic ${Buffer.from(`${LOGIN}:${PASSWORD}`).toString("base64")}`;
  servePlatform({ site: SITE, authorization }).listen(Number(PORT), "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${PORT}/\n`));
}
