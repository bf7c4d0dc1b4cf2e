/** For `--test-global-setup`: one PostgreSQL cluster for all files of a run, each of which has its own database. */
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  // Without a server, each file that needs one says why.
  server = await startPostgres().catch(() => undefined);
  if (server !== undefined) process.env["CF_TEST_POSTGRES_URL"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
