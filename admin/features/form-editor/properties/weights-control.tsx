/**
 * A number for each option: its value in calculations (`data-weights`), on forms that calculate something, or its seats
 * (`data-seats`).
 */
import type { ReactNode } from "react";
import { useText } from "../../../shared/text/text.tsx";
import { TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { TextControlProperty } from "./property.ts";
import { numbersOf, tableOf } from "./weights.ts";

export function WeightsControl(props: ControlProps<TextControlProperty>): ReactNode {
  const { property, field, editor, label, help, onChange } = props;
  const t = useText();
  const table = property.read(field);
  const calculates = editor.content.schema.fields.some(({ attributes }) => "data-calc" in attributes);
  const isOfSeats = property.attribute === "data-seats";
  if ((!isOfSeats && !calculates && table === "") || field.options.length === 0) return null;
  const numbers = numbersOf(table);
  const change = (value: string, text: string): void =>
    onChange(property.write(field, tableOf(new Map([...numbers, [value, text]]))), `weight ${value}`);
  return (
    <fieldset className="parts">
      <legend className="label">{label}</legend>
      {field.options.map((option) => (
        <TextField
          key={option.value}
          label={t(isOfSeats ? "build.seatsOf" : "build.weightOf", { option: option.label })}
          value={numbers.get(option.value) ?? ""}
          onChange={(text) => change(option.value, text)}
        />
      ))}
      {help === undefined ? null : <p className="help">{help}</p>}
    </fieldset>
  );
}
