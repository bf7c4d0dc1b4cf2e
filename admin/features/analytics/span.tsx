/** The analytics' range of days, and the preceding range for the comparison. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { useQueryState } from "../../ui/address.ts";
import { Checkbox, Select, TextField } from "../../ui/fields.tsx";
import { isoDay } from "../../shared/text/format.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LENGTHS = ["7", "30", "90", "365"] as const;
/** The API's limit. */
const MAX_DAYS = 366;

export interface Span {
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  readonly days: readonly string[];
}

export interface SpanChoice {
  readonly span: Span;
  /** Preceding range of the same length; null without a comparison. */
  readonly before: Span | null;
}

export function useSpan(): SpanChoice {
  const [query] = useQueryState();
  const today = Date.now();
  const length = Number(query.get("days") ?? 30);
  const from = Date.parse(query.get("from") ?? "");
  const to = Date.parse(query.get("to") ?? "");
  const end = Number.isNaN(to) ? today : to;
  const start = Number.isNaN(from)
    ? end - (Math.min(MAX_DAYS, Math.max(1, length)) - 1) * DAY_MS
    : Math.max(Math.min(from, end), end - (MAX_DAYS - 1) * DAY_MS);
  const span = spanOf(start, end);
  const before = query.get("compare") === "1" ? spanOf(start - span.days.length * DAY_MS, start - DAY_MS) : null;
  return { span, before };
}

function spanOf(start: number, end: number): Span {
  const days: string[] = [];
  for (let time = start; isoDay(time) <= isoDay(end) && days.length < MAX_DAYS; time += DAY_MS) days.push(isoDay(time));
  return { from: isoDay(start), to: isoDay(end), days };
}

/** Whether the viewer's days are UTC days at both ends of the range; London's are in winter only. */
export const hasUtcDays = ({ from, to }: Span): boolean =>
  [from, to].every((day) => new Date(day).getTimezoneOffset() === 0);

export function SpanBar(): ReactNode {
  const t = useText();
  const [query, change] = useQueryState();
  const { span } = useSpan();
  const isCustomRange = query.has("from") || query.has("to");
  return (
    <div className="row span-bar">
      <Select
        label={t("span.label")}
        hideLabel
        value={isCustomRange ? "own" : (query.get("days") ?? "30")}
        choices={[
          ...LENGTHS.map((days) => ({ value: days, label: t("span.days", { days }) })),
          { value: "own", label: t("span.own") },
        ]}
        onChange={(value) =>
          change(value === "own" ? { from: span.from, to: span.to, days: null } : { days: value, from: null, to: null })
        }
      />
      {isCustomRange ? (
        <>
          <TextField
            hideLabel
            type="date"
            label={t("common.from")}
            value={query.get("from") ?? ""}
            onChange={(from) => change({ from })}
          />
          <TextField
            hideLabel
            type="date"
            label={t("common.to")}
            value={query.get("to") ?? ""}
            onChange={(to) => change({ to })}
          />
        </>
      ) : null}
      <Checkbox
        label={t("span.compare")}
        value={query.get("compare") === "1"}
        onChange={(isOn) => change({ compare: isOn ? "1" : null })}
      />
      {hasUtcDays(span) ? null : <span className="help">{t("span.utc")}</span>}
    </div>
  );
}
