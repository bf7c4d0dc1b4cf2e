/** Switch for a free answer beside the options, with its label. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { Switch, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { OtherProperty } from "./property.ts";

export function OtherControl({ property, field, label, help = "", onChange }: ControlProps<OtherProperty>): ReactNode {
  const t = useText();
  const other = property.read(field);
  return (
    <>
      <Switch
        label={label}
        help={help}
        value={other !== null}
        onChange={(isOn) => onChange(property.write(field, isOn ? t("build.otherText") : null), null)}
      />
      {other === null ? null : (
        <TextField
          label={t("build.otherLabel")}
          value={other}
          fault={other.trim() === "" ? t("build.textMissing") : undefined}
          onChange={(text) => onChange(property.write(field, text))}
        />
      )}
    </>
  );
}
