/** Screen of the actions' runs: queue, log, failures, and the outbox of a host without SMTP. */
import { lazy, type ReactNode, Suspense } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { logStatsQuery, queueStatsQuery } from "../../shared/api/resources.ts";
import { useOptions } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { MailNotice } from "../../ui/mail-notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loading } from "../../ui/states.tsx";

const QueueTab = lazy(() => import("./queue-tab.tsx"));
const LogTab = lazy(() => import("./log-tab.tsx"));
const FailuresTab = lazy(() => import("./failures-tab.tsx"));
const OutboxTab = lazy(() => import("./outbox-tab.tsx"));

export default function DeliveriesPage({ tab }: { readonly tab: string }): ReactNode {
  const t = useText();
  const { host } = useOptions();
  const tabs = ["queue", "log", "failures", ...(host?.mail === undefined ? [] : ["outbox"])] as const;
  return (
    <Page
      title={t("nav.deliveries")}
      tabs={tabs.map((name) => ({
        to: name === "queue" ? "/deliveries" : `/deliveries/${name}`,
        label: t(`deliveries.${name as "queue"}`),
      }))}
    >
      <MailNotice />
      <Totals />
      <Suspense fallback={<Loading />}>
        {tab === "queue" ? (
          <QueueTab />
        ) : tab === "log" ? (
          <LogTab />
        ) : tab === "failures" ? (
          <FailuresTab />
        ) : tab === "outbox" && host?.mail !== undefined ? (
          <OutboxTab address={host.mail} />
        ) : (
          <Empty icon="search" title={t("nav.notFound")} />
        )}
      </Suspense>
    </Page>
  );
}

function Totals(): ReactNode {
  const t = useText();
  const client = useClient();
  const formats = useFormats();
  const queue = useQuery({ ...queueStatsQuery(client), refetchInterval: 10_000 });
  const logs = useQuery(logStatsQuery(client));
  const { data } = queue;
  const tiles =
    data === undefined
      ? []
      : ([
          [t("queue.pending"), formats.number(data.pending + data.retrying)],
          [t("queue.failed"), formats.number(data.failed)],
          [t("queue.completed"), formats.number(data.completed)],
          [t("deliveries.rate"), logs.data === undefined ? "…" : formats.percent(logs.data.success_rate)],
          [t("deliveries.today"), logs.data === undefined ? "…" : formats.number(logs.data.last_24h.total)],
        ] as const);
  return (
    <dl className="tiles">
      {tiles.map(([label, value]) => (
        <div key={label} className="tile">
          <dt>{label}</dt>
          <dd className="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
