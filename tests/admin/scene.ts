/** A site after a month of use: forms from templates, submissions by day, files, notes, spam, failures. */
import { readFileSync } from "node:fs";
import { TEMPLATES } from "../../admin/templates/index.ts";
import { inLanguage } from "../../admin/templates/in-language.ts";
import type { TestHost } from "../shim/embedded-fixture.ts";
import { api, type FormRef } from "./admin-site.ts";

const DAY_MS = 86_400_000;
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36";
const PEOPLE = [
  "Ada Lovelace",
  "Grace Hopper",
  "Mary Somerville",
  "Sophie Germain",
  "Emmy Noether",
  "Caroline Herschel",
  "Lise Meitner",
  "Maria Sibylla Merian",
] as const;
const QUESTIONS = [
  "Is the workshop open to beginners?",
  "Could you send me a quote for twenty seats?",
  "The link in your last letter leads nowhere.",
  "Thank you, it was a lovely evening.",
  "Do you deliver to Scotland?",
] as const;
const SOURCES = [
  ["utm_source=newsletter&utm_medium=email&utm_campaign=spring", ""],
  ["", "https://www.example.net/list"],
  ["", "https://search.example.com/"],
  ["", ""],
] as const;

export interface Scene {
  readonly contact: FormRef;
  readonly feedback: FormRef;
  /** Survey with choices, ratings and a number, for sums of answers. */
  readonly survey: FormRef;
  /** Contact submission with two files, a note and a star. */
  readonly submission: number;
  /** Time of the last day, in milliseconds. */
  readonly now: number;
}

async function makeFrom(
  url: string,
  name: string,
  status: "published" | "draft" | "closed",
  actions: readonly object[] = [],
): Promise<FormRef> {
  const template = TEMPLATES[name];
  if (template === undefined) throw new Error(`no template ${name}`);
  const settings = { ...template.settings, actions };
  return api<FormRef>(url, "POST", "/forms", {
    title: template.title.en,
    status,
    schema: inLanguage(template.schema, "en"),
    messages: inLanguage(template.messages ?? {}, "en"),
    settings,
  });
}

/** Sends events: two of three visitors start the form, and some leave at a field. */
async function sendEvents(host: TestHost, form: FormRef, visitors: number, fields: readonly string[]): Promise<void> {
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const touched = visitor % 3 === 2 ? [] : fields.slice(0, 1 + (visitor % fields.length));
    const events = [
      { event_type: "view" },
      ...(touched.length > 0 ? [{ event_type: "start" }] : []),
      ...touched.map((field_name) => ({ event_type: "field_interaction", field_name })),
      ...(touched.length > 0 && visitor % 4 === 1 ? [{ event_type: "abandon", field_name: touched.at(-1) }] : []),
    ].map((event, place) => ({ ...event, event_id: `${form.id}-${host.clock.time}-${visitor}-${place}` }));
    host.clock.time += 61_000;
    await fetch(`${host.url}/forms/-/events`, {
      method: "POST",
      headers: { "user-agent": BROWSER },
      body: JSON.stringify({ form_id: form.id, events }),
    });
  }
}

async function send(
  host: TestHost,
  form: FormRef,
  answers: Readonly<Record<string, string | readonly string[] | File>>,
): Promise<void> {
  const [campaign, referrer] = SOURCES[((host.clock.time / 61_000) % SOURCES.length) | 0] ?? SOURCES[0];
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...answers,
    _cf_page: `${host.url}/forms/${form.slug}?${campaign}`,
    _cf_referrer: referrer,
  })) {
    for (const one of [value].flat()) body.append(name, one);
  }
  host.clock.time += 61_000;
  const response = await fetch(`${host.url}/forms/${form.slug}`, {
    method: "POST",
    headers: { accept: "application/json", "user-agent": BROWSER },
    body,
  });
  if (response.status !== 200) throw new Error(`${form.slug}: ${await response.text()}`);
}

type SceneForms = Pick<Scene, "contact" | "feedback" | "survey">;

async function makeForms(host: TestHost): Promise<SceneForms> {
  const contact = await makeFrom(host.url, "contact", "published", [
    { type: "email", to: "owner@example.com", subject: "[subject]" },
    { type: "webhook", action_name: "Tell the CRM", url: "https://127.0.0.1:9/contacts" },
  ]);
  await api(host.url, "PATCH", `/forms/${contact.id}`, { settings: { retention_days: 365 } });
  const fields = await api<readonly { readonly name: string }[]>(host.url, "GET", `/forms/${contact.id}/fields`);
  if (!fields.some(({ name }) => name === "attachment"))
    await api(host.url, "POST", `/forms/${contact.id}/fields`, {
      name: "attachment",
      type: "file",
      label: "Attachment",
      attributes: { multiple: "multiple" },
      position: 4,
    });
  const feedback = await makeFrom(host.url, "feedback", "published", [{ type: "email", to: "owner@example.com" }]);
  const survey = await makeFrom(host.url, "survey", "published");
  await makeFrom(host.url, "event-registration", "published");
  await makeFrom(host.url, "newsletter", "closed");
  await makeFrom(host.url, "donation", "draft");
  return { contact, feedback, survey };
}

/** Sends a day's submissions: more on some days of the week, and sometimes spam. */
async function liveThroughDay(host: TestHost, { contact, feedback, survey }: SceneForms, day: number): Promise<void> {
  const busy = 1 + ((day * 7) % 5) + (day % 7 > 4 ? 0 : 2);
  await sendEvents(host, contact, busy * 2, ["name", "email", "subject", "message"]);
  await sendEvents(host, feedback, busy, ["rating", "good", "better"]);
  for (let number = 0; number < Math.ceil(busy / 2); number += 1) {
    const person = PEOPLE[(day + number * 3) % PEOPLE.length] ?? PEOPLE[0];
    const email = `${person.toLowerCase().replaceAll(" ", ".")}@example.org`;
    await send(host, contact, {
      name: person,
      email,
      subject: number === 0 ? "A question" : "Your workshop",
      message: QUESTIONS[(day + number) % QUESTIONS.length] ?? "",
    });
    await send(host, feedback, {
      rating: String(1 + ((day * 3 + number) % 5)),
      good: "The food",
      better: day % 2 === 0 ? "The music was loud." : "",
      contact_me: "no",
    });
    await send(host, survey, {
      age: ["under25", "25to44", "25to44", "45to64", "65plus"][(day + number) % 5] ?? "",
      channels: number === 0 ? ["friends", "search"] : ["press"],
      satisfaction: String(2 + ((day + number) % 4)),
      recommend: String(3 + ((day * 5 + number) % 8)),
      opinion: "",
    });
  }
  if (day % 6 === 5)
    await send(host, contact, {
      name: "Best SEO",
      email: "seo@example.info",
      subject: "Rank first",
      message: "Cheap links for your site",
      [`_cf_h${contact.id}`]: "robot",
    });
}

/** Sends a submission with two files, or with one if the form accepts only one. */
async function sendFiles(host: TestHost, contact: Scene["contact"]): Promise<void> {
  const picture = new File(
    [readFileSync(new URL("../../docs/pictures/contact-faults.png", import.meta.url))],
    "badge.png",
    { type: "image/png" },
  );
  const cv = new File(["%PDF-1.4\n%%EOF\n"], "programme.pdf", { type: "application/pdf" });
  await send(host, contact, {
    name: "Ada Lovelace",
    email: "ada.lovelace@example.org",
    subject: "Two files",
    message: "Good morning,\n\nhere is the badge that arrived damaged, and the programme as you asked.\n\nAda",
    attachment: picture,
    "attachment[]": cv,
  }).catch(() =>
    send(host, contact, {
      name: "Ada Lovelace",
      email: "ada.lovelace@example.org",
      subject: "A file",
      message: "Good morning,\n\nhere is the badge that arrived damaged.\n\nAda",
      attachment: picture,
    }),
  );
}

/** Fills the site and sets its clock to the end of the month. */
export async function stage(host: TestHost, days = 30): Promise<Scene> {
  const end = host.clock.time;
  host.clock.time = end - days * DAY_MS;
  const forms = await makeForms(host);
  const { contact, feedback, survey } = forms;
  for (let day = 0; day < days; day += 1) {
    host.clock.time = end - (days - day) * DAY_MS + 9 * 3_600_000;
    await liveThroughDay(host, forms, day);
  }
  await sendFiles(host, contact);
  for (let run = 0; run < 8; run += 1) {
    await host.forms.runQueue();
    host.clock.time += 20 * 60_000;
  }
  const [newest] = await api<readonly { readonly id: number }[]>(
    host.url,
    "GET",
    `/forms/${contact.id}/submissions?per_page=1`,
  );
  const submission = newest?.id ?? 1;
  await api(host.url, "POST", `/submissions/${submission}/notes`, { text: "Sent her a new badge." });
  await api(host.url, "PATCH", `/submissions/${submission}`, { starred: true });
  return { contact, feedback, survey, submission, now: host.clock.time };
}
