/** Control for the kinds of answers that a text accepts, with a pattern and its message for a custom kind. */
import { type ReactNode, useState } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { Select, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import { type PatternProperty, withAttribute } from "./property.ts";

const ANYTHING = "anything";
const CUSTOM = "custom";

/** Whether browsers can compile the pattern. */
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "v") instanceof RegExp;
  } catch {
    return false;
  }
}

export function PatternControl({ property, field, label, fault, onChange }: ControlProps<PatternProperty>): ReactNode {
  const t = useText();
  const pattern = property.read(field);
  const [isCustom, setIsCustom] = useState(false);
  const known = property.kinds.find((kind) => kind.pattern === pattern);
  const isCustomShown = property.kinds.length === 0 || isCustom || (pattern !== "" && known === undefined);
  const { title = "" } = field.attributes;
  return (
    <>
      {property.kinds.length === 0 ? null : (
        <Select
          label={label}
          value={isCustomShown ? CUSTOM : (known?.label ?? ANYTHING)}
          choices={[
            { value: ANYTHING, label: t(field.type === "tel" ? "build.accepts.anyNumber" : "build.accepts.anything") },
            ...property.kinds.map((kind) => ({ value: kind.label, label: t(kind.label) })),
            { value: CUSTOM, label: t("build.accepts.custom") },
          ]}
          onChange={(value) => {
            setIsCustom(value === CUSTOM);
            const kind = property.kinds.find((one) => one.label === value);
            if (value !== CUSTOM) onChange(property.write(field, kind?.pattern ?? ""));
          }}
        />
      )}
      {isCustomShown ? (
        <>
          <TextField
            label={t("build.pattern")}
            code
            value={pattern}
            fault={pattern === "" || isPattern(pattern) ? fault : t("build.patternFault")}
            onChange={(text) => {
              setIsCustom(true);
              onChange(property.write(field, text));
            }}
          />
          {pattern === "" ? null : (
            <TextField
              label={t("build.patternMessage")}
              value={title}
              onChange={(text) => onChange(withAttribute(field, "title", text === "" ? null : text), "title")}
            />
          )}
        </>
      ) : null}
    </>
  );
}
