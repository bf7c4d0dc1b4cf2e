/** Color that a field starts with; empty for none. */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { TextControlProperty } from "./property.ts";
import { useInput } from "./use-input.ts";

const COLOR = /^#[0-9a-f]{6}$/i;

export function ColorControl({ property, field, id, label, onChange }: ControlProps<TextControlProperty>): ReactNode {
  const t = useText();
  const color = property.read(field);
  const input = useInput({
    id,
    value: color,
    format: (value) => value,
    parse: (text) => (text === "" || COLOR.test(text) ? { value: text } : { fault: t("build.notAColor") }),
    onChange: (value) => onChange(property.write(field, value)),
  });
  return (
    <div className="build-value">
      <TextField
        label={label}
        code
        placeholder={t("build.none")}
        value={input.text}
        fault={input.fault}
        onChange={input.change}
      />
      <input
        type="color"
        aria-label={t("build.pick", { name: label })}
        value={COLOR.test(color) ? color : "#000000"}
        onChange={({ target }) => input.change(target.value)}
      />
    </div>
  );
}
