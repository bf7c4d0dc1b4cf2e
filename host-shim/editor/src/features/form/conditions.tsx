/** When an action runs: sentences about answers, all of which must hold. Nested ones are shown as code. */
import type { ReactNode } from "react";
import type { Condition, Field } from "../../api/types.ts";
import { useText, useTextOf } from "../../text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select, TextField } from "../../ui/fields.tsx";

const OPERATORS = [
  "equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "is_empty", "is_not_empty",
  "greater_than", "less_than", "greater_or_equal", "less_or_equal", "before", "after", "checked", "not_checked",
] as const;
const WITHOUT_VALUE = new Set<string>(["is_empty", "is_not_empty", "checked", "not_checked"]);

export interface ConditionsProps {
  readonly conditions: readonly Condition[];
  readonly fields: readonly Field[];
  readonly onChange: (conditions: readonly Condition[]) => void;
  /** What they decide, and what holds without any. */
  readonly title?: string;
  readonly always?: string;
}

export function Conditions({ conditions, fields, onChange, title, always }: ConditionsProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const set = (index: number, condition: Condition) => onChange(conditions.map((own, at) => (at === index ? condition : own)));
  const first = fields[0];
  return (
    <fieldset className="conditions">
      <legend>{title ?? t("conditions.title")}</legend>
      {conditions.length === 0 ? <p className="help">{always ?? t("conditions.always")}</p> : null}
      {conditions.map((condition, index) => (
        <div key={index} className="condition">
          {"field" in condition ? <>
            <Select label={t("conditions.field")} value={condition.field} choices={fields.map(({ name, label }) => ({ value: name, label: label || name }))} onChange={(field) => set(index, { ...condition, field })} />
            <Select label={t("conditions.operator")} value={condition.operator} choices={OPERATORS.map((value) => ({ value, label: textOf("operator", value) }))} onChange={(operator) => set(index, { ...condition, operator: operator as typeof condition.operator })} />
            {WITHOUT_VALUE.has(condition.operator) ? null : <TextField label={t("conditions.value")} value={String(condition.value ?? "")} onChange={(value) => set(index, { ...condition, value })} />}
          </> : <code>{JSON.stringify(condition)}</code>}
          <IconButton icon="trash" label={t("conditions.remove")} onPress={() => onChange(conditions.filter((_, at) => at !== index))} />
        </div>
      ))}
      {first === undefined ? null : <Button look="quiet" icon="plus" onPress={() => onChange([...conditions, { field: first.name, operator: "equals", value: "" }])}>{t("conditions.add")}</Button>}
    </fieldset>
  );
}
