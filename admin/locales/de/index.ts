/** Alle deutschen Texte nach ihrer Kennung. */
import { actions } from "./actions.ts";
import { advice } from "./advice.ts";
import { build } from "./build.ts";
import { faults } from "./faults.ts";
import { form } from "./form.ts";
import { forms } from "./forms.ts";
import { inbox } from "./inbox.ts";
import { shell } from "./shell.ts";
import { site } from "./site.ts";
import { work } from "./work.ts";

export const texts = {
  ...actions,
  ...advice,
  ...build,
  ...faults,
  ...form,
  ...forms,
  ...inbox,
  ...shell,
  ...site,
  ...work,
};
