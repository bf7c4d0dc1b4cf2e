/** Mails without subject and message are in the form's language; English numbers in a form are grouped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { languages } from "../../visitor/languages/index.ts";
import { startSite } from "./site.ts";

const MARKUP =
  '<p><label>Email <input type="email" name="email"></label></p><p><label>Seats <input type="number" name="seats" max="20000"></label></p><button>Send</button>';
const ACTIONS = [
  { type: "email", to: "owner@example.com" },
  { type: "autoresponder", email_field: "email" },
];

for (const [language, subject, copySubject, copy] of [
  [
    "de",
    "Neue Einsendung: Seats",
    "Wir haben Ihre Angaben erhalten",
    "Vielen Dank. Hier ist eine Kopie Ihrer Angaben:",
  ],
  ["fr-CA", "Nouvel envoi : Seats", "Nous avons bien reçu vos réponses", "Merci. Voici une copie de vos réponses :"],
  ["", "New submission: Seats", "We’ve received your answers", "Thank you. Here is a copy of your answers:"],
  ["auto", "New submission: Seats", "We’ve received your answers", "Thank you. Here is a copy of your answers:"],
] as const)
  test(`mails of a form whose language is “${language}”`, async () => {
    const site = await startSite({ forms: { languages } });
    try {
      const form = { title: "Seats", slug: "seats", markup: MARKUP, settings: { language, actions: ACTIONS } };
      assert.equal((await site.api("POST", "/forms", form)).status, 201);
      const sent = await fetch(`${site.url}/forms/seats`, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams({ email: "ada@example.com", seats: "3" }),
      });
      assert.equal(sent.status, 200, await sent.text());
      await site.forms.runQueue();
      const [toOwner, toVisitor] = ["owner@example.com", "ada@example.com"].map((to) =>
        site.mails.find((mail) => mail.to.includes(to)),
      );
      assert.equal(toOwner?.subject, subject);
      assert.equal(toVisitor?.subject, copySubject);
      assert.ok(toVisitor?.text.startsWith(copy), toVisitor?.text);
    } finally {
      await site.close();
    }
  });

test("a bound has the number format of the form's language, also in English", async () => {
  const site = await startSite({ forms: { languages } });
  try {
    for (const [slug, language, bound] of [
      ["english", "en", "20,000"],
      ["region", "en-GB", "20,000"],
      ["german", "de", "20.000"],
      ["none", "", "20000"],
    ] as const) {
      await site.api("POST", "/forms", { title: "Seats", slug, markup: MARKUP, settings: { language } });
      const sent = await fetch(`${site.url}/forms/${slug}`, {
        method: "POST",
        headers: { accept: "application/json" },
        body: new URLSearchParams({ email: "", seats: "30000" }),
      });
      const text = await sent.text();
      assert.ok(text.includes(bound), `${language}: ${text}`);
    }
  } finally {
    await site.close();
  }
});
