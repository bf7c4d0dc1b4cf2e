/**
 * The conformance suite of the mailer port. `open` returns a function that reads the delivered mails from the receiving
 * server or folder, and parses them with any library.
 */
import type { Mailer, MailMessage } from "../src/ports.ts";
import { registerCases, type Case, type Closable, type RegisterTest } from "./case.ts";
import { expectEqual, expectRejection, expectTrue } from "./expect.ts";

/** A delivered mail. */
export interface DeliveredMail {
  /** Recipients of the envelope (SMTP's RCPT TO); null when the receiver has no envelope. */
  readonly recipients: readonly string[] | null;
  /** Decoded headers, by name in lower case. Values of a repeated header are joined by a line feed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string | null;
}

/** A mailer, and the mails that it delivered. */
export interface MailerSubject {
  readonly mailer: Mailer;
  /** Returns all mails since the case began, in the order of arrival. */
  delivered(): Promise<readonly DeliveredMail[]>;
}

/** Options of {@link mailerConformance}. */
export interface MailerConformance {
  readonly test: RegisterTest;
  /** Opens the mailer and its receiver. Each case opens both and closes them. */
  open(): Promise<MailerSubject & Closable>;
}

const PLAIN: MailMessage = {
  from: "forms@example.org",
  to: ["ann@example.org"],
  cc: [],
  bcc: [],
  reply_to: "",
  subject: "A subject",
  text: "A text.",
  html: null,
  headers: {},
  message_id: "<conformance-1@example.org>",
};

async function sendOne({ mailer, delivered }: MailerSubject, message: Partial<MailMessage>): Promise<DeliveredMail> {
  await mailer.send({ ...PLAIN, ...message });
  const [mail, ...more] = await delivered();
  if (mail === undefined || more.length > 0)
    throw new Error(`one mail was sent, ${more.length + (mail ? 1 : 0)} arrived`);
  return mail;
}

function expectRecipients(mail: DeliveredMail, expected: readonly string[]): void {
  if (mail.recipients !== null)
    expectEqual([...mail.recipients].sort(), [...expected].sort(), "the envelope's recipients");
}

/** The cases of the mail port. */
export const mailerCases: readonly Case<MailerSubject>[] = [
  {
    name: "a text mail arrives with its headers, and the result has its Message-ID",
    run: async (subject) => {
      const sent = await subject.mailer.send({
        ...PLAIN,
        reply_to: "Bob <bob@example.org>",
        headers: { "X-Form": "7" },
      });
      const [mail] = await subject.delivered();
      if (mail === undefined) throw new Error("no mail arrived");
      expectRecipients(mail, ["ann@example.org"]);
      expectEqual(mail.text.trim(), "A text.", "the text");
      expectEqual(mail.html, null, "the HTML");
      expectTrue(mail.headers["from"]?.includes("forms@example.org") === true, "From is not the sender");
      expectTrue(mail.headers["reply-to"]?.includes("bob@example.org") === true, "Reply-To is missing");
      const { subject: line, "x-form": extra, "message-id": id } = mail.headers;
      expectEqual([line, extra, id], ["A subject", "7", PLAIN.message_id], "the headers");
      expectEqual(sent.message_id, PLAIN.message_id, "the Message-ID of the result");
      expectTrue(typeof sent.response === "string" && sent.response !== "", "the result has no response");
    },
  },
  {
    name: "a mail with HTML contains the text too",
    run: async (subject) => {
      const mail = await sendOne(subject, { html: "<p>An <b>HTML</b> text.</p>" });
      expectEqual(mail.text.trim(), "A text.", "the text");
      expectTrue(mail.html?.includes("<b>HTML</b>") === true, "the HTML part is missing");
    },
  },
  {
    name: "any script survives in subject, text, HTML and names, and so do long lines",
    run: async (subject) => {
      const line = "Grüße 中文 😀 עברית";
      const long = `${"wort ".repeat(2_000)}ende`;
      const mail = await sendOne(subject, {
        subject: line,
        text: `${line}\n.\n${long}`,
        html: `<p>${line}</p>`,
        from: `"Äpfel, Birnen" <forms@example.org>`,
      });
      expectEqual(mail.headers["subject"], line, "the subject");
      expectEqual(mail.text.replaceAll("\r\n", "\n").trim(), `${line}\n.\n${long}`, "the text");
      expectTrue(mail.html?.includes(line) === true, "the HTML");
      expectTrue(mail.headers["from"]?.includes("Äpfel, Birnen") === true, "the sender's name");
    },
  },
  {
    name: "To and Cc are shown, Bcc reaches its recipients",
    run: async (subject) => {
      const mail = await sendOne(subject, {
        to: ["a@example.org", "B <b@example.org>"],
        cc: ["c@example.org"],
        bcc: ["d@example.org"],
      });
      expectRecipients(mail, ["a@example.org", "b@example.org", "c@example.org", "d@example.org"]);
      expectTrue(/a@example\.org[^]*b@example\.org/.test(mail.headers["to"] ?? ""), "To is incomplete");
      expectTrue(mail.headers["cc"]?.includes("c@example.org") === true, "Cc is missing");
      if (mail.recipients !== null)
        expectEqual(mail.headers["bcc"], undefined, "the header Bcc of a mail that was sent");
    },
  },
  {
    name: "a line break in a value adds no header and no recipient",
    run: async (subject) => {
      const smuggled = "\r\nBcc: eve@example.org\r\nX-Smuggled: yes\r\n\r\nbody";
      const mail = await sendOne(subject, { subject: `A${smuggled}`, headers: { "X-Form": `7${smuggled}` } });
      expectRecipients(mail, ["ann@example.org"]);
      expectEqual([mail.headers["x-smuggled"], mail.headers["bcc"]], [undefined, undefined], "the smuggled headers");
      expectEqual(mail.text.trim(), "A text.", "the text");
    },
  },
  {
    name: "an address that is not exactly one mailbox is rejected",
    run: async ({ mailer, delivered }) => {
      const bad = [
        "ann@example.org, eve@example.org",
        "ann@example.org\r\nBcc: eve@example.org",
        "Ann <ann@example.org>\nBcc: eve@example.org",
        "group: ann@example.org, eve@example.org;",
        "no address",
        "@example.org",
        "",
      ];
      for (const address of bad) {
        await expectRejection(() => mailer.send({ ...PLAIN, to: [address] }), `To ${JSON.stringify(address)}`);
        await expectRejection(() => mailer.send({ ...PLAIN, bcc: [address] }), `Bcc ${JSON.stringify(address)}`);
        await expectRejection(() => mailer.send({ ...PLAIN, from: address }), `From ${JSON.stringify(address)}`);
        if (address === "") continue;
        await expectRejection(
          () => mailer.send({ ...PLAIN, reply_to: address }),
          `Reply-To ${JSON.stringify(address)}`,
        );
      }
      await expectRejection(() => mailer.send({ ...PLAIN, to: [] }), "a mail without a recipient");
      expectEqual((await delivered()).length, 0, "the mails that arrived");
    },
  },
  {
    name: "an extra header that the mail sets itself, or that has a malformed name, is rejected",
    run: async ({ mailer, delivered }) => {
      for (const name of ["Bcc", "TO", "From", "Content-Type", "Message-ID", "X-A: b\r\nBcc", "X A", ""]) {
        await expectRejection(
          () => mailer.send({ ...PLAIN, headers: { [name]: "eve@example.org" } }),
          `the header ${JSON.stringify(name)}`,
        );
      }
      expectEqual((await delivered()).length, 0, "the mails that arrived");
    },
  },
  {
    name: "20 mails at once all arrive, each once",
    run: async ({ mailer, delivered }) => {
      const ids = Array.from({ length: 20 }, (_, n) => `<conformance-many-${n}@example.org>`);
      await Promise.all(ids.map((message_id) => mailer.send({ ...PLAIN, message_id })));
      const arrived = (await delivered()).map(({ headers }) => headers["message-id"]);
      expectEqual(arrived.sort(), ids.sort(), "the Message-IDs that arrived");
    },
  },
];

/** Registers the cases of the mail port with a test runner. */
export function mailerConformance({ test, open }: MailerConformance): void {
  registerCases(mailerCases, test, async () => {
    const { mailer, delivered, close } = await open();
    return { subject: { mailer, delivered }, close };
  });
}
