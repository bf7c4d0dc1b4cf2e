/** Initially selected options: one, or several if visitors may choose several. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { type Choice, MultiSelect, Select } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { TextControlProperty } from "./property.ts";

/** Limit on the listed options. The others can be selected only in the form's HTML. */
const MAX_LISTED = 200;

export function ChosenOptionsControl({
  property,
  field,
  label,
  onChange,
}: ControlProps<TextControlProperty>): ReactNode {
  const t = useText();
  const chosen = property
    .read(field)
    .split("\n")
    .filter((value) => value !== "");
  const listed = field.options.slice(0, MAX_LISTED);
  const unlisted = chosen.filter((value) => !listed.some((option) => option.value === value));
  const labelOf = (value: string): string => field.options.find((option) => option.value === value)?.label || value;
  const choices: readonly Choice[] = [...listed.map(({ value }) => value), ...unlisted].map((value) => ({
    value,
    label: labelOf(value),
  }));
  const set = (value: string) => onChange(property.write(field, value), null);
  if (field.type === "checkbox" || "multiple" in field.attributes)
    return (
      <MultiSelect
        label={label}
        values={chosen}
        choices={choices}
        placeholder={t("build.none")}
        // Stores the values in the order of the options.
        onChange={(values) => set(choices.flatMap(({ value }) => (values.includes(value) ? [value] : [])).join("\n"))}
      />
    );
  return (
    <Select
      label={label}
      value={chosen[0] ?? ""}
      choices={[{ value: "", label: t("build.none") }, ...choices]}
      onChange={set}
    />
  );
}
