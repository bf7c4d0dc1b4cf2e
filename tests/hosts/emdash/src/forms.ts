/** The site's module, with an action that writes its input into a file. */
import { appendFileSync } from "node:fs";
import type { EmDashSite } from "cf-forms/hosts/emdash";
import { noteAction } from "./note-action.ts";

const noted = { push: (text: string) => appendFileSync("notes.txt", `${text}\n`) };
const site: EmDashSite = {
  setUp(forms) {
    if (process.env["WITH_PLUGINS"] !== "none") forms.registerAction(noteAction(noted));
  },
};

export default site;
