/** Tab with the newest failed runs and their messages. Buttons retry one of them, or the queue's failed entries. */
import { type ReactNode, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ActionFailure } from "../../../client/index.ts";
import { ApiError, type Client, useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useHasRoute } from "../../shared/api/queries.ts";
import { failuresQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { useNotices } from "../../shared/notices.ts";
import { EntryState } from "../../ui/delivery-state.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { RunDetails } from "./run-details.tsx";
import { CANCEL_ROUTE, useRunName } from "../../shared/action-name.ts";
import { ApiMessage } from "../../ui/api-message.tsx";

export default function FailuresTab(): ReactNode {
  const t = useText();
  const client = useClient();
  const notices = useNotices();
  const failures = useQuery(failuresQuery(client));
  const nameOf = useRunName((failures.data ?? []).map(({ form_id: id }) => id));
  const retry = useChange(
    (client, { id, current }: { readonly id: number; readonly current: boolean }) =>
      client.retryQueueEntry({ id, settings: current ? "current" : undefined }),
    {
      stale: [keys.failures, keys.queue],
      then: () => notices.show(t("queue.retried")),
    },
  );
  return (
    <div className="stack">
      <RetryAll />
      <Loaded query={failures}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="check" title={t("deliveries.noFailures")}>
              <p>{t("deliveries.noFailuresText")}</p>
            </Empty>
          ) : (
            <ul className="entries">
              {list.map((failure) => (
                <FailureEntry
                  key={failure.id}
                  failure={failure}
                  name={nameOf(failure)}
                  isRetrying={retry.isPending}
                  onRetry={(isCurrent) => retry.mutate({ id: failure.queue_id, current: isCurrent })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

/** A failed run, with the buttons that retry it. */
function FailureEntry({
  failure,
  name,
  isRetrying,
  onRetry,
}: {
  readonly failure: ActionFailure;
  readonly name: string;
  readonly isRetrying: boolean;
  /** Retries with the settings of the run, or with the form's current ones. */
  readonly onRetry: (isCurrent: boolean) => void;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  const canRetryWithCurrent = useHasRoute(CANCEL_ROUTE);
  return (
    <li className="entry">
      <EntryState
        facts={{
          action_type: failure.action_type,
          status: failure.queue_status ?? "failed",
          scheduled_at: failure.queue_due_at,
        }}
      />
      <div className="entry-text">
        <strong>
          {name}
          {failure.form_title === null ? "" : ` · ${failure.form_title}`}
        </strong>
        <span className="muted">
          <Link href={`/inbox?form=${failure.form_id}&open=${failure.submission_id}`}>#{failure.submission_id}</Link> ·{" "}
          {formats.dateTime(failure.created_at)} · {t("log.attempt", { attempt: failure.attempt })}
        </span>
        <span className="fault answer">
          <ApiMessage>{failure.message}</ApiMessage>
        </span>
      </div>
      <div className="row">
        {failure.queue_status === "failed" ? (
          <Button isPending={isRetrying} onPress={() => onRetry(false)}>
            {t("queue.retry")}
          </Button>
        ) : null}
        {failure.queue_status === "failed" && canRetryWithCurrent ? (
          <Button isPending={isRetrying} onPress={() => onRetry(true)}>
            {t("queue.retryCurrent")}
          </Button>
        ) : null}
        <RunDetails id={failure.id} name={name} message={failure.message} output={failure.output} />
      </div>
    </li>
  );
}

/** Button that retries every failed entry, one by one, with progress and cancel. */
function RetryAll(): ReactNode {
  const t = useText();
  const client = useClient();
  const queries = useQueryClient();
  const notices = useNotices();
  const stopped = useRef(false);
  const [done, setDone] = useState<number | null>(null);
  const run = async () => {
    stopped.current = false;
    setDone(0);
    try {
      const count = await retryFailed(client, { isStopped: () => stopped.current, onProgress: setDone });
      notices.show(t("deliveries.retriedAll", { count }));
    } catch (error) {
      notices.showError(error);
    } finally {
      setDone(null);
      for (const queryKey of [keys.failures, keys.queue]) void queries.invalidateQueries({ queryKey });
    }
  };
  return (
    <div className="row" role="status">
      {done === null ? (
        <Button icon="retry" onPress={() => void run()}>
          {t("deliveries.retryAll")}
        </Button>
      ) : (
        <>
          <span>{t("deliveries.retrying", { count: done })}</span>
          <Button
            onPress={() => {
              stopped.current = true;
            }}
          >
            {t("common.cancel")}
          </Button>
        </>
      )}
    </div>
  );
}

/**
 * Retries failed entries that are not dismissed, one by one; skips those that the server rejects. Returns the number of
 * retries.
 */
async function retryFailed(
  client: Client,
  { isStopped, onProgress }: { readonly isStopped: () => boolean; readonly onProgress: (count: number) => void },
): Promise<number> {
  let count = 0;
  let skipped = 0;
  while (!isStopped()) {
    const entries = await client.listQueueEntries({
      status: "failed",
      dismissed: false,
      per_page: 100,
      order: "asc",
      offset: skipped,
    });
    if (entries.length === 0) break;
    for (const { id } of entries) {
      if (isStopped()) break;
      try {
        await client.retryQueueEntry({ id });
        count += 1;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        skipped += 1;
      }
      onProgress(count);
    }
  }
  return count;
}
