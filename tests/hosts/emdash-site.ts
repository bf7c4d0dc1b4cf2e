/** The example's EmDash site, installed from npm with our tarball and built, in a folder that the next run reuses. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installSite, siteFolder } from "./install-site.ts";

const hostsPath = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const folder = siteFolder("emdash");
const environment = {
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: "1",
  PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
};

export interface EmDashSite {
  /** The lines of a file that the site has written. */
  lines(file: string): string[];
  /** Writes a user with a token into the database, like EmDash's pages. */
  makeToken(name: string, role: number): string;
  makeOAuthToken(user: string, expires: Date): string;
  run(...statements: readonly (readonly [sql: string, ...values: unknown[]])[]): void;
  stop(): Promise<void>;
  readonly pid: number;
}

/** The Astro page in docs/embedding.md, with the forms of a site. */
function documentedPage(url: string): string {
  const [, page] = /^```astro\n(.*?)^```$/ms.exec(readFileSync(hostsPath("../../docs/embedding.md"), "utf8")) ?? [];
  if (page === undefined) throw new Error("docs/embedding.md has no page of Astro");
  return page.replaceAll("https://forms.example", url);
}

/** Installs the site's packages and files. Unchanged files are not written again. */
export function installEmDash(): void {
  const { dependencies, ...manifest } = JSON.parse(
    readFileSync(hostsPath("../../examples/emdash-site/package.json"), "utf8"),
  );
  installSite(folder, {
    ...manifest,
    dependencies: { ...dependencies, "@emdash-cms/plugin-forms": "0.2.4", "@fontsource/noto-sans": "^5.2.0" },
  });
}

/** Installs and builds the site for `url`. */
export function buildSite(url: string): void {
  installEmDash();
  rmSync(join(folder, "src"), { recursive: true, force: true });
  cpSync(hostsPath("../../examples/emdash-site/src"), join(folder, "src"), { recursive: true });
  cpSync(hostsPath("emdash"), folder, { recursive: true });
  cpSync(hostsPath("note-action.ts"), join(folder, "src/note-action.ts"));
  writeFileSync(join(folder, "src/pages/embedding.astro"), documentedPage(url));
  execFileSync(process.execPath, ["node_modules/astro/bin/astro.mjs", "build"], {
    cwd: folder,
    env: environment,
    stdio: "pipe",
  });
}

/** The site's database. */
export const database = join(folder, "data.db");

export interface SiteOptions {
  /** Whether to keep the existing database. */
  readonly keep?: boolean;
  /** Whether plugins of the site extend its forms. */
  readonly plugins?: "all" | "none";
  /** Whether `astro dev` serves the site. */
  readonly isDeveloped?: boolean;
}

/** Starts the built site as `localhost`, so that browsers allow passkeys. The database is empty unless it is kept. */
export async function startSite(
  port: number,
  { keep = false, plugins = "all", isDeveloped = false }: SiteOptions = {},
): Promise<EmDashSite> {
  if (!keep)
    for (const name of ["data.db", "data.db-journal", "mails.txt", "notes.txt", "ticks.txt", ".emdash"])
      rmSync(join(folder, name), { recursive: true, force: true });
  const program = isDeveloped
    ? ["node_modules/astro/bin/astro.mjs", "dev", "--host", "localhost", "--port", String(port)]
    : ["dist/server/entry.mjs"];
  const server = spawn(process.execPath, program, {
    cwd: folder,
    env: { ...environment, HOST: "localhost", PORT: String(port), WITH_PLUGINS: plugins },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await responds(`http://localhost:${port}/_emdash/cf/v1/forms`, server);
  return {
    makeToken,
    makeOAuthToken,
    run,
    pid: server.pid ?? 0,
    lines: (file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean) : [],
    stop: () => new Promise((resolve) => (server.once("exit", () => resolve()), server.kill())),
  };
}

async function responds(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + 60_000;
  while (server.exitCode === null && Date.now() < until) {
    if (
      await fetch(url).then(
        ({ status }) => status === 403,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the site does not respond");
}

/** Runs statements in the site's database, while the site runs. */
function run(...statements: readonly (readonly [sql: string, ...values: unknown[]])[]): void {
  const Database: new (path: string) => { prepare(sql: string): { run(...values: unknown[]): void }; close(): void } =
    createRequire(join(folder, "package.json"))("better-sqlite3");
  const connection = new Database(database);
  for (const [sql, ...values] of statements) connection.prepare(sql).run(...values);
  connection.close();
}

function makeToken(name: string, role: number): string {
  const { token, hash } = newToken("ec_pat_");
  run(
    [
      "INSERT INTO users (id, email, name, role, email_verified) VALUES (?, ?, ?, ?, 1)",
      name,
      `${name}@example.org`,
      name,
      role,
    ],
    [
      "INSERT INTO _emdash_api_tokens (id, name, token_hash, prefix, user_id, scopes) VALUES (?, ?, ?, ?, ?, ?)",
      name,
      "of the tests",
      hash,
      token.slice(0, 11),
      name,
      '["admin"]',
    ],
  );
  return token;
}

/** An OAuth token for an existing user, as EmDash issues it to programs. */
function makeOAuthToken(user: string, expires: Date): string {
  const { token, hash } = newToken("ec_oat_");
  const sql =
    "INSERT INTO _emdash_oauth_tokens (token_hash, token_type, user_id, scopes, expires_at) VALUES (?, 'access', ?, '[\"admin\"]', ?)";
  run([sql, hash, user, expires.toISOString()]);
  return token;
}

function newToken(prefix: string): { readonly token: string; readonly hash: string } {
  const token = `${prefix}${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;
  return { token, hash: createHash("sha256").update(token).digest("base64url") };
}
