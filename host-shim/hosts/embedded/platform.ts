/** The ports of the embedded host, as its configuration asks for them. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openSqlite } from "../../adapters/node-sqlite.ts";
import type { Database, Host } from "../../src/ports.ts";
import { ConfigurationError, type Configuration } from "./configuration.ts";

export interface ClosableDatabase extends Database {
  close(): Promise<void>;
}

export interface Platform extends Pick<Host, "mailer" | "http" | "files"> {
  readonly database: ClosableDatabase;
}

export async function openPlatform(configuration: Configuration): Promise<Platform> {
  return { database: await openDatabase(configuration) };
}

export async function openDatabase({ databaseUrl, dataDirectory }: Configuration): Promise<ClosableDatabase> {
  if (databaseUrl !== null) throw new ConfigurationError(["DATABASE_URL is not supported yet."]);
  // Submissions are personal data: nobody else on the machine reads them.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  return openSqlite({ path: join(dataDirectory, "cf-forms.sqlite") });
}
