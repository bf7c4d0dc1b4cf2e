/**
 * Compares submits (validation, two queued actions, counters) per second with a hand-written host. One measurement has
 * answers that all differ, as visitors' answers do; the other has equal answers, which are faster for indexes and
 * caches.
 */

import { compareHosts } from "./hosts.ts";
import { answers, benchForm, variedAnswers, variedForm } from "./hosts/form.ts";
import type { Load } from "./load.ts";
import type { Section } from "./section.ts";

const load = (slug: string, bodies: readonly string[]): Load => ({
  method: "POST",
  path: `/forms/${slug}`,
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
  bodies,
  connections: 64,
  seconds: 2,
});

const compared = (what: string, load: Load, atLeast: number) =>
  compareHosts({ what, loads: { engine: load, handWritten: load, bare: load }, atLeast });

const submit: Section = {
  name: "submit",
  run: async () => [
    await compared(
      "submit, six answers that all differ, of a hand-written host's requests/s",
      load(variedForm.slug, variedAnswers),
      30,
    ),
    await compared("submit, equal answers, of a hand-written host's requests/s", load(benchForm.slug, [answers]), 50),
  ],
};

export default submit;
