/** Analytics of a form: recommendations, days, funnel, fields, sources, spam and answers. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ApiError, useClient } from "../../shared/api/client.ts";
import type { DailyStats } from "../../../client/index.ts";
import type { Days as DaysOfApi } from "../../shared/api/keys.ts";
import {
  answerSumsQuery,
  attributionQuery,
  dailyQuery,
  dropoffQuery,
  funnelQuery,
  recommendationsQuery,
  spamTrendsQuery,
} from "../../shared/api/analytics-resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useLanguage, useText, useTextOf } from "../../shared/text/text.tsx";
import { BarChart, LineChart } from "../../ui/charts.tsx";
import { Figure, type Series } from "../../ui/figure.tsx";
import { Badge, Card } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { AnswerSums } from "./answer-sums.tsx";
import { completionRate, share } from "./shares.ts";
import { hasUtcDays, type Span, SpanBar, useSpan } from "./span.tsx";

const daysOf = ({ from, to }: Span): DaysOfApi => ({ date_from: from, date_to: to });

export default function AnalyticsTab({ formId }: { readonly formId: number }): ReactNode {
  const { span, before } = useSpan();
  return (
    <div className="stack">
      <SpanBar />
      <Advice formId={formId} />
      <Card>
        <Days formId={formId} span={span} before={before} />
      </Card>
      <div className="columns wide even">
        <Card>
          <FunnelFigure formId={formId} span={span} before={before} />
        </Card>
        <Card>
          <Dropoff formId={formId} span={span} />
        </Card>
        <Card>
          <Sources formId={formId} span={span} />
        </Card>
        <Card>
          <Spam formId={formId} span={span} />
        </Card>
      </div>
      <Answers formId={formId} />
    </div>
  );
}

/** Summed answers; hidden if the engine is too old to have their route. */
function Answers({ formId }: { readonly formId: number }): ReactNode {
  const t = useText();
  const query = useQuery(answerSumsQuery(useClient(), formId));
  if (query.error instanceof ApiError && query.error.code === "rest_no_route") return null;
  return (
    <>
      <h2>{t("numbers.answers")}</h2>
      <Loaded query={query}>{(sums) => <AnswerSums sums={sums} />}</Loaded>
    </>
  );
}

const TONES = { critical: "bad", warning: "wait", info: "info" } as const;

function Advice({ formId }: { readonly formId: number }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const formats = useFormats();
  const { data = [] } = useQuery(recommendationsQuery(useClient(), formId));
  if (data.length === 0) return null;
  return (
    <Card title={t("numbers.advice")}>
      <ul className="stack close">
        {data.map(({ code, severity, title, message, field, value }) => (
          <li key={code + (field ?? "")} className="advice">
            <Badge tone={TONES[severity]}>{t(`severity.${severity}`)}</Badge>
            <div>
              <strong>{textOf("advice", code, {}, title)}</strong>
              <p>{textOf("advice", `${code}.text`, { value: formats.number(value), field: field ?? "" }, message)}</p>
              {field === undefined ? null : (
                <Link href={`/forms/${formId}/build?${new URLSearchParams({ field })}`}>
                  {t("numbers.toField", { field })}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface SpanProps {
  readonly formId: number;
  readonly span: Span;
  readonly before?: Span | null;
}

function FunnelFigure({ formId, span, before = null }: SpanProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const now = useQuery(funnelQuery(client, formId, daysOf(span)));
  const earlier = useQuery(funnelQuery(client, formId, daysOf(before ?? span)));
  return (
    <Loaded query={now}>
      {(funnel) => {
        const labels = [t("numbers.views"), t("numbers.starts"), t("numbers.submissions")];
        const values = [funnel.views, funnel.starts, funnel.submissions];
        const old = before === null ? undefined : earlier.data;
        const series: Series[] = [
          { label: t("numbers.count"), values, tone: 1 },
          ...(old === undefined
            ? []
            : [{ label: t("span.before"), values: [old.views, old.starts, old.submissions], tone: 3 as const }]),
        ];
        // Visits of embedded forms, or visits whose view event was lost, have starts but no view.
        const startRate = funnel.starts > funnel.views ? "" : formats.percent(funnel.start_rate);
        const notes = ["", startRate, completionRate(funnel, formats)];
        return (
          <Figure title={t("numbers.funnel")} labelHeading={t("numbers.step")} labels={labels} series={series}>
            <BarChart
              title={t("numbers.funnel")}
              bars={labels.map((label, index) => {
                const before = series[1]?.values[index];
                return {
                  label,
                  value: values[index] ?? 0,
                  text: [formats.number(values[index] ?? 0), notes[index]].filter((text) => text !== "").join(" · "),
                  ...(before === undefined ? {} : { before }),
                };
              })}
            />
            <p className="muted">
              {funnel.starts === 0 ? `${t("numbers.noStarts")}. ` : null}
              {t("numbers.abandoned", { count: funnel.abandonments, rate: formats.percent(funnel.abandonment_rate) })}
              {old === undefined
                ? null
                : ` ${t("numbers.compared", { before: old.submissions, now: funnel.submissions })}`}
            </p>
          </Figure>
        );
      }}
    </Loaded>
  );
}

function valuesOf(stats: DailyStats | undefined, span: Span, type: string): readonly number[] {
  const counts = new Map(
    (stats ?? []).filter(({ event_type }) => event_type === type).map(({ date, count }) => [date, count]),
  );
  return span.days.map((day) => counts.get(day) ?? 0);
}

/** The viewer's local time at which the last counted (UTC) day begins; null if the viewer's days are UTC days. */
function utcMidnight(language: string, span: Span): string | null {
  if (hasUtcDays(span)) return null;
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(span.to));
}

function Days({ formId, span, before = null }: SpanProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const dayStart = utcMidnight(useLanguage(), span);
  const now = useQuery(dailyQuery(client, formId, daysOf(span)));
  const earlier = useQuery(dailyQuery(client, formId, daysOf(before ?? span)));
  return (
    <Loaded query={now}>
      {(stats) => {
        const labels = span.days.map(formats.dayOfYear);
        const series: Series[] = [
          { label: t("numbers.submissions"), values: valuesOf(stats, span, "submit"), tone: 1 },
          { label: t("numbers.views"), values: valuesOf(stats, span, "view"), tone: 2 },
          ...(before === null
            ? []
            : [
                {
                  label: t("span.before"),
                  values: valuesOf(earlier.data, before, "submit"),
                  tone: 3 as const,
                  dashed: true,
                },
              ]),
        ];
        return (
          <Figure title={t("numbers.days")} labelHeading={t("common.date")} labels={labels} series={series}>
            <LineChart title={t("numbers.days")} labels={labels} series={series} />
            {dayStart === null ? null : <p className="muted">{t("numbers.dayStart", { time: dayStart })}</p>}
          </Figure>
        );
      }}
    </Loaded>
  );
}

function Dropoff({ formId, span }: SpanProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  return (
    <Loaded query={useQuery(dropoffQuery(useClient(), formId, daysOf(span)))}>
      {(fields) => {
        const labels = fields.map(({ label, field_name }) => label || field_name);
        const series: Series[] = [
          { label: t("numbers.interactions"), values: fields.map(({ interactions }) => interactions), tone: 1 },
          { label: t("numbers.dropOffs"), values: fields.map(({ drop_offs }) => drop_offs), tone: 4 },
        ];
        return (
          <Figure
            title={t("numbers.dropoff")}
            labelHeading={t("conditions.field")}
            labels={labels}
            series={series}
            hidesLegend
          >
            {fields.every(({ interactions }) => interactions === 0) ? (
              <p className="muted">{t("numbers.nothing")}</p>
            ) : (
              <BarChart
                title={t("numbers.dropoff")}
                tone={4}
                max={100}
                bars={fields.map(({ drop_offs, drop_off_rate }, index) => ({
                  label: labels[index] ?? "",
                  value: drop_off_rate,
                  text: t("numbers.dropped", { count: drop_offs, rate: formats.percent(drop_off_rate) }),
                }))}
              />
            )}
          </Figure>
        );
      }}
    </Loaded>
  );
}

function Sources({ formId, span }: SpanProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const name = (text: string) => (text === "direct" ? t("numbers.direct") : text);
  const funnel = useQuery(funnelQuery(useClient(), formId, daysOf(span)));
  return (
    <Loaded query={useQuery(attributionQuery(useClient(), formId, daysOf(span)))}>
      {({ referrers, utm_sources }) => {
        const campaigns = utm_sources.filter(({ utm_source }) => utm_source !== "direct");
        const all = [
          ...referrers.map(({ referrer_domain, count }) => ({ label: name(referrer_domain), count })),
          ...campaigns.map(({ utm_source, utm_medium, utm_campaign, count }) => ({
            label: [utm_source, utm_medium, utm_campaign].filter((part) => part !== "").join(" / "),
            count,
          })),
        ];
        const labels = all.map(({ label }) => label);
        const values = all.map(({ count }) => count);
        const listed = referrers.reduce((sum, { count }) => sum + count, 0);
        const total = Math.max(listed, funnel.data?.submissions ?? 0);
        return (
          <Figure
            title={t("numbers.sources")}
            labelHeading={t("numbers.source")}
            labels={labels}
            series={[{ label: t("numbers.submissions"), values, tone: 1 }]}
          >
            {all.length === 0 ? (
              <p className="muted">{t("numbers.nothing")}</p>
            ) : (
              <BarChart
                title={t("numbers.sources")}
                max={total}
                bars={all.map(({ label, count }) => ({ label, value: count, text: share(count, total, formats) }))}
              />
            )}
          </Figure>
        );
      }}
    </Loaded>
  );
}

function Spam({ formId, span }: SpanProps): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const formats = useFormats();
  return (
    <Loaded query={useQuery(spamTrendsQuery(useClient(), formId, daysOf(span)))}>
      {(spam) => {
        const labels = spam.by_reason.map(({ reason }) => textOf("reason", reason));
        const values = spam.by_reason.map(({ count }) => count);
        return (
          <Figure
            title={t("numbers.spam")}
            labelHeading={t("numbers.reason")}
            labels={labels}
            series={[{ label: t("numbers.count"), values, tone: 1 }]}
          >
            <p>
              {t("numbers.spamSum", { count: spam.total_spam, rate: formats.percent(spam.spam_rate), days: spam.days })}
            </p>
            {values.length === 0 ? null : (
              <BarChart
                title={t("numbers.spam")}
                tone={4}
                max={spam.total_spam}
                bars={spam.by_reason.map(({ reason, count }) => ({
                  label: textOf("reason", reason),
                  value: count,
                  text: share(count, spam.total_spam, formats),
                }))}
              />
            )}
          </Figure>
        );
      }}
    </Loaded>
  );
}
