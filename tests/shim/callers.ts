import type { Principal } from "../../host-shim/src/ports.ts";

/** The callers of tests, by their value of the header `x-test-caller`. */
export const CALLERS: Readonly<Record<string, Principal>> = {
  administrator: { id: "1", login: "admin", capabilities: ["edit_forms", "unfiltered_html"] },
  "editor-without-html": { id: "2", login: "editor", capabilities: ["edit_forms"] },
  reader: { id: "4", login: "reader", capabilities: ["edit_forms"], access: "submissions_read" },
  subscriber: { id: "3", login: "subscriber", capabilities: ["read"] },
};
