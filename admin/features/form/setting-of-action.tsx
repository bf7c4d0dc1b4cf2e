/** Control of one setting of an action. */
import type { ReactNode } from "react";
import type { ActionSetting } from "../../../client/index.ts";
import { Checkbox, Select, TextField } from "../../ui/fields.tsx";

export function SettingControl({
  setting,
  value,
  onChange,
}: {
  readonly setting: ActionSetting;
  readonly value: unknown;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  const common = { label: setting.label, help: setting.help === "" ? undefined : setting.help };
  switch (setting.input) {
    case "checkbox":
      return (
        <Checkbox
          label={setting.label}
          value={value === undefined || value === null ? setting.default === "1" : text === "1" || value === true}
          onChange={(isOn) => onChange(isOn ? "1" : "")}
        />
      );
    case "select":
      return (
        <Select
          {...common}
          value={text === "" ? setting.default : text}
          choices={setting.options}
          onChange={onChange}
        />
      );
    case "textarea":
      return (
        <TextField
          {...common}
          value={text}
          rows={5}
          placeholder={setting.default}
          required={setting.required}
          onChange={onChange}
        />
      );
    default:
      return (
        <TextField
          {...common}
          value={text}
          type={setting.input === "password" ? "password" : "text"}
          placeholder={setting.default}
          required={setting.required}
          onChange={onChange}
        />
      );
  }
}
