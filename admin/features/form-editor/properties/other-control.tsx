/** Switch that stores the label of another input: the free answer beside the options, or the repeated input. */
import type { ReactNode } from "react";
import { labelOf } from "../../../shared/field-label.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Switch, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { OtherProperty } from "./property.ts";

export function OtherControl({ property, field, label, help = "", onChange }: ControlProps<OtherProperty>): ReactNode {
  const t = useText();
  const other = property.read(field);
  const initial = t(property.initialText, { label: labelOf(field) });
  return (
    <>
      <Switch
        label={label}
        help={help}
        value={other !== null}
        onChange={(isOn) => onChange(property.write(field, isOn ? initial : null), null)}
      />
      {other === null ? null : (
        <TextField
          label={t(property.textLabel)}
          value={other}
          fault={other.trim() === "" ? t("build.textMissing") : undefined}
          onChange={(text) => onChange(property.write(field, text))}
        />
      )}
    </>
  );
}
