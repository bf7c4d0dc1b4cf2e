/** Converts the engine's mail to nodemailer's format. */
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { SendMailOptions } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser/index.js";
import type { MailAttachment, MailMessage } from "../src/ports.ts";

/** Headers that are members of the mail or that nodemailer sets. An extra header of the same name would contradict them. */
const RESERVED: ReadonlySet<string> = new Set(
  "from sender to cc bcc reply-to subject date message-id mime-version content-type content-transfer-encoding".split(
    " ",
  ),
);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
type Attachment = NonNullable<SendMailOptions["attachments"]>[number];

const MAILBOX = /^[^\s<>()[\],;:"@\\\p{Cc}]+@[^\s<>(),;:"@\\\p{Cc}]+$/u;

interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/**
 * Builds nodemailer's options. Throws a `RangeError` for an address that is not exactly one mailbox, a mail without
 * recipients, and a reserved header. nodemailer replaces line breaks in values by spaces.
 */
export async function mailOptions(message: MailMessage): Promise<SendMailOptions> {
  const from = mailbox(message.from);
  const to = message.to.map(mailbox);
  const cc = message.cc.map(mailbox);
  const bcc = message.bcc.map(mailbox);
  const recipients = [...to, ...cc, ...bcc];
  if (recipients.length === 0) throw new RangeError("the mail has no recipient");
  for (const name of Object.keys(message.headers)) {
    if (HEADER_NAME.test(name) && !RESERVED.has(name.toLowerCase())) continue;
    throw new RangeError(`not an extra header: ${JSON.stringify(name)}`);
  }
  return {
    from,
    to,
    cc,
    bcc,
    ...(message.reply_to !== "" && { replyTo: mailbox(message.reply_to) }),
    subject: message.subject,
    text: message.text,
    ...(message.html !== null && { html: message.html }),
    attachments: await Promise.all((message.attachments ?? []).map(attachment)),
    headers: { ...message.headers },
    messageId: message.message_id,
    // The envelope is explicit, so that no header can add a recipient.
    envelope: { from: from.address, to: recipients.map(({ address }) => address) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function attachment({ filename, content_type, stream }: MailAttachment): Promise<Attachment> {
  const content = Readable.fromWeb((await stream()) as NodeReadableStream<Uint8Array>);
  return { filename, contentType: content_type, content, contentDisposition: "attachment" };
}

/** Parses `ann@example.org` or `Ann <ann@example.org>`. Rejects several addresses, which a visitor might smuggle in. */
function mailbox(text: string): Mailbox {
  const [only, ...more] = addressparser(text);
  if (only?.address === undefined || more.length > 0 || !MAILBOX.test(only.address)) {
    throw new RangeError(`not one mail address: ${JSON.stringify(text.slice(0, 200))}`);
  }
  return { name: only.name, address: only.address };
}
