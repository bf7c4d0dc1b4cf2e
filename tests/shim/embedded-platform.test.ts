/** The engine's ports for each configuration. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { SMTPServer } from "smtp-server";
import type { MailMessage } from "../../host-shim/src/ports.ts";
import { startTestHost } from "./embedded-fixture.ts";

const MAIL: MailMessage = {
  from: "forms@example.org",
  to: ["ada@example.org"],
  cc: [],
  bcc: [],
  reply_to: "",
  subject: "A submission",
  text: "Hello",
  html: null,
  headers: {},
  message_id: "<1@example.org>",
};

test("without SMTP_URL, mails are stored in the data directory, readable only by the owner", async (t) => {
  const host = await startTestHost(t);
  await host.formsOptions.host.mailer?.send(MAIL);
  const folder = join(host.directory, "mail");
  const [name = ""] = await readdir(folder);
  assert.match(await readFile(join(folder, name), "utf8"), /^Subject: A submission\r$/m);
  assert.equal((await stat(folder)).mode & 0o077, 0);
  assert.equal((await stat(join(host.directory, "cf-forms.sqlite"))).mode & 0o077, 0);
});

test("with SMTP_URL, mails go to that server", async (t) => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _, done) => void text(stream).then((mail) => (received.push(mail), done())),
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const host = await startTestHost(t, { environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
  await host.formsOptions.host.mailer?.send(MAIL);
  assert.match(received[0] ?? "", /^Subject: A submission\r$/m);
});

test("uploads are kept in the data directory", async (t) => {
  const host = await startTestHost(t);
  await host.formsOptions.host.files?.put("a/b", new Uint8Array([1, 2]), "text/plain");
  assert.deepEqual([...(await readFile(join(host.directory, "uploads/a/b")))], [1, 2]);
});

test("private addresses are blocked, unless the operator allows their network", async (t) => {
  const get = { method: "GET", headers: {}, body: null, timeout_ms: 1000, max_bytes: 1000 };
  const closed = await startTestHost(t);
  const open = await startTestHost(t, { environment: { WEBHOOK_NETWORKS: "10.0.0.0/8, 127.0.0.1, fd00::/8" } });
  const fetchFrom = async ({ formsOptions }: typeof open, url: string) =>
    (await formsOptions.host.http?.fetch({ ...get, url }))?.status;
  const port = new URL(open.url).port;
  const url = `http://127.0.0.1:${port}/healthz`;
  await assert.rejects(fetchFrom(closed, url), /127\.0\.0\.1 is not a public address/);
  assert.equal(await fetchFrom(open, url), 200);
  for (const other of ["127.0.0.2", "169.254.169.254", "192.168.1.1", "[::1]"]) {
    await assert.rejects(fetchFrom(open, `http://${other}:${port}/healthz`), /is not a public address/);
  }
});
