/** Setting that lists fields: chosen by their labels, stored as names separated by commas. */
import type { ReactNode } from "react";
import { labelOf, labelOfName } from "../../shared/field-label.ts";
import { useText } from "../../shared/text/text.tsx";
import { MultiSelect } from "../../ui/fields.tsx";
import type { SettingControlProps } from "./setting-control.tsx";

/** Types of fields whose answers are one line of text, so that they may be an email address. */
const LINES: ReadonlySet<string> = new Set(["text", "hidden"]);

export function FieldListSetting({ setting: { key }, draft, fields }: SettingControlProps): ReactNode {
  const t = useText();
  const id = `settings.${key === "email_fields" ? key : "required_fields"}` as const;
  const chosen = String(draft.form.settings[key] ?? "")
    .split(/[\s,]+/)
    .filter((name) => name !== "");
  const offered = fields.filter(({ type, required }) => (key === "email_fields" ? LINES.has(type) : !required));
  const choices = offered.map((field) => ({ value: field.name, label: labelOf(field) }));
  const others = chosen.filter((name) => !offered.some((field) => field.name === name));
  return (
    <MultiSelect
      label={t(id)}
      help={t(`${id}.help`)}
      placeholder={t("build.none")}
      values={chosen}
      choices={[...choices, ...others.map((name) => ({ value: name, label: labelOfName(fields, name) }))]}
      onChange={(names) => draft.setSetting(key, names.join(", "))}
    />
  );
}
