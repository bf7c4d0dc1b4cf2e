/** The mailer port for a host without SMTP: each mail becomes an `.eml` file, complete with Bcc. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import PostalMime, { type Address } from "postal-mime";
import type { Mailer } from "../src/ports.ts";
import { mailOptions } from "./mail-options.ts";

/** A mail in the folder. */
export interface StoredMail {
  /** The file's name; names sort by the time of sending. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Time of sending, in milliseconds since 1970. */
  readonly time: number;
  readonly subject: string;
  /** The addresses of To. */
  readonly to: readonly string[];
}

/** A mailer that stores mails as files instead of sending them. */
export interface MailFolder extends Mailer {
  /** Lists mails, the newest first. `limit` defaults to 50. */
  list(limit?: number): Promise<StoredMail[]>;
  /** Reads a mail as it would be sent; null when no mail has this name. */
  read(name: string): Promise<Uint8Array | null>;
  /** Deletes mails from before a time, including files that a killed process left incomplete. */
  purge(before: number): Promise<void>;
  /** Deletes the mails that contain an email address, in a header or the text, and returns their number. */
  erase(address: string): Promise<number>;
}

const NAME = /^\d{15}-[0-9a-f]{12}\.eml$/;

/** Opens a mail folder, which is created with the first mail. Only the account of the process can read it. */
export function mailFolder(directory: string): MailFolder {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  async function names(): Promise<string[]> {
    const entries = await readdir(directory).catch((error: unknown) => whenAbsent(error, []));
    return entries
      .filter((name) => NAME.test(name))
      .sort()
      .reverse();
  }

  async function describe(name: string): Promise<StoredMail> {
    const path = join(directory, name);
    const mail = await PostalMime.parse(await readFile(path));
    return {
      name,
      size: (await stat(path)).size,
      time: Number(name.slice(0, 15)),
      subject: mail.subject ?? "",
      to: (mail.to ?? []).flatMap(addressesOf),
    };
  }

  return {
    async send(message) {
      const { message: content, messageId } = await transport.sendMail(await mailOptions(message));
      if (!Buffer.isBuffer(content)) throw new TypeError("the mail was not built in memory");
      const name = `${String(Date.now()).padStart(15, "0")}-${randomBytes(6).toString("hex")}.eml`;
      const temporary = join(directory, `${name}.part`);
      const write = (): Promise<void> => writeFile(temporary, content, { mode: 0o600, flag: "wx" });
      await write().catch(async (error: unknown) => {
        whenAbsent(error, undefined);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await write();
      });
      await rename(temporary, join(directory, name));
      return { message_id: messageId, response: `written to ${name}`, simulated: true };
    },
    async list(limit = 50) {
      return Promise.all((await names()).slice(0, limit).map(describe));
    },
    async purge(before) {
      const entries = await readdir(directory).catch((error: unknown) => whenAbsent(error, []));
      const old = entries.filter(
        (name) => NAME.test(name.replace(/\.part$/, "")) && Number(name.slice(0, 15)) < before,
      );
      for (const name of old) await rm(join(directory, name), { force: true });
    },
    async erase(address) {
      return eraseMails(
        (await names()).map((name) => join(directory, name)),
        addressPattern(address),
      );
    },
    async read(name) {
      if (!NAME.test(name)) return null;
      return readFile(join(directory, name)).catch((error: unknown) => whenAbsent(error, null));
    },
  };
}

/** Deletes the mails of which a header or the text matches, and returns their number. */
async function eraseMails(paths: readonly string[], pattern: RegExp): Promise<number> {
  let count = 0;
  for (const path of paths) {
    const { headers, text = "", html = "" } = await PostalMime.parse(await readFile(path));
    if (![...headers.map(({ value }) => value), text, html].some((part) => pattern.test(part))) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}

/** Matches an address in any case, but not as a part of a longer one. */
function addressPattern(address: string): RegExp {
  const literal = address.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\w.+-])${literal}(?![\\w-]|\\.\\w)`, "i");
}

function addressesOf(entry: Address): string[] {
  return entry.address === undefined ? entry.group.flatMap(addressesOf) : [entry.address];
}

function whenAbsent<T>(error: unknown, absent: T): T {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return absent;
  throw error;
}
