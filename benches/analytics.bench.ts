/**
 * Compares analytics and lists on a full site with a site a thousand times smaller: 5 million events against 5 thousand, 1
 * million submissions against 1 thousand. By default the full site is smaller; `BENCH_EVENTS` and `BENCH_SUBMISSIONS` set
 * its size. Runs on SQLite, or with `BENCH_DATABASE=postgres` on a separate PostgreSQL.
 */

import { openDatabases } from "./databases.ts";
import { baseUrl, DAY_MS, DAYS, filledSite, type FilledSite } from "./filled-site.ts";
import { median, type Measurement, type Section } from "./section.ts";

const SMALL = { events: 5_000, submissions: 1_000 };
const LARGE = {
  events: Number(process.env["BENCH_EVENTS"] ?? 500_000),
  submissions: Number(process.env["BENCH_SUBMISSIONS"] ?? 50_000),
};
const ROUNDS = 41;
async function milliseconds({ forms, submissions }: FilledSite, path: string): Promise<number> {
  const request = new Request(`${baseUrl}/api/cf/v1${path.replace("{newest}", String(submissions - 1))}`);
  const started = performance.now();
  const response = await forms.fetch(request);
  if (response?.status !== 200) throw new Error(`${path}: ${response?.status} ${await response?.text()}`);
  await response.arrayBuffer();
  return performance.now() - started;
}

/** Measures both sites in turns, so that a busy moment affects both. */
async function measure(path: string, small: FilledSite, large: FilledSite, atMost: number): Promise<Measurement> {
  const samples = { small: [] as number[], large: [] as number[] };
  for (let n = 0; n < ROUNDS; n += 1) {
    samples.small.push(await milliseconds(small, path));
    samples.large.push(await milliseconds(large, path));
  }
  const [ofSmall, ofLarge] = [median(samples.small), median(samples.large)];
  const size = path.startsWith("/analytics")
    ? `${LARGE.events} against ${SMALL.events} events`
    : `${LARGE.submissions} against ${SMALL.submissions} submissions`;
  return {
    what: path.replace(/\d{4}-\d\d-\d\d/g, "…"),
    value: ofLarge / ofSmall,
    unit: "×",
    budget: { atMost },
    detail: `${ofLarge.toFixed(2)} ms against ${ofSmall.toFixed(2)} ms; ${size}`,
  };
}

/**
 * Searches for words that many, few or one submission contains, and for several words, addresses and prefixes. Only the
 * older half of the submissions contains `early`. `{newest}` is the number of the second newest submission.
 */
const SEARCHES = [
  "often",
  "often&orderby=date",
  "often&{month}",
  "often&status=spam",
  "often&form_id=1",
  "often&order=asc",
  "often&per_page=100",
  "seldom",
  "seldom&status=spam",
  "seldom&form_id=1",
  "early",
  "early&order=asc",
  "visitor77",
  "77",
  "visi",
  "o",
  "absent",
  "often example",
  "seldom early",
  "visitor77@example.org",
  "visitor7@example.org",
  "visitor{newest}@example.org",
  "visitor{newest}@example.org&orderby=date",
];

/** Frequent words that never occur together, so that a search for both costs more on a larger site. */
const NEVER_MEET = "even odd";

const analytics: Section = {
  name: "analytics",
  async run() {
    const databases = await openDatabases();
    const small = await filledSite(await databases.open("small"), SMALL);
    const large = await filledSite(await databases.open("large"), LARGE);
    try {
      const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const year = `date_from=${day(DAYS)}&date_to=${day(0)}`;
      const routes = [
        "funnel",
        `funnel?${year}`,
        `daily?${year}`,
        "field-dropoff",
        "attribution",
        "spam-trends?days=365",
        "recommendations",
      ];
      const measured = [await measure("/analytics/overview", small, large, 2)];
      for (const route of routes) measured.push(await measure(`/analytics/1/${route}`, small, large, 2));
      const month = `after=${day(30)}&before=${day(3)}`;
      for (const query of [
        "",
        "?status=read",
        "?orderby=id",
        "?status=read&orderby=id",
        "?form_id=1&status=spam&orderby=id&order=asc",
        `?status=read&orderby=id&${month}`,
        `?status=read&${month}`,
        "?form_id=1&status=spam",
        ...SEARCHES.map((search) => `?search=${search.replace("{month}", month)}`),
      ]) {
        measured.push(await measure(`/submissions${query}`, small, large, 3));
      }
      const ms: number[] = [];
      for (let n = 0; n < 5; n += 1) ms.push(await milliseconds(large, `/submissions?search=${NEVER_MEET}`));
      const detail = `${LARGE.submissions} submissions, of which half have each word`;
      measured.push({
        what: "search for two words that never meet",
        value: median(ms),
        unit: "ms",
        budget: { atMost: 3_000 },
        detail,
      });
      return measured;
    } finally {
      await small.close();
      await large.close();
      await databases.remove();
    }
  },
};

export default analytics;
