/** Sparkline of the last month's submissions. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { dailyQuery } from "../../shared/api/analytics-resources.ts";
import { isoDay } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const STEP = 4;
const WIDTH = DAYS * STEP - 1;
const HEIGHT = 28;

export function Sparkline({ formId }: { readonly formId: number }): ReactNode {
  const t = useText();
  const client = useClient();
  const today = Date.now();
  const from = isoDay(today - (DAYS - 1) * DAY_MS);
  const to = isoDay(today);
  const { data } = useQuery({ ...dailyQuery(client, formId, { date_from: from, date_to: to }), staleTime: 60_000 });
  const counts = new Map(
    (data ?? []).filter(({ event_type }) => event_type === "submit").map(({ date, count }) => [date, count]),
  );
  const days = Array.from({ length: DAYS }, (_, day) => isoDay(today - (DAYS - 1 - day) * DAY_MS));
  const values = days.map((day) => counts.get(day) ?? 0);
  const maxValue = Math.max(1, ...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={t("forms.spark", { sum, days: DAYS })}
    >
      {data === undefined
        ? null
        : days.map((day, index) => {
            const value = values[index] ?? 0;
            const height = value === 0 ? 1 : Math.max(3, (value / maxValue) * HEIGHT);
            return (
              <rect
                key={day}
                data-empty={value === 0 || undefined}
                x={index * STEP}
                y={HEIGHT - height}
                width={STEP - 1}
                height={height}
              />
            );
          })}
    </svg>
  );
}
