/** The mailer port on the mail provider in EmDash's settings. */
import { withEmDashRuntime } from "emdash/middleware";
import { readAttachment } from "../../adapters/read-attachment.ts";
import { isPermanent, PermanentError } from "../../src/permanent-error.ts";
import type { Mailer } from "../../src/ports.ts";
import { reasonOf } from "../../src/reason.ts";
import { PLUGIN_ID } from "./options.ts";

/**
 * Creates the mailer. The provider gets all members of a mail, but may use only `to`, `subject`, `text` and `html`. A
 * site that needs the others provides another mailer. A mail with several recipients is sent to each of them. A mail
 * that some recipients reject counts as sent, because a retry would repeat it to the others.
 */
export function emdashMailer(): Mailer {
  return {
    send: ({ from, to, cc, bcc, reply_to, subject, text, html, headers, message_id, attachments = [] }) =>
      withEmDashRuntime(async ({ email }) => {
        if (email === null) throw new Error("no email provider is chosen in EmDash's settings");
        const message = {
          from,
          subject: subject || "(no subject)",
          text: text || " ",
          headers,
          cc,
          messageId: message_id,
          ...(html !== null && { html }),
          ...(reply_to !== "" && { replyTo: reply_to }),
          ...(attachments.length > 0 && { attachments: await Promise.all(attachments.map(readAttachment)) }),
        };
        const refused: string[] = [];
        const errors: unknown[] = [];
        const recipients = [...to, ...cc, ...bcc];
        for (const recipient of recipients) {
          try {
            await email.send({ ...message, to: recipient }, PLUGIN_ID);
          } catch (error) {
            refused.push(`${recipient}: ${reasonOf(error)}`);
            errors.push(error);
          }
        }
        if (refused.length === recipients.length) {
          const message = refused.join("; ") || "the mail has no recipient";
          throw errors.length > 0 && errors.every(isPermanent) ? new PermanentError(message) : new Error(message);
        }
        return {
          message_id,
          response: refused.length === 0 ? "handed to EmDash" : `handed to EmDash (refused: ${refused.join("; ")})`,
        };
      }),
  };
}
