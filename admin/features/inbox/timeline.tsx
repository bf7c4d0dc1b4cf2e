/** Timeline of a submission: receipt, edits, status changes, notes and runs of actions. */
import { type ReactNode, useState } from "react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useHasRoute } from "../../shared/api/queries.ts";
import { queueOfQuery, timelineQuery, type WaitingEntry } from "../../shared/api/resources.ts";
import type { QueueEntry, Submission, TimelineEntry } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { useDeliveryState } from "../../ui/delivery-state.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE, useActionName } from "../../shared/action-name.ts";
import { RunAgain } from "./run-again.tsx";
import { keyed } from "../../shared/keyed.ts";
import { Run, TimelineText } from "./timeline-text.tsx";

const ICONS: Readonly<Record<TimelineEntry["kind"], IconName>> = {
  received: "inbox",
  edited: "edit",
  status: "check",
  note: "note",
  action: "flow",
};

/** Unsaved notes by submission, kept while the user looks at other submissions. */
const noteDrafts = new Map<number, string>();

/**
 * Reads the timeline and the queue of a submission. Actions run in the background, so both are polled: more often after
 * the user started some.
 */
function usePolledTimeline(submissionId: number) {
  const client = useClient();
  const canChange = useCanChange();
  const [busyUntil, setBusyUntil] = useState(0);
  const refetchInterval = () => (Date.now() < busyUntil ? 1_500 : 10_000);
  return {
    timeline: useQuery({ ...timelineQuery(client, submissionId), refetchInterval }),
    // The timeline holds finished runs. Waiting entries, and the state after a failure, come from the queue.
    queue: useQuery({ ...queueOfQuery(client, submissionId), enabled: canChange, refetchInterval }),
    pollFaster: () => setBusyUntil(Date.now() + 10_000),
  };
}

export function Timeline({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const canChange = useCanChange();
  const [isRunningAgain, setIsRunningAgain] = useState(false);
  const { timeline, queue, pollFaster } = usePolledTimeline(submission.id);
  const canResend = useHasRoute("/submissions/{id}/actions");
  return (
    <>
      <section className="panel">
        <div className="panel-head">
          <h3>{t("detail.timeline")}</h3>
          {canChange && canResend ? (
            <Button look="quiet" isDisabled={submission.is_spam} onPress={() => setIsRunningAgain(true)}>
              {t("detail.resend")}
            </Button>
          ) : null}
        </div>
        <Entries submissionId={submission.id} timeline={timeline} queue={queue.data} onChanged={pollFaster} />
      </section>
      {canChange ? <NoteForm submissionId={submission.id} /> : null}
      {isRunningAgain ? (
        <RunAgain submission={submission} onClose={() => setIsRunningAgain(false)} onStarted={pollFaster} />
      ) : null}
    </>
  );
}

/** The entries of the timeline, then the actions that wait. */
function Entries({
  submissionId,
  timeline,
  queue = [],
  onChanged,
}: {
  readonly submissionId: number;
  readonly timeline: UseQueryResult<readonly TimelineEntry[]>;
  readonly queue: readonly WaitingEntry[] | undefined;
  readonly onChanged: () => void;
}): ReactNode {
  const client = useClient();
  const canChange = useCanChange();
  const changeEntry = useChange(
    (client, { id, verb }: { readonly id: number; readonly verb: "retry" | "cancel" }) =>
      verb === "retry" ? client.retryQueueEntry({ id }) : client.cancelQueueEntry({ id }),
    { stale: [timelineQuery(client, submissionId).queryKey, keys.queue], then: onChanged },
  );
  const waiting = queue.filter(({ status }) => status === "pending" || status === "retrying");
  return (
    <Loaded query={timeline}>
      {(entries) => (
        <ol className="timeline">
          {keyed(entries, ({ at, kind }) => `${at} ${kind}`).map(([key, item], index) => (
            <li key={key} className={`timeline-entry ${item.kind}`}>
              <Icon name={ICONS[item.kind] ?? "next"} />
              <div>
                <TimelineText entry={item} />
                {item.user !== null && item.user !== "" ? <span className="muted">{item.user}</span> : null}
                {canChange && isLastRun(entries, index) ? (
                  <RetryButton
                    entry={item}
                    state={queue.find(({ id }) => id === item.queue_id)?.status}
                    onRetry={(id) => changeEntry.mutate({ id, verb: "retry" })}
                  />
                ) : null}
              </div>
              <Time at={item.at} />
            </li>
          ))}
          {waiting.map((entry) => (
            <WaitingRun
              key={`waiting-${entry.id}`}
              entry={entry}
              isCanceling={changeEntry.isPending}
              onCancel={() => changeEntry.mutate({ id: entry.id, verb: "cancel" })}
            />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** An action that waits for its run, and the button that cancels it. */
function WaitingRun({
  entry,
  isCanceling,
  onCancel,
}: {
  readonly entry: WaitingEntry;
  readonly isCanceling: boolean;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useText();
  const stateOf = useDeliveryState();
  const canCancel = useHasRoute(CANCEL_ROUTE);
  const typeName = useActionName();
  return (
    <li className="timeline-entry action">
      <Icon name="flow" />
      <div>
        <Run name={typeName(entry.action_type, entry.action_name)} state={stateOf(entry)} />
        {canCancel ? (
          <span className="row">
            <Button look="quiet" isPending={isCanceling} onPress={onCancel}>
              {t("queue.cancel")}
            </Button>
          </span>
        ) : null}
      </div>
    </li>
  );
}

/** Form that adds a note to the submission. */
function NoteForm({ submissionId }: { readonly submissionId: number }): ReactNode {
  const t = useText();
  const client = useClient();
  const [note, setStoredNote] = useState(noteDrafts.get(submissionId) ?? "");
  const setNote = (text: string) => {
    if (text === "") noteDrafts.delete(submissionId);
    else noteDrafts.set(submissionId, text);
    setStoredNote(text);
  };
  const add = useChange((client, text: string) => client.addNote({ id: submissionId, body: { text } }), {
    stale: [timelineQuery(client, submissionId).queryKey],
    then: () => setNote(""),
  });
  return (
    <form
      className="panel note-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== "") add.mutate(note.trim());
      }}
    >
      <TextField
        label={t("detail.note")}
        value={note}
        onChange={setNote}
        rows={2}
        placeholder={t("triage.notePlaceholder")}
      />
      <div className="row end">
        <Button type="submit" isDisabled={note.trim() === ""} isPending={add.isPending}>
          {t("detail.addNote")}
        </Button>
      </div>
    </form>
  );
}

/** Whether no later run of the same queue entry follows. */
function isLastRun(entries: readonly TimelineEntry[], index: number): boolean {
  return entries.slice(index + 1).every((later) => later.queue_id !== entries[index]?.queue_id);
}

function Time({ at }: { readonly at: string }): ReactNode {
  const formats = useFormats();
  return (
    <time className="muted" dateTime={at} title={formats.dateTime(at)}>
      {formats.short(at)}
    </time>
  );
}

/** Retry button of a permanently failed run. If the state of its queue entry is unknown, the API decides. */
function RetryButton({
  entry,
  state,
  onRetry,
}: {
  readonly entry: TimelineEntry;
  readonly state: QueueEntry["status"] | undefined;
  readonly onRetry: (id: number) => void;
}): ReactNode {
  const t = useText();
  const id = Number(entry.queue_id);
  if (entry.kind !== "action" || !Number.isSafeInteger(id) || id <= 0) return null;
  if (entry.status !== "failed" || (state !== undefined && state !== "failed")) return null;
  return (
    <span className="row">
      <Button look="quiet" onPress={() => onRetry(id)}>
        {t("queue.retry")}
      </Button>
    </span>
  );
}
