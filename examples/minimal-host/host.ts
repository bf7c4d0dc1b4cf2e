/**
 * A complete host in one file: cf-forms on a plain Node HTTP server with one administrator.
 *
 * In your project, import from "cf-forms" and "cf-forms/adapters/…" instead. Run it:
 *
 *     ADMIN_PASSWORD=secret node examples/minimal-host/host.ts
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { mkdirSync } from "node:fs";
import { serve } from "@hono/node-server";
import { mailFolder } from "../../host-shim/adapters/mail-folder.ts";
import { openSqlite } from "../../host-shim/adapters/node-sqlite.ts";
import { smtpMailer } from "../../host-shim/adapters/smtp.ts";
import { createForms, type Authentication } from "../../host-shim/src/index.ts";

const { ADMIN_PASSWORD, DATA_DIR = "./data", SMTP_URL, PORT = "3000" } = process.env;
if (!ADMIN_PASSWORD) throw new Error("set ADMIN_PASSWORD");
mkdirSync(DATA_DIR, { recursive: true });

const administrator = { id: "1", login: "admin", capabilities: ["edit_forms", "unfiltered_html"] };
const digest = (text: string) => createHash("sha256").update(text).digest();
const expected = digest(`Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`);

/** Authenticates by HTTP Basic with the password. A request without credentials is anonymous. */
async function authenticate(request: Request): Promise<Authentication> {
  const sent = request.headers.get("authorization");
  if (sent === null) return { principal: null };
  if (timingSafeEqual(digest(sent), expected)) return { principal: administrator };
  return { failure: { status: 401, code: "incorrect_password", message: "The password is wrong." } };
}

const database = openSqlite({ path: `${DATA_DIR}/forms.sqlite` });
const forms = await createForms({
  baseUrl: `http://127.0.0.1:${PORT}`,
  host: {
    database,
    mailer: SMTP_URL ? smtpMailer(SMTP_URL) : mailFolder(`${DATA_DIR}/mail`),
    authenticate,
    log: (level, message, fields) => console.error(level, message, fields),
  },
});
await forms.migrate();

const notFound = () => new Response("Not found\n", { status: 404 });
const server = serve({
  fetch: async (request) => (await forms.fetch(request)) ?? notFound(),
  port: Number(PORT),
  hostname: "127.0.0.1",
});
server.on("listening", () => console.log(`listening on http://127.0.0.1:${PORT}`));

// Runs due retries; a submission's actions run at once.
const ticker = setInterval(() => forms.runQueue().catch(console.error), 5_000);

async function stop(): Promise<void> {
  clearInterval(ticker);
  server.close();
  await forms.close();
  await database.close();
  process.exit(0);
}
process.once("SIGTERM", stop).once("SIGINT", stop);
