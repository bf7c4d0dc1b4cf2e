/** A submit (validated, two actions queued, counters), as a share of a hand-written host's requests per second. */

import { compareHosts } from "./hosts.ts";
import { answers } from "./hosts/form.ts";
import type { Load } from "./load.ts";
import type { Section } from "./section.ts";

const load: Load = {
  method: "POST",
  path: "/forms/bench",
  headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
  body: answers,
  connections: 64,
  seconds: 2,
};

const submit: Section = {
  name: "submit",
  run: async () => [
    await compareHosts({
      what: "submit, of a hand-written host's requests/s",
      loads: { engine: load, handWritten: load, bare: load },
      atLeast: 50,
    }),
  ],
};

export default submit;
