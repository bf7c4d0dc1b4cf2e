/** Which ports the configuration gives the engine. */
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
  from: "forms@example.org", to: ["ada@example.org"], cc: [], bcc: [], reply_to: "", subject: "A submission",
  text: "Hello", html: null, headers: {}, message_id: "<1@example.org>",
};

test("without SMTP_URL mail lies in the data directory, which nobody else may read", async (t) => {
  const host = await startTestHost(t);
  await host.formsOptions.host.mailer?.send(MAIL);
  const folder = join(host.directory, "mail");
  const [name = ""] = await readdir(folder);
  assert.match(await readFile(join(folder, name), "utf8"), /^Subject: A submission\r$/m);
  assert.equal((await stat(folder)).mode & 0o077, 0);
  assert.equal((await stat(join(host.directory, "cf-forms.sqlite"))).mode & 0o077, 0);
});

test("with SMTP_URL mail goes to that server", async (t) => {
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

test("uploads are kept in the data directory, and private addresses are out of reach", async (t) => {
  const host = await startTestHost(t);
  const { files, http } = host.formsOptions.host;
  await files?.put("a/b", new Uint8Array([1, 2]), "text/plain");
  assert.deepEqual([...(await readFile(join(host.directory, "uploads/a/b")))], [1, 2]);
  const request = { method: "GET", url: `${host.url}/healthz`, headers: {}, body: null, timeout_ms: 1000, max_bytes: 1000 };
  await assert.rejects(async () => http?.fetch(request));
});
