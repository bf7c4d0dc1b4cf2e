/** List of queue entries: status, settings, and buttons to retry or cancel an entry. */
import { type ReactNode, useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { QueueEntry } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useHasRoute } from "../../shared/api/queries.ts";
import { queueQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Dialog } from "../../ui/overlays.tsx";
import { ApiMessage, OriginalMessage } from "../../ui/api-message.tsx";
import { EntryState, useDeliveryState } from "../../ui/delivery-state.tsx";
import { Pagination, usePageParameters } from "../../ui/paged.tsx";
import { Output } from "../../ui/scrollable.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE, useActionName } from "../../shared/action-name.ts";
import { useRunFilters } from "./run-filters.tsx";

const QUEUE_STATUSES = ["pending", "processing", "retrying", "failed", "completed", "cancelled"] as const;

export default function QueueTab(): ReactNode {
  const t = useText();
  const { status, formId, titles, controls } = useRunFilters(QUEUE_STATUSES, (value) => t(`queue.${value}`));
  const list = useQuery({
    ...queueQuery(useClient(), { status, form_id: formId, ...usePageParameters() }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  return (
    <div className="stack">
      {controls}
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty icon="flow" title={t("deliveries.emptyQueue")}>
              <p>{t("deliveries.emptyQueueText")}</p>
            </Empty>
          ) : (
            <>
              <ul className="entries">
                {items.map((entry) => (
                  <Entry key={entry.id} entry={entry} title={titles.get(entry.form_id) ?? ""} />
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

function Entry({ entry, title }: { readonly entry: QueueEntry; readonly title: string }): ReactNode {
  const t = useText();
  const nameOf = useActionName();
  const notices = useNotices();
  const [isOpen, setIsOpen] = useState(false);
  const stale = [keys.queue, keys.failures, keys.logStats];
  const retry = useChange(
    (client, current: boolean) => client.retryQueueEntry({ id: entry.id, settings: current ? "current" : undefined }),
    { stale, then: () => notices.show(t("queue.retried")) },
  );
  const cancel = useChange((client) => client.cancelQueueEntry({ id: entry.id }), { stale });
  const canCancel = useHasRoute(CANCEL_ROUTE);
  const name = nameOf(entry.action_type, entry.action_name);
  return (
    <li className="entry">
      <EntryState facts={entry} />
      <EntryText entry={entry} name={name} title={title} />
      <div className="row">
        {entry.status === "failed" ? (
          <>
            <Button isPending={retry.isPending} onPress={() => retry.mutate(false)}>
              {t("queue.retry")}
            </Button>
            {canCancel ? (
              <Button isPending={retry.isPending} onPress={() => retry.mutate(true)}>
                {t("queue.retryCurrent")}
              </Button>
            ) : null}
          </>
        ) : null}
        {!canCancel ? null : entry.status === "pending" || entry.status === "retrying" ? (
          <Button isPending={cancel.isPending} onPress={() => cancel.mutate(undefined)}>
            {t("queue.cancel")}
          </Button>
        ) : null}
        <Button look="quiet" onPress={() => setIsOpen(true)} aria-label={t("queue.detailsOf", { id: entry.id })}>
          {t("queue.details")}
        </Button>
      </div>
      <Dialog wide title={`${name} #${entry.id}`} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <OriginalMessage>{entry.last_error}</OriginalMessage>
        <p className="help">{t("queue.settings")}</p>
        <Output label={t("queue.settings")}>{JSON.stringify(entry.settings, null, 2)}</Output>
      </Dialog>
    </li>
  );
}

/** Texts of an entry: action, submission, form, time, number of attempts, last error, and message of the last run. */
function EntryText({
  entry,
  name,
  title,
}: {
  readonly entry: QueueEntry;
  readonly name: string;
  readonly title: string;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  const { reason } = useDeliveryState()(entry);
  return (
    <div className="entry-text">
      <strong>{name}</strong>
      <span className="muted">
        {entry.submission_id === null ? null : (
          <Link href={`/inbox?form=${entry.form_id}&open=${entry.submission_id}`}>#{entry.submission_id}</Link>
        )}
        {title === "" ? "" : ` · ${title}`} · {formats.dateTime(entry.created_at)} ·{" "}
        {t("queue.attempts", { count: entry.attempts })}
      </span>
      {entry.last_error === "" ? null : (
        <span className="fault">
          <ApiMessage>{entry.last_error}</ApiMessage>
        </span>
      )}
      {reason === "" ? null : (
        <span className="answer">
          <ApiMessage>{reason}</ApiMessage>
        </span>
      )}
    </div>
  );
}
