/**
 * Measures the actions that the queue runs per second: two mails of each submission, to a mailer that responds at once, on
 * SQLite and on PostgreSQL with durable commits.
 */

import { createForms, type Forms } from "../host-shim/src/index.ts";
import { openDatabases, type DatabaseKind } from "./databases.ts";
import { variedAnswers, variedForm, NUMBER } from "./hosts/form.ts";
import { median, type Measurement, type Section } from "./section.ts";

const ROUNDS = 5;
const SUBMISSIONS = 1_000;
/** Number of submits that share a transaction, as on a busy site. */
const GROUP = 64;
const baseUrl = "http://bench.test";
const principal = { id: "1", login: "bench", capabilities: ["edit_forms"] };

async function submit(forms: Forms, number: number): Promise<void> {
  const body = variedAnswers[number % variedAnswers.length]?.replaceAll(NUMBER, String(number)) ?? "";
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
  const response = await forms.reply(
    new Request(`${baseUrl}/forms/${variedForm.slug}`, { method: "POST", headers, body }),
  );
  if (response?.status !== 200) throw new Error(`the response to a submit was ${response?.status}`);
}

/** Returns the actions per second of each round; the first round is the warm-up. */
async function actionsPerSecond(kind: DatabaseKind): Promise<number[]> {
  const databases = await openDatabases(kind);
  const database = await databases.open("queue");
  let sent = 0;
  const mailer = { send: async () => ({ message_id: String((sent += 1)), response: "250 OK" }) };
  const host = { database, mailer, authenticate: async () => ({ principal }) };
  const forms = await createForms({ host, baseUrl, automaticRuns: false });
  try {
    await forms.migrate();
    const made = await forms.fetch(
      new Request(`${baseUrl}/api/cf/v1/forms`, { method: "POST", body: JSON.stringify(variedForm) }),
    );
    if (made?.status !== 201) throw new Error(`the form could not be made: ${await made?.text()}`);
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let at = 0; at < SUBMISSIONS; at += GROUP) {
        const group = Array.from({ length: Math.min(GROUP, SUBMISSIONS - at) }, (_, n) => round * SUBMISSIONS + at + n);
        await Promise.all(group.map((number) => submit(forms, number)));
      }
      const before = sent;
      const began = performance.now();
      await forms.runQueue();
      rounds.push(((sent - before) * 1_000) / (performance.now() - began));
      if (sent - before !== 2 * SUBMISSIONS) throw new Error(`${sent - before} mails were sent`);
    }
    return rounds.slice(1);
  } finally {
    await forms.close();
    await database.close();
    await databases.remove();
  }
}

async function measured(kind: DatabaseKind, name: string, atLeast: number): Promise<Measurement> {
  const rounds = await actionsPerSecond(kind);
  return {
    what: `actions of the queue, ${name}`,
    value: median(rounds),
    unit: "/s",
    budget: { atLeast },
    detail: `median of ${rounds.map(Math.round).join(", ")}; ${2 * SUBMISSIONS} mails each, to a mailer that responds at once`,
  };
}

const queue: Section = {
  name: "queue",
  run: async () => [await measured("sqlite", "SQLite", 3_000), await measured("postgres", "PostgreSQL", 1_600)],
};

export default queue;
