/** Settings that plugins add to a field; each is stored as an attribute of the field. */
import type { ReactNode } from "react";
import { isMissing, panelsOf, usePanels } from "../../shared/editor-panels.ts";
import { useText } from "../../shared/text/text.tsx";
import { Select, Switch, TextField } from "../../ui/fields.tsx";
import type { Field } from "../../shared/draft/content.ts";
import { keyed } from "../../shared/keyed.ts";

export interface PluginPanelsProps {
  readonly field: Field;
  readonly onChange: (attributes: Readonly<Record<string, string>>) => void;
}

export function PluginPanels({ field, onChange }: PluginPanelsProps): ReactNode {
  const t = useText();
  const panels = usePanels();
  const set = (attribute: string, value: string) => {
    const { [attribute]: _, ...rest } = field.attributes;
    onChange(value === "" ? rest : { ...rest, [attribute]: value });
  };
  return keyed(panelsOf(panels, field), ({ title }) => title).map(([key, { title, inputs }]) => (
    <fieldset key={key} className="conditions">
      <legend>{title}</legend>
      {inputs.map((described) => {
        const { attribute, label, input, options, help, required } = described;
        const value = field.attributes[attribute] ?? "";
        const change = (next: string) => set(attribute, next);
        const more = help === "" ? {} : { help };
        const fault = isMissing(described, field) ? t("build.valueMissing") : undefined;
        if (input === "checkbox")
          return (
            <Switch
              key={attribute}
              label={label}
              value={value !== ""}
              onChange={(on) => change(on ? "1" : "")}
              {...more}
            />
          );
        if (input === "select")
          return (
            <Select
              key={attribute}
              label={label}
              required={required}
              fault={fault}
              value={value}
              choices={
                options.some((option) => option.value === value)
                  ? options
                  : [{ value, label: value || "–" }, ...options]
              }
              onChange={change}
              {...more}
            />
          );
        return (
          <TextField
            key={attribute}
            label={label}
            required={required}
            fault={fault}
            value={value}
            onChange={change}
            {...(input === "textarea" ? { rows: 3 } : {})}
            {...more}
          />
        );
      })}
    </fieldset>
  ));
}
