/** The mailer port on SMTP, through nodemailer's pool. */
import { createTransport } from "nodemailer";
import { PermanentError } from "../src/permanent-error.ts";
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
 * names those it did not reach, and a retry would repeat it to the others. A mail that it refuses for
 * good, by a reply of 500 or more (RFC 5321, section 4.2.1), fails for good.
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
        throw isRefusedForGood(error) ? new PermanentError(error.message, { cause: error }) : error;
      });
      const { messageId, response, rejected } = await sent;
      const refused = rejected.length > 0 ? ` (refused: ${rejected.join(", ")})` : "";
      return { message_id: messageId, response: response + refused };
    },
    close: () => transport.close(),
  };
}

/** Of several recipients each was refused for its own reason: one that may be reached later is reason to try again. */
function isRefusedForGood(error: unknown): error is Error {
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
