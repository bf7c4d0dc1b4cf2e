/** The place in the admin that edits each setting of a form. */
import { SETTINGS, type SettingFacts, type SettingKey } from "../../../client/settings.ts";

/** Settings that are edited in the tabs Actions and Share, or in the form's panel of the tab Build. */
export const EDITED_ELSEWHERE: ReadonlySet<SettingKey> = new Set([
  "actions",
  "allowed_origins",
  "theme",
  "theme_values",
  "logo",
  "cover",
]);

/** The settings of the tab Settings, in its order. */
export const EDITED_IN_SETTINGS: readonly SettingFacts[] = SETTINGS.filter(({ key }) => !EDITED_ELSEWHERE.has(key));
