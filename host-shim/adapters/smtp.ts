/** The mailer port on SMTP, through nodemailer's pool. */
import { createTransport } from "nodemailer";
import { PermanentError } from "../src/permanent-error.ts";
import type { Mailer } from "../src/ports.ts";
import { mailOptions } from "./mail-options.ts";

/** A mailer with connections to close. */
export interface SmtpMailer extends Mailer {
  /** Closes the connections. Mails that are being sent fail. */
  close(): void;
}

/**
 * Opens a mailer for `smtp://user:password@host:587` (STARTTLS when the server offers it; `?requireTLS=true` requires it)
 * or `smtps://…` (TLS from the start). The URL's parameters override the options below.
 *
 * A mail that the server accepts for some recipients counts as sent, because a retry would send it to them again. The
 * response names the rejected recipients. A reply of 500 or more (RFC 5321, section 4.2.1) is a permanent failure.
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
      const sent = transport.sendMail(await mailOptions(message)).catch((error: unknown) => {
        throw isRejectedPermanently(error) ? new PermanentError(error.message, { cause: error }) : error;
      });
      const { messageId, response, rejected } = await sent;
      const refused = rejected.length > 0 ? ` (refused: ${rejected.join(", ")})` : "";
      return { message_id: messageId, response: response + refused };
    },
    close: () => transport.close(),
  };
}

/** Whether the server rejected every recipient permanently. A recipient that may be reached later justifies a retry. */
function isRejectedPermanently(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const each = "rejectedErrors" in error && Array.isArray(error.rejectedErrors) ? error.rejectedErrors : [];
  const replies: readonly unknown[] = each.length > 0 ? each : [error];
  return replies.every(
    (reply) =>
      reply instanceof Error &&
      "responseCode" in reply &&
      typeof reply.responseCode === "number" &&
      reply.responseCode >= 500,
  );
}
