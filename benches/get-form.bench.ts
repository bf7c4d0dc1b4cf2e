/** GET one form with a password, as a share of a hand-written host's requests per second. */

import { compareHosts } from "./hosts.ts";
import { authorization } from "./hosts/form.ts";
import type { Load } from "./load.ts";
import type { Section } from "./section.ts";

const load = (path: string): Load => ({
  method: "GET",
  path,
  headers: { authorization },
  bodies: [""],
  connections: 16,
  seconds: 2,
});

const getForm: Section = {
  name: "get-form",
  run: async () => [
    await compareHosts({
      what: "GET one form, of a hand-written host's requests/s",
      loads: { engine: load("/api/cf/v1/forms/1"), handWritten: load("/api/forms/1"), bare: load("/") },
      atLeast: 100,
    }),
  ],
};

export default getForm;
