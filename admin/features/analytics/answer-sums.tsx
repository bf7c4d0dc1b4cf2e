/** Summed answers: bars for choices, a histogram for numbers. */
import type { ReactNode } from "react";
import type { AnswerSum } from "../../../client/index.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { BarChart, ColumnChart } from "../../ui/charts.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Card } from "../../ui/page.tsx";
import { share } from "./shares.ts";

export function AnswerSums({ sums }: { readonly sums: readonly AnswerSum[] }): ReactNode {
  const t = useText();
  if (sums.length === 0) return <p className="muted">{t("numbers.noChoices")}</p>;
  return (
    <div className="columns wide">
      {sums.map((sum) => (
        <Card key={sum.name}>{sum.bars === undefined ? <Choices sum={sum} /> : <Numbers sum={sum} />}</Card>
      ))}
    </div>
  );
}

function Choices({ sum }: { readonly sum: AnswerSum }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const title = sum.label || sum.name;
  const textOf = useTextOf();
  // The values of a consent or a single checkbox are true and false.
  const rows = [
    ...(sum.options ?? []).map(({ value, label, count, first, place }) => ({
      label: label === "" || label === value ? textOf("answer", value) : label,
      count,
      ...(place === undefined || place === null
        ? {}
        : { text: t("numbers.ranked", { first: first ?? 0, place: formats.number(Math.round(place * 10) / 10) }) }),
    })),
    ...((sum.other ?? 0) > 0 ? [{ label: t("numbers.other"), count: sum.other ?? 0 }] : []),
  ] as readonly { readonly label: string; readonly count: number; readonly text?: string }[];
  // Shares are of the people who answered, so with multiple choices they may add up to more than 100 %.
  const total = sum.count;
  const labels = rows.map(({ label }) => label);
  const values = rows.map(({ count }) => count);
  return (
    <Figure
      title={title}
      labelHeading={t("numbers.answer")}
      labels={labels}
      series={[{ label: t("numbers.count"), values, tone: 1 }]}
    >
      {sum.nps === undefined || sum.nps === null ? null : (
        <p className="muted">{t("numbers.nps", { nps: formats.number(sum.nps) })}</p>
      )}
      {sum.mean === undefined || sum.mean === null ? null : (
        <p className="muted">
          {t("numbers.mean", { count: total, mean: formats.number(Math.round(sum.mean * 100) / 100) })}
        </p>
      )}
      <BarChart
        title={title}
        max={total}
        bars={rows.map(({ label, count, text = share(count, total, formats) }) => ({ label, value: count, text }))}
      />
    </Figure>
  );
}

function Numbers({ sum }: { readonly sum: AnswerSum }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const title = sum.label || sum.name;
  const bars = sum.bars ?? [];
  // A bar for a single integer is labelled with that number, not with a range.
  const areWhole = Number.isInteger(sum.sum ?? 0.5) && bars.every(({ from, to }) => to - from <= 1);
  const labels = bars.map(({ from, to }) =>
    from === to || areWhole ? formats.number(from) : `${formats.number(from)}–${formats.number(to)}`,
  );
  const values = bars.map(({ count }) => count);
  return (
    <Figure
      title={title}
      labelHeading={t("numbers.answer")}
      labels={labels}
      series={[{ label: t("numbers.count"), values, tone: 1 }]}
    >
      <p className="muted">
        {t("numbers.mean", { count: sum.count, mean: formats.number(Math.round((sum.mean ?? 0) * 100) / 100) })}
      </p>
      {bars.length === 0 ? null : <ColumnChart title={title} labels={labels} values={values} />}
    </Figure>
  );
}
