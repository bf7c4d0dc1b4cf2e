/** Analytics overview of all forms. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import type { AnalyticsOverview } from "../../../client/index.ts";
import { overviewQuery } from "../../shared/api/analytics-resources.ts";
import { countsQuery, formsQuery, type ListedForm } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { type TextId, useText } from "../../shared/text/text.tsx";
import { BarChart } from "../../ui/charts.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { Empty, Loaded, Loading } from "../../ui/states.tsx";
import { completionRate, share } from "./shares.ts";

export default function OverviewPage(): ReactNode {
  const t = useText();
  const client = useClient();
  const query = useQuery(overviewQuery(client));
  const counts = useQuery(countsQuery(client));
  const listed = useQuery(formsQuery(client));
  return (
    <Page title={t("nav.analytics")}>
      <Loaded query={query}>
        {(overview) =>
          counts.isPending || listed.isPending ? (
            <Loading />
          ) : (
            <Overview overview={withStoredCounts(overview, counts.data?.all, listed.data ?? [])} />
          )
        }
      </Loaded>
    </Page>
  );
}

/**
 * Replaces the counts of arrived submissions by the counts that the Forms and Inbox pages show: stored submissions
 * without spam and trash.
 */
function withStoredCounts(
  { totals, forms }: AnalyticsOverview,
  all: number | undefined,
  listed: readonly Pick<ListedForm, "id" | "submission_count">[],
): AnalyticsOverview {
  const stored = new Map(listed.map(({ id, submission_count }) => [id, submission_count]));
  return {
    totals: { ...totals, submissions: all ?? totals.submissions },
    forms: forms.map((form) => ({ ...form, submissions: stored.get(form.form_id) ?? form.submissions })),
  };
}

function Overview({ overview: { totals, forms } }: { readonly overview: AnalyticsOverview }): ReactNode {
  const t = useText();
  const formats = useFormats();
  if (forms.length === 0)
    return (
      <Empty icon="chart" title={t("overview.empty")}>
        <p>{t("overview.emptyText")}</p>
      </Empty>
    );
  const shown = forms
    .filter(({ submissions }) => submissions > 0)
    .toSorted((one, other) => other.submissions - one.submissions)
    .slice(0, 10);
  const labels = shown.map(({ title }) => title);
  const values = shown.map(({ submissions }) => submissions);
  return (
    <div className="stack">
      <p className="muted">{t("numbers.allTime")}</p>
      <Totals totals={totals} />
      {totals.starts === 0 ? <p className="muted">{t("numbers.noStarts")}</p> : null}
      <Card>
        <Figure
          title={t("overview.most")}
          labelHeading={t("common.form")}
          labels={labels}
          series={[{ label: t("numbers.submissions"), values, tone: 1 }]}
        >
          <BarChart
            title={t("overview.most")}
            max={totals.submissions}
            bars={shown.map(({ title, submissions }) => ({
              label: title,
              value: submissions,
              text: share(submissions, totals.submissions, formats),
            }))}
          />
        </Figure>
      </Card>
      <Card title={t("overview.forms")}>
        <FormsTable forms={forms} />
      </Card>
    </div>
  );
}

function Totals({ totals }: Pick<AnalyticsOverview, "totals">): ReactNode {
  const t = useText();
  const formats = useFormats();
  const tiles: readonly (readonly [TextId, string])[] = [
    ["numbers.views", formats.number(totals.views)],
    ["numbers.starts", formats.number(totals.starts)],
    ["numbers.submissions", formats.number(totals.submissions)],
    ["numbers.completion", completionRate(totals, formats)],
    ["numbers.spam", formats.number(totals.spam)],
  ];
  return (
    <dl className="tiles">
      {tiles.map(([id, value]) => (
        <div key={id} className="tile">
          <dt>{t(id)}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The numbers of each form, with a link to its analytics. */
function FormsTable({ forms }: Pick<AnalyticsOverview, "forms">): ReactNode {
  const t = useText();
  const formats = useFormats();
  return (
    <Scrollable label={t("overview.forms")}>
      <table className="table">
        <thead>
          <tr>
            {(
              [
                "common.form",
                "numbers.views",
                "numbers.starts",
                "numbers.submissions",
                "numbers.completion",
                "numbers.spam",
                "overview.last",
              ] as const
            ).map((id) => (
              <th
                key={id}
                scope="col"
                className={id === "common.form" || id === "overview.last" ? undefined : "number"}
              >
                {t(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {forms.map((form) => (
            <tr key={form.form_id}>
              <th scope="row">
                <Link href={`/forms/${form.form_id}/analytics`}>{form.title}</Link>
              </th>
              <td className="number">{formats.number(form.views)}</td>
              <td className="number">{formats.number(form.starts)}</td>
              <td className="number">{formats.number(form.submissions)}</td>
              <td className="number">{completionRate(form, formats)}</td>
              <td className="number">{formats.number(form.spam)}</td>
              <td className="muted">{form.last_submission_at === null ? "–" : formats.day(form.last_submission_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
