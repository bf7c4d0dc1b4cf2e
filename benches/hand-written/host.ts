/**
 * A host for two contact forms as a competent developer would write it: Hono, zod, `node:sqlite` with group commit, one
 * outbox row for each action, counters, and a REST route behind a password.
 */

import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { runHost } from "../hosts/control.ts";
import type { DatabaseSync } from "node:sqlite";
import { openGroupCommit } from "../hosts/group-commit.ts";
import { APPLICATION_PASSWORD, benchForm, variedForm } from "../hosts/form.ts";

const Contact = z.object({
  name: z.string().trim().min(1).max(10_000),
  email: z.email(),
  topic: z.enum(["a", "b"]).optional(),
  message: z.string().max(2_000).optional(),
});

const LINE = z.string().trim().max(10_000).optional();

const Varied = Contact.omit({ topic: true }).extend({ phone: LINE, company: LINE, subject: LINE });

const TABLES = `
  CREATE TABLE forms (id INTEGER PRIMARY KEY, title TEXT, slug TEXT UNIQUE, markup TEXT, settings TEXT, created_at INTEGER);
  CREATE TABLE submissions (id INTEGER PRIMARY KEY, uuid TEXT UNIQUE, form_id INTEGER NOT NULL REFERENCES forms,
    data TEXT NOT NULL, address TEXT, agent TEXT, created_at INTEGER NOT NULL);
  CREATE INDEX submissions_of_form ON submissions (form_id, created_at);
  CREATE TABLE outbox (id INTEGER PRIMARY KEY, submission_id INTEGER NOT NULL, action TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending', due_at INTEGER NOT NULL);
  CREATE INDEX outbox_due ON outbox (status, due_at);
  CREATE TABLE counters (form_id INTEGER, day TEXT, metric TEXT, count INTEGER, PRIMARY KEY (form_id, day, metric)) WITHOUT ROWID;
`;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const allowed = digest(`Basic ${Buffer.from(`admin:${APPLICATION_PASSWORD}`).toString("base64")}`);

function statementsOf(database: DatabaseSync) {
  const formOf = database.prepare("SELECT * FROM forms WHERE slug = ?");
  const formById = database.prepare(
    "SELECT f.*, (SELECT count FROM counters WHERE form_id = f.id AND day = '' AND metric = 'submit') AS submissions FROM forms f WHERE id = ?",
  );
  const insert = database.prepare(
    "INSERT INTO submissions (uuid, form_id, data, address, agent, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const enqueue = database.prepare("INSERT INTO outbox (submission_id, action, due_at) VALUES (?, ?, ?)");
  const count = database.prepare(
    "INSERT INTO counters VALUES (?, ?, 'submit', 1) ON CONFLICT DO UPDATE SET count = count + 1",
  );
  return { formOf, formById, insert, enqueue, count };
}

await runHost(async (folder) => {
  const { database, write } = openGroupCommit(join(folder, "hand-written.sqlite"));
  database.exec(TABLES);
  const add = database.prepare("INSERT INTO forms (title, slug, markup, settings, created_at) VALUES (?, ?, ?, ?, ?)");
  for (const { title, slug, markup, settings } of [benchForm, variedForm])
    add.run(title, slug, markup, JSON.stringify(settings), Date.now());
  const { formOf, formById, insert, enqueue, count } = statementsOf(database);

  const app = new Hono();
  app.get("/api/forms/:id", (c) => {
    const given = digest(c.req.header("authorization") ?? "");
    if (!timingSafeEqual(given, allowed)) return c.json({ code: "forbidden" }, 403);
    const form = formById.get(Number(c.req.param("id")));
    if (form === undefined) return c.json({ code: "not_found" }, 404);
    const { settings, created_at, ...rest } = form;
    return c.json({
      ...rest,
      settings: JSON.parse(String(settings)),
      created_at: new Date(Number(created_at)).toISOString(),
    });
  });
  app.post("/forms/:slug", async (c) => {
    const form = formOf.get(c.req.param("slug"));
    if (form === undefined) return c.json({ code: "not_found" }, 404);
    const rules = form["slug"] === variedForm.slug ? Varied : Contact;
    const sent = rules.safeParse(Object.fromEntries(new URLSearchParams(await c.req.text())));
    if (!sent.success) return c.json({ errors: z.flattenError(sent.error).fieldErrors }, 400);
    const now = Date.now();
    const id = Number(form["id"]);
    const { actions }: { actions: object[] } = JSON.parse(String(form["settings"]));
    await write(() => {
      const { lastInsertRowid } = insert.run(
        randomUUID(),
        id,
        JSON.stringify(sent.data),
        c.req.header("x-forwarded-for") ?? "",
        c.req.header("user-agent") ?? "",
        now,
      );
      for (const action of actions) enqueue.run(lastInsertRowid, JSON.stringify(action), now);
      count.run(id, "");
      count.run(id, new Date(now).toISOString().slice(0, 10));
    });
    return c.json({ message: { type: "success", text: "Thank you." } });
  });

  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => database.close(),
  };
});
