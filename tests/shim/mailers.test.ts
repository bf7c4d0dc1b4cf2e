import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { mailFolder, type MailFolder } from "../../host-shim/adapters/mail-folder.ts";
import { smtpMailer } from "../../host-shim/adapters/smtp.ts";
import { mailerConformance, type DeliveredMail } from "../../host-shim/conformance/mailer.ts";
import type { MailMessage } from "../../host-shim/src/ports.ts";
import { parseMail, startSmtp } from "./smtp-server.ts";

const MESSAGE: MailMessage = {
  from: "forms@example.org",
  to: ["ann@example.org"],
  cc: [],
  bcc: ["audit@example.org"],
  reply_to: "",
  subject: "Grüße",
  text: "Hello",
  html: null,
  headers: {},
  message_id: "<1@example.org>",
};

describe("the SMTP mailer", () => {
  mailerConformance({
    test,
    open: async () => {
      const server = await startSmtp();
      const mailer = smtpMailer(server.url);
      return {
        mailer,
        delivered: async () => server.mails,
        close: async () => {
          mailer.close();
          await server.close();
        },
      };
    },
  });

  test("connections are pooled", async (t) => {
    const server = await startSmtp();
    const mailer = smtpMailer(server.url);
    t.after(async () => {
      mailer.close();
      await server.close();
    });
    for (let n = 0; n < 10; n += 1) await mailer.send(MESSAGE);
    assert.deepEqual([server.mails.length, server.connections()], [10, 1]);
  });

  test("it signs in with the URL's credentials, and the error names a wrong password", async (t) => {
    const server = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        if (username === "forms@site" && password === "p@ss/word") callback(null, { user: username });
        else callback(new Error("wrong password"));
      },
    });
    t.after(() => server.close());
    const withCredentials = (credentials: string): string => server.url.replace("//", `//${credentials}@`);
    const mailer = smtpMailer(withCredentials("forms%40site:p%40ss%2Fword"));
    await mailer.send(MESSAGE);
    mailer.close();
    assert.equal(server.mails.length, 1);
    const wrong = smtpMailer(withCredentials("forms%40site:guess"));
    await assert.rejects(
      wrong.send(MESSAGE),
      (error: Error) => /535/.test(error.message) && !error.message.includes("guess"),
    );
    wrong.close();
  });

  test("if the server rejects all recipients, sending fails with its message; if it rejects one, the others get the mail and the result names the rejected one", async (t) => {
    const server = await startSmtp({
      onRcptTo({ address }, _session, callback) {
        callback(address.startsWith("gone") ? new Error("no such mailbox") : null);
      },
    });
    const mailer = smtpMailer(server.url);
    t.after(async () => {
      mailer.close();
      await server.close();
    });
    await assert.rejects(mailer.send({ ...MESSAGE, to: ["gone@example.org"], bcc: [] }), /no such mailbox/);
    const { response } = await mailer.send({ ...MESSAGE, to: ["ann@example.org", "gone@example.org"] });
    assert.match(response, /^250.*refused: gone@example\.org/);
    assert.deepEqual(
      server.mails.map(({ recipients }) => recipients),
      [["ann@example.org", "audit@example.org"]],
    );
  });

  test("a missing or silent server causes an error after the timeout", async (t) => {
    const mute = createServer().listen(0, "127.0.0.1");
    await once(mute, "listening");
    t.after(() => mute.close());
    const { port } = mute.address() as AddressInfo;
    for (const url of ["smtp://127.0.0.1:1", `smtp://127.0.0.1:${port}?greetingTimeout=300`]) {
      const mailer = smtpMailer(url);
      await assert.rejects(mailer.send(MESSAGE), /ECONNREFUSED|Greeting never received/);
      mailer.close();
    }
  });
});

describe("the mail folder", () => {
  async function openTemporary(): Promise<{ directory: string; folder: MailFolder; remove(): Promise<void> }> {
    const parent = await mkdtemp(join(tmpdir(), "cf-forms-mail-"));
    const directory = join(parent, "mail");
    return { directory, folder: mailFolder(directory), remove: () => rm(parent, { recursive: true }) };
  }

  mailerConformance({
    test,
    open: async () => {
      const { folder, remove } = await openTemporary();
      const delivered = async (): Promise<DeliveredMail[]> => {
        const stored = (await folder.list()).reverse();
        return Promise.all(
          stored.map(async ({ name }) => parseMail((await folder.read(name)) ?? new Uint8Array(0), null)),
        );
      };
      return { mailer: folder, delivered, close: remove };
    },
  });

  test("it lists the newest mails first, with the data to choose one", async (t) => {
    const { directory, folder, remove } = await openTemporary();
    t.after(remove);
    assert.deepEqual(await folder.list(), []);
    const before = Date.now();
    await folder.send({ ...MESSAGE, subject: "first" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await folder.send({ ...MESSAGE, to: ["Ann <ann@example.org>", "bob@example.org"] });
    const [newest, oldest, ...more] = await folder.list();
    assert.ok(newest && oldest && more.length === 0);
    assert.deepEqual([newest.subject, newest.to], ["Grüße", ["ann@example.org", "bob@example.org"]]);
    assert.equal(oldest.subject, "first");
    assert.ok(newest.time >= oldest.time && oldest.time >= before && newest.time <= Date.now());
    assert.equal((await folder.read(newest.name))?.length, newest.size);
    assert.equal((await folder.list(1)).length, 1);
    assert.equal((await stat(join(directory, newest.name))).mode & 0o777, 0o600);
    assert.equal((await readdir(directory)).length, 2);
  });

  test("a file is complete with Bcc, and has CRLF line ends", async (t) => {
    const { folder, remove } = await openTemporary();
    t.after(remove);
    await folder.send(MESSAGE);
    const [mail] = await folder.list();
    const content = Buffer.from((await folder.read(mail?.name ?? "")) ?? []).toString();
    assert.match(content, /^Bcc: audit@example\.org\r$/m);
    assert.doesNotMatch(content, /[^\r]\n/);
  });

  test("it erases the mails with an address, also in the text, and no mail of a longer address", async (t) => {
    const { folder, remove } = await openTemporary();
    t.after(remove);
    const mail = { ...MESSAGE, cc: [], bcc: [], html: null };
    await folder.send({ ...mail, subject: "to", to: ["Ann@Example.org"] });
    await folder.send({ ...mail, subject: "text", to: ["owner@example.org"], text: "Email: ann@example.org.\nHello" });
    await folder.send({ ...mail, subject: "longer", to: ["joann@example.org"], text: "x+ann@example.org" });
    await folder.send({ ...mail, subject: "other", to: ["owner@example.org"], text: "ann@example.org.uk" });
    assert.equal(await folder.erase("ann@example.org"), 2);
    assert.deepEqual((await folder.list()).map(({ subject }) => subject).sort(), ["longer", "other"]);
    assert.equal(await folder.erase(".*@example.org"), 0);
  });

  test("only its mails can be read", async (t) => {
    const { folder, remove } = await openTemporary();
    t.after(remove);
    await folder.send(MESSAGE);
    for (const name of ["", "..", "../mail", "/etc/passwd", "000000000000000-000000000000.eml"])
      assert.equal(await folder.read(name), null, name);
  });
});
