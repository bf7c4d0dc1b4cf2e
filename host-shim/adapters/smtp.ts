/** The mailer port on SMTP, through nodemailer's pool. */
import { createTransport } from "nodemailer";
import type { Mailer } from "../src/ports.ts";
import { mailOptions } from "./mail-options.ts";

/** A mailer with connections to close. */
export interface SmtpMailer extends Mailer {
  /** Closes the connections. Mails that are being sent fail. */
  close(): void;
}

/** A mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the start, `starttls` always, or no encryption. */
  readonly security: "none" | "starttls" | "tls";
  /** Empty for a server that needs no sign-in. */
  readonly username: string;
  readonly password: string;
}

/**
 * Opens a mailer for a {@link MailServer}, or for `smtp://user:password@host:587` (STARTTLS when the server offers it; `?requireTLS=true` requires it)
 * or `smtps://…` (TLS from the start). The URL's parameters override the options below.
 *
 * A mail that the server accepts for some recipients counts as sent, because a retry would send it to them again. The
 * response names the rejected recipients.
 */
export function smtpMailer(server: string | MailServer): SmtpMailer {
  const transport = createTransport({
    ...(typeof server === "string" ? { url: server } : connectionTo(server)),
    pool: true,
    maxConnections: 5,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      const { messageId, response, rejected } = await transport.sendMail(await mailOptions(message));
      const refused = rejected.length > 0 ? ` (refused: ${rejected.join(", ")})` : "";
      return { message_id: messageId, response: response + refused };
    },
    close: () => transport.close(),
  };
}

function connectionTo({ host, port, security, username, password }: MailServer) {
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(username === "" ? {} : { auth: { user: username, pass: password } }),
  };
}
