/** Mailers that use a service's HTTP API: the request, and which failures are retried. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { postmarkMailer, resendMailer, sesMailer } from "../../host-shim/adapters/http-mailers.ts";
import { isPermanent } from "../../host-shim/src/permanent-error.ts";
import type { Mailer, MailMessage } from "../../host-shim/src/ports.ts";
import { startLocalServer, type LocalResponse } from "./local-server.ts";

const FILE = Uint8Array.from({ length: 100_001 }, (_, at) => at % 251);

const MESSAGE: MailMessage = {
  from: "Desk <desk@example.org>",
  to: ["ann@example.org", "bob@example.org"],
  cc: ["cat@example.org"],
  bcc: ["audit@example.org"],
  reply_to: "eve@example.org",
  subject: "Grüße",
  text: "Hello",
  html: "<p>Hello</p>",
  headers: { "Auto-Submitted": "auto-generated" },
  message_id: "<1@example.org>",
  attachments: [
    {
      filename: "cv.pdf",
      content_type: "application/pdf",
      size: FILE.length,
      stream: async () => new Blob([FILE]).stream(),
    },
  ],
};

const CONTENT = Buffer.from(FILE).toString("base64");
const client = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

interface Service {
  readonly mailer: (endpoint: string) => Mailer;
  readonly response: object;
  readonly id: string;
  /** Members of the body that the service reads. */
  readonly expected: object;
  readonly header?: readonly [string, string];
}

const SERVICES: Readonly<Record<string, Service>> = {
  Resend: {
    mailer: (endpoint) => resendMailer("key", { endpoint }),
    response: { id: "r1" },
    id: "Resend r1",
    header: ["authorization", "Bearer key"],
    expected: {
      from: MESSAGE.from,
      to: MESSAGE.to,
      cc: MESSAGE.cc,
      bcc: MESSAGE.bcc,
      reply_to: MESSAGE.reply_to,
      subject: "Grüße",
      text: "Hello",
      html: "<p>Hello</p>",
      headers: { "Auto-Submitted": "auto-generated", "Message-ID": "<1@example.org>" },
      attachments: [{ filename: "cv.pdf", content_type: "application/pdf", content: CONTENT }],
    },
  },
  Postmark: {
    mailer: (endpoint) => postmarkMailer("token", { endpoint }),
    response: { MessageID: "p1" },
    id: "Postmark p1",
    header: ["x-postmark-server-token", "token"],
    expected: {
      From: MESSAGE.from,
      To: "ann@example.org,bob@example.org",
      Bcc: "audit@example.org",
      ReplyTo: MESSAGE.reply_to,
      HtmlBody: "<p>Hello</p>",
      Headers: [
        { Name: "Auto-Submitted", Value: "auto-generated" },
        { Name: "Message-ID", Value: "<1@example.org>" },
        { Name: "X-PM-KeepID", Value: "true" },
      ],
      Attachments: [{ Name: "cv.pdf", ContentType: "application/pdf", Content: CONTENT }],
    },
  },
  SES: {
    mailer: (endpoint) => sesMailer(client, "eu-central-1", { endpoint }),
    response: { MessageId: "s1" },
    id: "SES s1",
    expected: {
      FromEmailAddress: MESSAGE.from,
      Destination: { ToAddresses: MESSAGE.to, CcAddresses: MESSAGE.cc, BccAddresses: MESSAGE.bcc },
      ReplyToAddresses: [MESSAGE.reply_to],
      Content: {
        Simple: {
          Subject: { Data: "Grüße", Charset: "UTF-8" },
          Attachments: [
            {
              FileName: "cv.pdf",
              ContentType: "application/pdf",
              RawContent: CONTENT,
              ContentDisposition: "ATTACHMENT",
            },
          ],
        },
      },
    },
  },
};

for (const [name, { mailer, response, id, expected, header }] of Object.entries(SERVICES)) {
  describe(`mails by ${name}`, () => {
    const serve = async (t: TestContext, response: LocalResponse) => {
      const server = await startLocalServer(() => response);
      t.after(() => server.close());
      return { server, send: (message: MailMessage) => mailer(server.url).send(message) };
    };

    test("carry everything, with attachments and the Message-ID", async (t) => {
      const { server, send } = await serve(t, { status: 200, body: JSON.stringify(response) });
      assert.deepEqual(await send(MESSAGE), { message_id: "<1@example.org>", response: id });
      const [request] = server.received;
      assert.partialDeepStrictEqual(JSON.parse(request?.text ?? ""), expected);
      assert.match(request?.text ?? "", /<1@example\.org>/);
      if (header !== undefined) assert.equal(request?.headers[header[0]], header[1]);
    });

    test("are retried unless the service rejects the mail itself", async (t) => {
      for (const [status, permanent] of [
        [422, true],
        [401, false],
        [429, false],
        [500, false],
      ] as const) {
        const { send } = await serve(t, { status, body: '{"message":"no"}' });
        await assert.rejects(send(MESSAGE), (error) => {
          assert.match(String(error), new RegExp(`responded with ${status}: .*no`));
          return isPermanent(error) === permanent;
        });
      }
    });
  });
}
