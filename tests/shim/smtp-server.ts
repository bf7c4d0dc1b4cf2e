/** A real SMTP server that keeps received mails. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { DeliveredMail } from "../../host-shim/conformance/mailer.ts";

/** Decodes a mail. Repeated headers are joined by line feeds. */
export async function parseMail(raw: Uint8Array, recipients: readonly string[] | null): Promise<DeliveredMail> {
  const { headers, text, html, subject, from } = await PostalMime.parse(raw);
  const values: Record<string, string> = {};
  for (const { key, value } of headers) values[key] = key in values ? `${values[key]}\n${value}` : value;
  const decoded = { subject: subject ?? "", from: `${from?.name} <${from?.address}>` };
  return { recipients, headers: { ...values, ...decoded }, text: text ?? "", html: html ?? null };
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: DeliveredMail[];
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpServer> {
  const mails: DeliveredMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    // A mailer keeps its connections open. By default the server waits 30 s for them before it closes.
    closeTimeout: 100,
    ...options,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onData(stream, session, callback) {
      stream.toArray().then(async (chunks) => {
        mails.push(
          await parseMail(
            Buffer.concat(chunks),
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        );
        callback();
      }, callback);
    },
  });
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
