/** The mailer of the embedded host: the mail server of the effective settings, or the outbox without a mail server. */
import { createHash } from "node:crypto";
import type { MailFolder } from "../../adapters/mail-folder.ts";
import { smtpMailer, type SmtpMailer } from "../../adapters/smtp.ts";
import type { Mailer, MailMessage } from "../../src/ports.ts";
import type { MailSettings, MailSettingsStore } from "./mail-settings.ts";

export interface SiteMailer extends Mailer {
  close(): void;
}

export interface SiteMailerOptions {
  readonly settings: MailSettingsStore;
  readonly outbox: MailFolder;
  /** SMTP_URL, which takes precedence over the stored server. */
  readonly smtpUrl: string | null;
}

/** Time before connections to a replaced server are closed, so that mails in progress can end. */
const CLOSE_AFTER_MS = 60_000;

/** Creates the mailer. Each mail uses the current settings, so that a change needs no restart in any worker. */
export function siteMailer({ settings, outbox, smtpUrl }: SiteMailerOptions): SiteMailer {
  const fixed = smtpUrl === null ? null : smtpMailer(smtpUrl);
  let current: { readonly key: string; readonly mailer: SmtpMailer } | null = null;

  function mailerFor(server: MailSettings): Mailer {
    if (fixed !== null) return fixed;
    if (server.host === "") return outbox;
    const { host, port, security, username, password } = server;
    const key = createHash("sha256")
      .update(JSON.stringify([host, port, security, username, password]))
      .digest("hex");
    if (current?.key !== key) {
      const former = current?.mailer;
      // Mails in progress can end before the connections to the former server are closed.
      if (former !== undefined) setTimeout(() => former.close(), CLOSE_AFTER_MS).unref();
      current = { key, mailer: smtpMailer({ host, port, security, username, password }) };
    }
    return current.mailer;
  }

  return {
    async send(message) {
      return mailerFor((await settings.read()).settings).send(message);
    },
    close() {
      fixed?.close();
      current?.mailer.close();
    },
  };
}

/** Returns a mailer that replaces the site's default sender by the sender of the effective settings. */
export function withConfiguredSender(mailer: Mailer, settings: MailSettingsStore, defaultFrom: string): Mailer {
  return {
    async send(message) {
      if (message.from !== defaultFrom) return mailer.send(message);
      return mailer.send(fromSender(message, (await settings.read()).settings, defaultFrom));
    },
  };
}

function fromSender(message: MailMessage, { from_name, from_address }: MailSettings, defaultFrom: string): MailMessage {
  const address = from_address === "" ? defaultFrom : from_address;
  return { ...message, from: from_name === "" ? address : `"${from_name.replaceAll(/["\\]/g, "\\$&")}" <${address}>` };
}
