/** Bound of a date or a time: none, a date, today, or a number of days from today. */
import { type ReactNode, useState } from "react";
import { useLanguage, useText } from "../../../shared/text/text.tsx";
import { Select, TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { MomentProperty } from "./property.ts";
import { formatNumber, parseNumber, useInput } from "./use-input.ts";

const KINDS = ["none", "date", "today", "days"] as const;
type Kind = (typeof KINDS)[number];

/** Limit on the days from today. */
const MAX_DAYS = 36_500;

export function MomentControl(props: ControlProps<MomentProperty>): ReactNode {
  const { property, field, label, fault, onChange } = props;
  const t = useText();
  const value = property.read(field);
  const [chosen, setChosen] = useState<Kind | null>(null);
  const set = (next: string | number) => onChange(property.write(field, next));
  const type = property.control;
  if (type === "time")
    return <TextField label={label} type={type} fault={fault} value={String(value)} onChange={set} />;
  const kind = shownKind(value, chosen);
  const choose = (next: Kind) => {
    setChosen(next);
    if (next === "today") set(0);
    else if (next === "days") set(typeof value === "number" && value !== 0 ? value : 1);
    else if (next === "none" || typeof value === "number") set("");
  };
  return (
    <div className="stack close">
      <Select
        label={label}
        value={kind}
        choices={KINDS.map((one) => ({
          value: one,
          label: t(one === "date" && type !== "date" ? "build.aDateAndTime" : TEXTS[one]),
        }))}
        onChange={(next) => choose(next as Kind)}
      />
      {kind === "date" ? (
        <TextField
          label={t("build.dateOf", { name: label })}
          hideLabel
          type={type}
          fault={fault}
          value={String(value)}
          onChange={set}
        />
      ) : null}
      {kind === "days" && typeof value === "number" ? <DaysInput {...props} value={value} onSet={set} /> : null}
      {kind === "today" && fault !== undefined ? <p className="fault">{fault}</p> : null}
    </div>
  );
}

const TEXTS = {
  none: "build.none",
  date: "build.aDate",
  today: "build.today",
  days: "build.daysFromToday",
} as const satisfies Record<Kind, string>;

/** Returns the kind that the control shows for a value. `chosen` decides between kinds that have the same value. */
function shownKind(value: string | number, chosen: Kind | null): Kind {
  if (typeof value === "number") return value === 0 && chosen !== "days" ? "today" : "days";
  if (value !== "") return "date";
  return chosen === "date" ? "date" : "none";
}

interface DaysInputProps extends ControlProps<MomentProperty> {
  readonly value: number;
  readonly onSet: (days: number) => void;
}

function DaysInput({ id, label, value, fault, onSet }: DaysInputProps): ReactNode {
  const t = useText();
  const language = useLanguage();
  const input = useInput({
    id,
    value,
    format: (days) => formatNumber(days, language),
    parse(text) {
      const days = parseNumber(text);
      const isValid = typeof days === "number" && Number.isInteger(days) && Math.abs(days) <= MAX_DAYS;
      return isValid ? { value: days } : { fault: t("build.notDays") };
    },
    onChange: onSet,
  });
  return (
    <TextField
      label={t("build.daysOf", { name: label })}
      hideLabel
      help={t("build.daysHelp")}
      fault={input.fault ?? fault}
      value={input.text}
      onChange={input.change}
    />
  );
}
