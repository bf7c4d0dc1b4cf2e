/** Opens the embedded host's ports according to its configuration. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { diskFiles } from "../../adapters/disk-files.ts";
import { guardedFetch } from "../../adapters/guarded-fetch.ts";
import { mailFolder } from "../../adapters/mail-folder.ts";
import { openPostgres } from "../../adapters/postgres.ts";
import { openSqlite } from "../../adapters/node-sqlite.ts";
import type { Database, Host, Mailer } from "../../src/ports.ts";
import type { Configuration } from "./configuration.ts";
import { refuseLostDatabase } from "./lost-database.ts";
import { openMailSettings, type MailSettingsStore } from "./mail-settings.ts";
import { isInside } from "./networks.ts";
import { siteMailer } from "./site-mailer.ts";
import { isWorker } from "./workers.ts";

/** A database with connections to close. */
export interface ClosableDatabase extends Database {
  /** Closes the connections after running batches have ended. */
  close(): Promise<void>;
}

/** The ports of an embedded host. */
export interface Platform extends Pick<Host, "database" | "http" | "files"> {
  /** Sends mails, or stores them if there is no mail server. */
  readonly mailer: Mailer;
  /** The mail server's settings; absent for a platform with its own mailer. */
  readonly mailSettings?: MailSettingsStore;
  /** Deletes mails that were written to files before a time. */
  purgeMails?(before: number): Promise<void>;
  /** Closes all ports. */
  close(): Promise<void>;
}

/** Opens all ports. Without a mail server, mails are written to DATA_DIR/mail. */
export async function openPlatform(configuration: Configuration): Promise<Platform> {
  const { dataDirectory, smtpUrl, webhookNetworks } = configuration;
  const database = await openDatabase(configuration);
  const mailSettings = openMailSettings(database, configuration);
  const http = guardedFetch({
    allowPrivate: (_hostname, address) => isInside(ipaddr.process(address), webhookNetworks),
  });
  const folder = mailFolder(join(dataDirectory, "mail"));
  const mailer = siteMailer({ settings: mailSettings, outbox: folder, smtpUrl });
  return {
    database,
    mailer,
    mailSettings,
    // Mails from before a mail server was set up are purged too.
    purgeMails: (before) => folder.purge(before),
    http,
    files: diskFiles(join(dataDirectory, "uploads")),
    async close() {
      mailer.close();
      await Promise.all([http.close(), database.close()]);
    },
  };
}

/** Opens only the database: PostgreSQL by DATABASE_URL, else a file in DATA_DIR. */
export async function openDatabase({ databaseUrl, dataDirectory }: Configuration): Promise<ClosableDatabase> {
  // Submissions are personal data, which other accounts of the machine must not read.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  if (databaseUrl !== null) return openPostgres({ url: databaseUrl });
  const path = databasePath(dataDirectory);
  await refuseLostDatabase(dataDirectory, path);
  try {
    // With several workers, each core has a process already, so a thread gains nothing.
    return openSqlite({ path, thread: !isWorker });
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Path of a site's SQLite file. */
export function databasePath(dataDirectory: string): string {
  return join(dataDirectory, "cf-forms.sqlite");
}
