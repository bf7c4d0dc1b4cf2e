/** The ports of the embedded host, as its configuration asks for them. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openPostgres } from "../../adapters/postgres.ts";
import { openSqlite } from "../../adapters/node-sqlite.ts";
import type { Database, Host } from "../../src/ports.ts";
import type { Configuration } from "./configuration.ts";

export interface ClosableDatabase extends Database {
  close(): Promise<void>;
}

export interface Platform extends Pick<Host, "database" | "mailer" | "http" | "files"> {
  close(): Promise<void>;
}

export async function openPlatform(configuration: Configuration): Promise<Platform> {
  const database = await openDatabase(configuration);
  return { database, close: () => database.close() };
}

export async function openDatabase({ databaseUrl, dataDirectory }: Configuration): Promise<ClosableDatabase> {
  // Submissions are personal data: nobody else on the machine reads them.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  if (databaseUrl !== null) return openPostgres({ url: databaseUrl });
  return openSqlite({ path: join(dataDirectory, "cf-forms.sqlite") });
}
