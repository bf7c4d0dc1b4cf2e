/**
 * Compares the cost of a submit on a site with many submissions and on a site with 1,000: CPU of the engine and the
 * database, without a server. `BENCH_SUBMISSIONS=1000000` sets the size of the large site.
 */

import { openDatabases } from "./databases.ts";
import { baseUrl, filledSite, type FilledSite } from "./filled-site.ts";
import type { Section } from "./section.ts";

const SMALL = 1_000;
const LARGE = Number(process.env["BENCH_SUBMISSIONS"] ?? 50_000);
const ROUNDS = 7;
/** Number of groups of submits in a round. A group shares a transaction, as on a busy site. */
const GROUPS = 20;
const GROUP = 64;

async function submit({ forms }: FilledSite, number: number): Promise<void> {
  const body = new URLSearchParams({
    email: `visitor${number}@example.org`,
    topic: "often even",
    message: `This is message ${number}.`,
  });
  const request = new Request(`${baseUrl}/forms/bench`, {
    method: "POST",
    headers: { accept: "application/json" },
    body,
  });
  const response = await forms.reply(request);
  if (response?.status !== 200) throw new Error(`the response to a submit was ${response?.status}`);
}

let number = 2_000_000;

/** Returns the microseconds of all threads for a submit. */
async function round(site: FilledSite): Promise<number> {
  const before = process.cpuUsage();
  for (let group = 0; group < GROUPS; group += 1) {
    await Promise.all(Array.from({ length: GROUP }, () => submit(site, (number += 1))));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (GROUPS * GROUP);
}

const submitLarge: Section = {
  name: "submit-large",
  async run() {
    const databases = await openDatabases();
    const small = await filledSite(await databases.open("small"), { events: 5_000, submissions: SMALL });
    const large = await filledSite(await databases.open("large"), { events: 5_000, submissions: LARGE });
    try {
      const rounds = { small: [] as number[], large: [] as number[] };
      for (let n = 0; n <= ROUNDS; n += 1) {
        const [ofSmall, ofLarge] = [await round(small), await round(large)];
        // The first round is the warm-up.
        if (n === 0) continue;
        rounds.small.push(ofSmall);
        rounds.large.push(ofLarge);
      }
      const [ofSmall, ofLarge] = [Math.min(...rounds.small), Math.min(...rounds.large)];
      const detail = `${Math.round(ofLarge)} µs against ${Math.round(ofSmall)} µs; ${LARGE} against ${SMALL} submissions, best of ${ROUNDS}`;
      return [{ what: "submit to a full site", value: ofLarge / ofSmall, unit: "×", budget: { atMost: 1.25 }, detail }];
    } finally {
      await small.close();
      await large.close();
      await databases.remove();
    }
  },
};

export default submitLarge;
