/** Serves and erases the stored mails, for roles that may change submissions, because mails contain submissions. */
import type { Context } from "hono";
import PostalMime, { type Address } from "postal-mime";
import type { MailFolder } from "../../adapters/mail-folder.ts";
import { invalidParams } from "./host-bodies.ts";
import type { MailSettingsStore } from "./mail-settings.ts";
import { restError } from "./responses.ts";
import type { AddRoute } from "./signed-in-routes.ts";
import { HOST_ROUTES } from "./site.ts";
import { isEmail } from "./user-routes.ts";
import type { Role } from "./users.ts";

export interface OutboxServices {
  /** Folder of stored mails, which stay readable after a change to SMTP. */
  readonly mails: MailFolder;
  readonly mailSettings: MailSettingsStore;
}

const READERS_OF_MAIL: readonly Role[] = ["administrator", "editor"];

export function addOutboxRoutes(route: AddRoute, { mails, mailSettings }: OutboxServices): void {
  route(
    HOST_ROUTES.outbox,
    {
      GET: async (c) =>
        c.json({
          kept: (await mailSettings.read()).settings.host === "",
          mails: (await mails.list()).map(({ name, size, time, subject, to }) => ({
            name,
            size,
            subject,
            to,
            sent_at: new Date(time).toISOString(),
          })),
        }),
      async DELETE(c) {
        const email = c.req.query("email") ?? "";
        if (email === "" || !isEmail(email)) return invalidParams(c, { email: "It must be an email address." });
        return c.json({ deleted: await mails.erase(email) });
      },
    },
    READERS_OF_MAIL,
  );

  route(
    `${HOST_ROUTES.outbox}/:name`,
    {
      GET: (c) => showMail(c, mails),
    },
    READERS_OF_MAIL,
  );

  route(
    `${HOST_ROUTES.outbox}/:name/source`,
    {
      GET: async (c) => {
        const source = await mails.read(c.req.param("name") ?? "");
        if (source === null) return restError(c, 404, "mail_not_found", "There is no such mail.");
        c.header("Content-Type", "message/rfc822");
        c.header("Content-Disposition", "attachment");
        return c.body(new Uint8Array(source));
      },
    },
    READERS_OF_MAIL,
  );
}

/** Returns the parts of a stored mail. */
async function showMail(c: Context, mails: MailFolder): Promise<Response> {
  const name = c.req.param("name") ?? "";
  const source = await mails.read(name);
  if (source === null) return restError(c, 404, "mail_not_found", "There is no such mail.");
  const mail = await PostalMime.parse(source);
  const addresses = (list: readonly Address[] = []) => list.map(addressText);
  return c.json({
    name,
    size: source.byteLength,
    sent_at: new Date(Number(name.slice(0, 15))).toISOString(),
    subject: mail.subject ?? "",
    from: mail.from === undefined ? "" : addressText(mail.from),
    to: addresses(mail.to),
    reply_to: addresses(mail.replyTo),
    text: mail.text ?? "",
    html: mail.html ?? null,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? "",
      type: mimeType,
      size: typeof content === "string" ? content.length : content.byteLength,
    })),
  });
}

function addressText({ name, address }: Address): string {
  return name === undefined || name === "" ? (address ?? "") : `${name} <${address ?? ""}>`;
}
