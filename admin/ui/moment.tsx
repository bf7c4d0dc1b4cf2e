/** Control of a date with a time, in the user's time zone. */
import type { ReactNode } from "react";
import { TextField } from "./fields.tsx";

export interface MomentProps {
  readonly label: string;
  readonly help?: string;
  /** ISO time; empty for none. */
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (value: string) => void;
}

export function Moment({ value, onChange, ...shown }: MomentProps): ReactNode {
  return (
    <TextField
      type="datetime-local"
      {...shown}
      value={toLocal(value)}
      onChange={(local) => onChange(local === "" ? "" : new Date(local).toISOString())}
    />
  );
}

/** Converts an ISO time to the value of a `datetime-local` input. */
function toLocal(iso: string): string {
  const date = new Date(iso);
  if (iso === "" || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
