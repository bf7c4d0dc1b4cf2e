/** Mailers that send by a service's HTTP API, for platforms without SMTP such as Workers. Attachments are sent along. */
import { PermanentError } from "../src/permanent-error.ts";
import type { Mailer, MailMessage } from "../src/ports.ts";
import type { SigningClient } from "./s3-files.ts";

/** Timeout of a request to a service. */
const TIMEOUT_MS = 20_000;

/** Options that all services share. */
export interface HttpMailerOptions {
  /** Address of the API; default: the service's own. */
  readonly endpoint?: string;
}

/** Sends mails by Resend (https://resend.com/docs/api-reference/emails/send-email). */
export function resendMailer(
  apiKey: string,
  { endpoint = "https://api.resend.com/emails" }: HttpMailerOptions = {},
): Mailer {
  return {
    async send(message) {
      const { from, to, cc, bcc, reply_to, subject, text, html } = message;
      const files = await attached(message);
      const body = {
        ...{ from, to, cc, bcc, subject, text },
        ...(reply_to !== "" && { reply_to }),
        ...(html !== null && { html }),
        headers: allHeaders(message),
        attachments: files.map(({ filename, type, content }) => ({ filename, content_type: type, content })),
      };
      const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": message.message_id.slice(0, 256) };
      const { id } = await post(fetch, endpoint, headers, body);
      return { message_id: message.message_id, response: `Resend ${String(id)}` };
    },
  };
}

/** Sends mails by Postmark (https://postmarkapp.com/developer/api/email-api). */
export function postmarkMailer(
  serverToken: string,
  { endpoint = "https://api.postmarkapp.com/email" }: HttpMailerOptions = {},
): Mailer {
  return {
    async send(message) {
      const { from, to, cc, bcc, reply_to, subject, text, html } = message;
      const files = await attached(message);
      const body = {
        ...{ From: from, To: to.join(","), Cc: cc.join(","), Bcc: bcc.join(","), ReplyTo: reply_to },
        ...{ Subject: subject, TextBody: text, ...(html !== null && { HtmlBody: html }) },
        Headers: Object.entries({ ...allHeaders(message), "X-PM-KeepID": "true" }).map(([Name, Value]) => ({
          Name,
          Value,
        })),
        Attachments: files.map(({ filename, type, content }) => ({
          Name: filename,
          ContentType: type,
          Content: content,
        })),
      };
      const { MessageID: id } = await post(fetch, endpoint, { "x-postmark-server-token": serverToken }, body);
      return { message_id: message.message_id, response: `Postmark ${String(id)}` };
    },
  };
}

/**
 * Sends mails by Amazon SES, API version 2 (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html).
 * The client signs, such as the `AwsClient` of `aws4fetch` with `service: "ses"`.
 */
export function sesMailer(client: SigningClient, region: string, { endpoint }: HttpMailerOptions = {}): Mailer {
  const address = endpoint ?? `https://email.${region}.amazonaws.com/v2/email/outbound-emails`;
  return {
    async send(message) {
      const { from, to, cc, bcc, reply_to, subject, text, html } = message;
      const part = (data: string) => ({ Data: data, Charset: "UTF-8" });
      const files = await attached(message);
      const simple = {
        Subject: part(subject),
        Body: { Text: part(text), ...(html !== null && { Html: part(html) }) },
        // SES makes the Message-ID itself, so receivers recognize repeats by this header.
        Headers: Object.entries({ ...message.headers, "X-Message-ID": message.message_id }).map(([Name, Value]) => ({
          Name,
          Value,
        })),
        Attachments: files.map(({ filename, type, content }) => ({
          FileName: filename,
          ContentType: type,
          RawContent: content,
          ContentDisposition: "ATTACHMENT",
        })),
      };
      const body = {
        FromEmailAddress: from,
        Destination: { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc },
        ...(reply_to !== "" && { ReplyToAddresses: [reply_to] }),
        Content: { Simple: simple },
      };
      const { MessageId: id } = await post((url, init) => client.fetch(url, init), address, {}, body);
      return { message_id: message.message_id, response: `SES ${String(id)}` };
    },
  };
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Posts JSON. An answer that a repeat would not change is a {@link PermanentError}. */
async function post(
  send: Send,
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await send(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Readonly<Record<string, unknown>>;
  const reason = `${new URL(endpoint).hostname} answered ${response.status}: ${text.slice(0, 500)}`;
  // A wrong key may be corrected, and a limit ends; a mail that the service does not take stays refused.
  throw [400, 413, 422].includes(response.status) ? new PermanentError(reason) : new Error(reason);
}

/** The extra headers with the Message-ID, which stays the same over repeats. */
const allHeaders = ({ headers, message_id }: MailMessage): Record<string, string> => ({
  ...headers,
  "Message-ID": message_id,
});

interface AttachedFile {
  readonly filename: string;
  readonly type: string;
  /** Bytes in base64. */
  readonly content: string;
}

function attached({ attachments = [] }: MailMessage): Promise<AttachedFile[]> {
  return Promise.all(
    attachments.map(async ({ filename, content_type: type, stream }) => {
      const bytes = new Uint8Array(await new Response(await stream()).arrayBuffer());
      return { filename, type, content: base64Of(bytes) };
    }),
  );
}

/** Encodes bytes on platforms with and without Node's `Buffer`. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A multiple of three, so that the pieces can be joined.
  for (let at = 0; at < bytes.length; at += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return pieces.join("");
}
