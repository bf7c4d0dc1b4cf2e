/** All English texts by id. */
import { advice } from "./advice.ts";
import { build } from "./build.ts";
import { delivery } from "./delivery.ts";
import { form } from "./form.ts";
import { forms } from "./forms.ts";
import { inbox } from "./inbox.ts";
import { properties } from "./properties.ts";
import { publish } from "./publish.ts";
import { shell } from "./shell.ts";
import { site } from "./site.ts";
import { triage } from "./triage.ts";
import { work } from "./work.ts";
import { screens } from "../screens.ts";
import { settings } from "../settings.ts";
import { textsIn } from "../texts-in.ts";

export const texts = {
  ...advice,
  ...build,
  ...delivery,
  ...form,
  ...forms,
  ...inbox,
  ...properties,
  ...publish,
  ...shell,
  ...site,
  ...triage,
  ...work,
  ...textsIn(screens, "en"),
  ...textsIn(settings, "en"),
};
