/** Required settings that an action lacks. Such an action is off, even when its switch is on. */
import type { ActionSetting, ActionType, FormAction } from "../../client/index.ts";
import { useFormats } from "./text/format.ts";
import { useText, useTextOf } from "./text/text.tsx";

/** Returns the required settings that are empty and have no default, by the rule of the engine. */
export function missingSettings(action: FormAction, type: ActionType | undefined): readonly ActionSetting[] {
  return (type?.settings ?? []).filter(({ key, required, default: byDefault }) => {
    const value = action[key];
    const isEmpty = value === undefined || value === null || (typeof value === "string" && value.trim() === "");
    return required && byDefault === "" && isEmpty;
  });
}

/** Returns a hint about the missing settings, such as “Add a recipient to turn this on”; null when none is missing. */
export function useActionNeeds(): (action: FormAction, type: ActionType | undefined) => string | null {
  const t = useText();
  const textOf = useTextOf();
  const { names } = useFormats();
  return (action, type) => {
    const missing = missingSettings(action, type);
    if (missing.length === 0) return null;
    const what = missing.map(({ key, label }) =>
      textOf("needs", `${action.type}.${key}`, undefined, t("needs.setting", { label })),
    );
    return t("actions.needs", { what: names(what) });
  };
}
