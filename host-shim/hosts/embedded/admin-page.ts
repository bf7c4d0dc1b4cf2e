/** Serves the admin web app: one page for all of its addresses, and the app's files. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Hono, type Context } from "hono";
import { html, raw } from "hono/html";
import type { AdminOptions } from "../../../admin/types/options.d.ts";
import { CompressedTexts } from "../../src/compression.ts";
import { pageTexts } from "./page-texts.ts";
import { messagePage, pageNonce } from "./pages.ts";
import type { Nonces } from "./nonce.ts";
import type { Session, Sessions } from "./sessions.ts";
import { ADMIN_PATH, HOST_ROUTES, REST_ROOT, type Site } from "./site.ts";
import { principalOf } from "./users.ts";

export interface AdminServices {
  readonly site: Site;
  readonly sessions: Sessions;
  readonly nonces: Nonces;
}

/** A file of the built app; its name holds a hash of its content. */
const ASSET = /^[\w-]+-[\w-]{8}\.(?:js|css)$/;
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

interface App {
  readonly script: string;
  readonly styles: readonly string[];
  /** Static imports of the script, which the page preloads. */
  readonly imports: readonly string[];
}

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Path of a file of the built app (scripts/admin-build.mjs), in the package and in the clone. */
const appFile = (name: string): string => fileURLToPath(import.meta.resolve(`#admin/app/${name}`));

export function adminRoutes({ site, sessions, nonces }: AdminServices): Hono {
  const routes = new Hono();
  const base = site.basePath + ADMIN_PATH;
  let app: Promise<App> | undefined;
  const files = new CompressedTexts();

  routes.get(`${ADMIN_PATH}/-/:name`, async (c) => {
    const name = c.req.param("name");
    const read = async () => new Uint8Array(await readFile(appFile(name)));
    const accepted = c.req.header("accept-encoding") ?? "";
    const content = ASSET.test(name) ? await files.encode(name, accepted, read).catch(() => null) : null;
    if (content === null) return c.notFound();
    c.header("Vary", "accept-encoding");
    if (content.encoding !== null) c.header("Content-Encoding", content.encoding);
    c.header("Content-Type", TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream");
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    return c.body(content.bytes);
  });

  async function page(c: Context): Promise<Response> {
    c.header("Cache-Control", "no-store");
    const session = await sessions.find(c.req.raw);
    if (session === null) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(`${site.basePath}/sign-in?redirect_to=${encodeURIComponent(pathname + search)}`, 303);
    }
    const { capabilities } = principalOf(session.user);
    const { t, language } = pageTexts(c);
    if (!capabilities.includes("edit_forms")) {
      return c.html(messagePage(t("host.noAccess"), t("host.mayNotSee"), language), 403);
    }
    let files: App;
    try {
      files = await (app ??= readApp());
    } catch {
      app = undefined;
      return c.html(messagePage(t("host.notBuilt"), t("host.notBuiltText"), language), 503);
    }
    const nonce = pageNonce();
    c.header("Content-Security-Policy", policy(nonce));
    return c.html(pageHtml({ files, nonce, language, base, t, options: optionsFor(session, site, nonces) }));
  }
  routes.get(ADMIN_PATH, page);
  routes.get(`${ADMIN_PATH}/*`, page);

  return routes;
}

interface PageParts {
  readonly files: App;
  /** Nonce of the script and its preloads, because browsers use a preloaded chunk only under the same nonce. */
  readonly nonce: string;
  readonly language: string;
  /** Path of the admin. */
  readonly base: string;
  readonly t: ReturnType<typeof pageTexts>["t"];
  readonly options: AdminOptions;
}

function pageHtml({ files, nonce, language, base, t, options }: PageParts) {
  const address = (name: string) => `${base}/-/${name}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<meta name="cf-forms-admin" content="${JSON.stringify(options)}">
<link rel="icon" href="data:,">
<title>cf-forms</title>
${files.styles.map((name) => html`<link rel="stylesheet" href="${address(name)}">`)}
${files.imports.map((name) => html`<link rel="modulepreload" nonce="${nonce}" href="${address(name)}">`)}
<script type="module" nonce="${nonce}" src="${address(files.script)}"></script>
</head>
<body>
<div id="admin"></div>
<noscript>${raw(`<p>${t("host.noScript")}</p>`)}</noscript>
</body>
</html>`;
}

function optionsFor(session: Session, site: Site, nonces: AdminServices["nonces"]): AdminOptions {
  const { capabilities, access = "all" } = principalOf(session.user);
  const isAdministrator = capabilities.includes("manage_options");
  const root = site.basePath + REST_ROOT;
  return {
    apiRoot: root,
    nonce: nonces.issue(session),
    nonceEndpoint: `${site.basePath}/sign-in/nonce`,
    routing: "path",
    basePath: site.basePath + ADMIN_PATH,
    user: { login: session.user.login, email: session.user.email, access },
    host: {
      account: `${root}/wp/v2/users/me`,
      ...(access === "all" ? { mail: root + HOST_ROUTES.outbox } : {}),
      ...(isAdministrator
        ? {
            users: root + HOST_ROUTES.users,
            health: root + HOST_ROUTES.health,
            mailServer: root + HOST_ROUTES.mail,
          }
        : {}),
      signIn: `${site.basePath}/sign-in`,
      signOut: `${site.basePath}/sign-out`,
    },
  };
}

async function readApp(): Promise<App> {
  const manifest = JSON.parse(await readFile(appFile("manifest.json"), "utf8")) as Readonly<Record<string, Chunk>>;
  const entry = Object.values(manifest).find((chunk) => /^app-/.test(chunk.file));
  if (entry === undefined) throw new Error("the admin's manifest has no entry");
  const imports = new Map<string, Chunk>();
  const follow = (chunk: Chunk): void => {
    for (const key of chunk.imports ?? []) {
      const next = manifest[key];
      if (next === undefined || imports.has(key)) continue;
      imports.set(key, next);
      follow(next);
    }
  };
  follow(entry);
  const styles = [entry, ...imports.values()].flatMap(({ css = [] }) => css);
  return { script: entry.file, styles: [...new Set(styles)], imports: [...imports.values()].map(({ file }) => file) };
}

/**
 * Returns the page's policy: only the app runs. Elements that the app adds (React Aria's styles, a preview's script) have
 * the nonce of the meta element. Previews are sandboxed frames of this page.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data: https:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types cf-forms",
  ].join("; ");
}
