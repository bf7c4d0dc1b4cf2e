/**
 * A platform's page that contains the admin. The page and the API share an origin, as on a real platform. Requests below
 * `/api` go to the site that serves the forms, with the platform's credentials, which the browser never sees.
 */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Folder of the package with the admin, and with the module that parses typed HTML. */
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
        const upstream = await fetch(site + pathname + search, {
          method: request.method ?? "GET",
          headers: {
            authorization,
            accept: "application/json",
            "content-type": request.headers["content-type"] ?? "application/json",
          },
          ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
        });
        response.writeHead(
          upstream.status,
          Object.fromEntries([...upstream.headers].filter(([name]) => /^(?:content-type|x-|etag|link)/.test(name))),
        );
        response.end(Buffer.from(await upstream.arrayBuffer()));
        return;
      }
      const path = normalize(pathname === "/" ? "/index.html" : pathname);
      const [, packageFile] = SERVED.exec(path) ?? [];
      const file = packageFile === undefined ? join(HERE, path) : join(PACKAGE, packageFile);
      const content = await readFile(file).catch(() => null);
      // No inline styles: the element adopts its style sheet. React Aria's one inline style is expected to be blocked.
      // Without 'wasm-unsafe-eval' the admin uses the API to parse HTML. Scripts may come from the path of the admin,
      // and from the path of the visitor's script, which previews load.
      const here = `http://${request.headers.host ?? ""}`;
      response.setHeader(
        "Content-Security-Policy",
        `default-src 'none'; script-src ${here}/cf-forms/ ${here}/forms/-/assets/ 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; frame-src 'self'; require-trusted-types-for 'script'; trusted-types cf-forms`,
      );
      response.setHeader("Content-Type", TYPES[extname(file)] ?? "text/plain");
      response.writeHead(content === null ? 404 : 200).end(content ?? "Not found");
    })().catch(() => response.writeHead(502).end());
  });
}

const [, started] = process.argv;
if (started !== undefined && fileURLToPath(import.meta.url) === started) {
  const { SITE = "http://127.0.0.1:3000", LOGIN = "admin", PASSWORD = "", PORT = "3005" } = process.env;
  const authorization = `Basic ${Buffer.from(`${LOGIN}:${PASSWORD}`).toString("base64")}`;
  servePlatform({ site: SITE, authorization }).listen(Number(PORT), "127.0.0.1", () =>
    process.stdout.write(`http://127.0.0.1:${PORT}/\n`),
  );
}
