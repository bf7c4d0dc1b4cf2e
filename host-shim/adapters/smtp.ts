/** The mailer port on SMTP, through nodemailer's pool. */
import { createTransport } from "nodemailer";
import type { Mailer } from "../src/ports.ts";
import { mailOptions } from "./mail-options.ts";

export interface SmtpMailer extends Mailer {
  /** Ends the connections; mail under way fails. */
  close(): void;
}

/**
 * `smtp://user:password@host:587` (STARTTLS when the server offers it; `?requireTLS=true` insists)
 * or `smtps://…` (TLS from the start). The URL's parameters override the options below.
 *
 * When the server takes a mail for some recipients and refuses others, it is sent: the response
 * names those it did not reach, and a retry would repeat it to the others.
 */
export function smtpMailer(url: string): SmtpMailer {
  const transport = createTransport({
    url,
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
      const { messageId, response, rejected } = await transport.sendMail(mailOptions(message));
      const refused = rejected.length > 0 ? ` (refused: ${rejected.join(", ")})` : "";
      return { message_id: messageId, response: response + refused };
    },
    close: () => transport.close(),
  };
}
