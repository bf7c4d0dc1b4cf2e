/** Log of all runs: status, message and duration. */
import type { ReactNode } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { logsQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { ApiMessage } from "../../ui/api-message.tsx";
import { EntryState } from "../../ui/delivery-state.tsx";
import { Pagination, usePageParameters } from "../../ui/paged.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { RunDetails } from "./run-details.tsx";
import { useRunName } from "../../shared/action-name.ts";
import { useRunFilters } from "./run-filters.tsx";

const RUN_STATUSES = ["success", "failed", "skipped"] as const;

const STATUS_NAMES = { success: "delivery.done", failed: "delivery.failed", skipped: "delivery.skipped" } as const;

export default function LogTab(): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { status, formId, titles, controls } = useRunFilters(RUN_STATUSES, (value) => t(STATUS_NAMES[value]));
  const list = useQuery({
    ...logsQuery(useClient(), { status, form_id: formId, ...usePageParameters() }),
    placeholderData: keepPreviousData,
  });
  const nameOf = useRunName((list.data?.items ?? []).map(({ form_id: id }) => id));
  return (
    <div className="stack">
      {controls}
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty icon="flow" title={t("deliveries.emptyLog")} />
          ) : (
            <>
              <ul className="entries">
                {items.map((log) => (
                  <li key={log.id} className="entry">
                    <EntryState facts={log} />
                    <div className="entry-text">
                      <strong>{nameOf(log)}</strong>
                      <span className="muted">
                        <Link href={`/inbox?form=${log.form_id}&open=${log.submission_id}`}>#{log.submission_id}</Link>
                        {titles.has(log.form_id) ? ` · ${titles.get(log.form_id)}` : ""} ·{" "}
                        {formats.dateTime(log.created_at)} · {t("log.attempt", { attempt: log.attempt })} ·{" "}
                        {log.duration_ms} ms
                      </span>
                      <span className="answer">
                        <ApiMessage>{log.message}</ApiMessage>
                      </span>
                    </div>
                    <RunDetails id={log.id} name={nameOf(log)} message={log.message} output={log.output} />
                  </li>
                ))}
              </ul>
              <Pagination total={total} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}
