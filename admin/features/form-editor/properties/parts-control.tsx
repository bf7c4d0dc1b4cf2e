/** Labels of the parts of a name or an address. A part without a label has the default one. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { PartsProperty } from "./property.ts";

export function PartsControl({ property, field, label, help, onChange }: ControlProps<PartsProperty>): ReactNode {
  const t = useText();
  const options = property.read(field);
  const labelOf = (part: string): string => options.find(({ value }) => value === part)?.label ?? "";
  const change = (part: string, text: string) => {
    const labels = new Map(property.parts.map(({ value }) => [value, value === part ? text : labelOf(value)]));
    const unknown = options.filter(({ value }) => !labels.has(value));
    const labelled = [...labels].flatMap(([value, shown]) => (shown === "" ? [] : [{ value, label: shown }]));
    onChange(property.write(field, [...labelled, ...unknown]), `part ${part}`);
  };
  return (
    <fieldset className="parts">
      <legend className="label">{label}</legend>
      {property.parts.map(({ value, label: part }) => (
        <TextField
          key={value}
          label={t("build.partLabel", { part: t(part) })}
          hideLabel
          placeholder={t(part)}
          value={labelOf(value)}
          onChange={(text) => change(value, text)}
        />
      ))}
      {help === undefined ? null : <p className="help">{help}</p>}
    </fieldset>
  );
}
