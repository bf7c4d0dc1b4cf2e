/** Bound of a date or a time: none, or a date. */
import { type ReactNode, useState } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { Select, TextField } from "../../../ui/fields.tsx";
import type { MomentProperty } from "./property.ts";

export interface MomentControlProps {
  readonly label: string;
  readonly fault: string | undefined;
  readonly type: MomentProperty["control"];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function MomentControl({ label, fault, type, value, onChange }: MomentControlProps): ReactNode {
  const t = useText();
  const [isDated, setIsDated] = useState(false);
  if (type === "time") return <TextField label={label} type={type} fault={fault} value={value} onChange={onChange} />;
  const isShown = isDated || value !== "";
  return (
    <div className="stack close">
      <Select
        label={label}
        value={isShown ? "date" : "none"}
        choices={[
          { value: "none", label: t("build.none") },
          { value: "date", label: t(type === "date" ? "build.aDate" : "build.aDateAndTime") },
        ]}
        onChange={(kind) => {
          setIsDated(kind === "date");
          if (kind === "none" && value !== "") onChange("");
        }}
      />
      {isShown ? (
        <TextField
          label={t("build.dateOf", { name: label })}
          hideLabel
          type={type}
          fault={fault}
          value={value}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}
