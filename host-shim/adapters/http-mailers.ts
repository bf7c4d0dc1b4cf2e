/**
 * Mailers that send through a service's HTTP API, for platforms without SMTP such as Workers. They send attachments
 * too.
 */
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

/** Sends mails through Resend (https://resend.com/docs/api-reference/emails/send-email). */
export function resendMailer(
  apiKey: string,
  { endpoint = "https://api.resend.com/emails" }: HttpMailerOptions = {},
): Mailer {
  return httpMailer({
    name: "Resend",
    endpoint,
    idMember: "id",
    headers: ({ message_id }) => ({
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": message_id.slice(0, 256),
    }),
    body: ({ from, to, cc, bcc, reply_to, subject, text, html, ...message }, files) => ({
      ...{ from, to, cc, bcc, subject, text },
      ...(reply_to !== "" && { reply_to }),
      ...(html !== null && { html }),
      headers: allHeaders(message),
      attachments: files.map(({ filename, type, content }) => ({ filename, content_type: type, content })),
    }),
  });
}

/** Sends mails through Postmark (https://postmarkapp.com/developer/api/email-api). */
export function postmarkMailer(
  serverToken: string,
  { endpoint = "https://api.postmarkapp.com/email" }: HttpMailerOptions = {},
): Mailer {
  return httpMailer({
    name: "Postmark",
    endpoint,
    idMember: "MessageID",
    headers: () => ({ "x-postmark-server-token": serverToken }),
    body: ({ from, to, cc, bcc, reply_to, subject, text, html, ...message }, files) => ({
      ...{ From: from, To: to.join(","), Cc: cc.join(","), Bcc: bcc.join(","), ReplyTo: reply_to },
      ...{ Subject: subject, TextBody: text, ...(html !== null && { HtmlBody: html }) },
      Headers: namesAndValues({ ...allHeaders(message), "X-PM-KeepID": "true" }),
      Attachments: files.map(({ filename, type, content }) => ({
        Name: filename,
        ContentType: type,
        Content: content,
      })),
    }),
  });
}

/**
 * Sends mails through Amazon SES, API version 2
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). `client`, such as the `AwsClient` of
 * `aws4fetch` with `service: "ses"`, signs the requests.
 */
export function sesMailer(client: SigningClient, region: string, { endpoint }: HttpMailerOptions = {}): Mailer {
  const part = (data: string) => ({ Data: data, Charset: "UTF-8" });
  return httpMailer({
    name: "SES",
    endpoint: endpoint ?? `https://email.${region}.amazonaws.com/v2/email/outbound-emails`,
    idMember: "MessageId",
    send: (url, init) => client.fetch(url, init),
    body: ({ from, to, cc, bcc, reply_to, subject, text, html, headers, message_id }, files) => ({
      FromEmailAddress: from,
      Destination: { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc },
      ...(reply_to !== "" && { ReplyToAddresses: [reply_to] }),
      Content: {
        Simple: {
          Subject: part(subject),
          Body: { Text: part(text), ...(html !== null && { Html: part(html) }) },
          // SES replaces the Message-ID, so receivers recognize retries by this header.
          Headers: namesAndValues({ ...headers, "X-Message-ID": message_id }),
          Attachments: files.map(({ filename, type, content }) => ({
            FileName: filename,
            ContentType: type,
            RawContent: content,
            ContentDisposition: "ATTACHMENT",
          })),
        },
      },
    }),
  });
}

interface MailService {
  readonly name: string;
  readonly endpoint: string;
  /** Member of the response that has the service's id of the mail. */
  readonly idMember: string;
  readonly send?: Send;
  readonly headers?: (message: MailMessage) => Readonly<Record<string, string>>;
  readonly body: (message: MailMessage, files: readonly AttachedFile[]) => object;
}

/** Creates the mailer of a service. */
function httpMailer({ name, endpoint, idMember, send = fetch, headers, body }: MailService): Mailer {
  return {
    async send(message) {
      const files = await attached(message);
      const response = await post(send, endpoint, headers?.(message) ?? {}, body(message, files));
      return { message_id: message.message_id, response: `${name} ${String(response[idMember])}` };
    },
  };
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Posts JSON. A status that rejects the mail itself becomes a {@link PermanentError}. */
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
  const reason = `${new URL(endpoint).hostname} responded with ${response.status}: ${text.slice(0, 500)}`;
  // Only a rejected mail is a permanent error: a wrong key can be corrected, and a rate limit ends.
  throw [400, 413, 422].includes(response.status) ? new PermanentError(reason) : new Error(reason);
}

/** The headers of the message, and its Message-ID, which is the same in all retries. */
const allHeaders = ({
  headers,
  message_id,
}: Pick<MailMessage, "headers" | "message_id">): Readonly<Record<string, string>> => ({
  ...headers,
  "Message-ID": message_id,
});

const namesAndValues = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([Name, Value]) => ({ Name, Value }));

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

/** Encodes bytes as base64, without Node's `Buffer`, which some platforms lack. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // A multiple of three, so that the pieces can be joined.
  for (let at = 0; at < bytes.length; at += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return pieces.join("");
}
