/** Converts the engine's mail to nodemailer's, for every mailer that sends or writes through it. */
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { SendMailOptions } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import type { MailAttachment, MailMessage } from "../src/ports.ts";

/** Headers with a member of their own in the mail, or that nodemailer makes: a second one would contradict. */
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
 * Throws a `RangeError` for an address that is not exactly one mailbox, for a mail to nobody, and
 * for a header that is not the caller's to set. Line breaks in a value become spaces (nodemailer).
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
    // Given, so that no header can add to it.
    envelope: { from: from.address, to: recipients.map(({ address }) => address) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function attachment({ filename, content_type, stream }: MailAttachment): Promise<Attachment> {
  const content = Readable.fromWeb((await stream()) as NodeReadableStream<Uint8Array>);
  return { filename, contentType: content_type, content, contentDisposition: "attachment" };
}

/** `ann@example.org` or `Ann <ann@example.org>`: a visitor's input must not smuggle in a second one. */
function mailbox(text: string): Mailbox {
  const [only, ...more] = addressparser(text);
  if (only?.address === undefined || more.length > 0 || !MAILBOX.test(only.address)) {
    throw new RangeError(`not one mail address: ${JSON.stringify(text.slice(0, 200))}`);
  }
  return { name: only.name, address: only.address };
}
