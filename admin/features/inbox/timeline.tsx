/** Timeline of a submission: receipt, edits, status changes, notes and runs of actions. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange, useHasRoute } from "../../shared/api/queries.ts";
import { queueOfQuery, timelineQuery } from "../../shared/api/resources.ts";
import type { QueueEntry, Submission, TimelineEntry } from "../../../client/index.ts";
import { useCanChange } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE, useActionName } from "../../shared/action-name.ts";
import { answerText } from "./answers.ts";

const ICONS: Readonly<Record<TimelineEntry["kind"], IconName>> = {
  received: "inbox",
  edited: "edit",
  status: "check",
  note: "note",
  action: "flow",
};

export function Timeline({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const client = useClient();
  const canChange = useCanChange();
  const notices = useNotices();
  const formats = useFormats();
  const [note, setNote] = useState("");
  const { queryKey: key } = timelineQuery(client, submission.id);
  const [busyUntil, setBusyUntil] = useState(0);
  // Actions run in the background, so the timeline is polled: more often after the user started some.
  const refetchInterval = () => (Date.now() < busyUntil ? 1_500 : 10_000);
  const pollFaster = () => setBusyUntil(Date.now() + 10_000);
  const timeline = useQuery({ ...timelineQuery(client, submission.id), refetchInterval });
  const add = useChange((client, text: string) => client.addNote({ id: submission.id, body: { text } }), {
    stale: [key],
    then: () => setNote(""),
  });
  const resend = useChange((client) => client.resendActions({ id: submission.id, body: {} }), {
    stale: [key, keys.queue],
    then() {
      pollFaster();
      notices.show(t("detail.resent"));
    },
  });
  const changeEntry = useChange(
    (client, { id, verb }: { readonly id: number; readonly verb: "retry" | "cancel" }) =>
      verb === "retry" ? client.retryQueueEntry({ id }) : client.cancelQueueEntry({ id }),
    {
      stale: [key, keys.queue],
      then: pollFaster,
    },
  );
  // The timeline holds finished runs. Waiting entries, and the state after a failure, come from the queue.
  const queue = useQuery({ ...queueOfQuery(client, submission.id), enabled: canChange, refetchInterval });
  const waiting = (queue.data ?? []).filter(({ status }) => status === "pending" || status === "retrying");
  const canResend = useHasRoute("/submissions/{id}/actions");
  const canCancel = useHasRoute(CANCEL_ROUTE);
  const typeName = useActionName();
  return (
    <section className="stack close">
      <div className="row apart">
        <h3>{t("detail.timeline")}</h3>
        {canChange && canResend ? (
          <Button
            look="quiet"
            icon="retry"
            isDisabled={submission.is_spam}
            isPending={resend.isPending}
            onPress={() => resend.mutate(undefined)}
          >
            {t("detail.resend")}
          </Button>
        ) : null}
      </div>
      <Loaded query={timeline}>
        {(entries) => (
          <ol className="timeline">
            {entries.map((item, index) => (
              <li key={index} className={`timeline-entry ${item.kind}`}>
                <Icon name={ICONS[item.kind] ?? "next"} />
                <div>
                  <TimelineText entry={item} />
                  <span className="muted">
                    <Time at={item.at} />
                    {item.user !== null && item.user !== "" ? ` · ${item.user}` : ""}
                  </span>
                  {canChange && isLastRun(entries, index) ? (
                    <RetryButton
                      entry={item}
                      state={queue.data?.find(({ id }) => id === item.queue_id)?.status}
                      onRetry={(id) => changeEntry.mutate({ id, verb: "retry" })}
                    />
                  ) : null}
                </div>
              </li>
            ))}
            {waiting.map(({ id, status, action_type, action_name, scheduled_at }) => (
              <li key={`waiting-${id}`} className="timeline-entry action">
                <Icon name="flow" />
                <div>
                  <span>
                    {t("timeline.action", { name: typeName(action_type, action_name), status: t(`queue.${status}`) })}
                  </span>
                  {status === "retrying" ? (
                    <span className="muted">{t("queue.next", { at: formats.dateTime(scheduled_at) })}</span>
                  ) : null}
                  {canCancel ? (
                    <span className="row">
                      <Button
                        look="quiet"
                        isPending={changeEntry.isPending}
                        onPress={() => changeEntry.mutate({ id, verb: "cancel" })}
                      >
                        {t("queue.cancel")}
                      </Button>
                    </span>
                  ) : null}
                </div>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {canChange ? (
        <form
          className="note-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (note.trim() !== "") add.mutate(note.trim());
          }}
        >
          <TextField label={t("detail.note")} value={note} onChange={setNote} rows={2} />
          <div className="row end">
            <Button type="submit" isDisabled={note.trim() === ""} isPending={add.isPending}>
              {t("detail.addNote")}
            </Button>
          </div>
        </form>
      ) : null}
    </section>
  );
}

/** Whether no later run of the same queue entry follows. */
function isLastRun(entries: readonly TimelineEntry[], index: number): boolean {
  return entries.slice(index + 1).every((later) => later.queue_id !== entries[index]?.queue_id);
}

function Time({ at }: { readonly at: string }): ReactNode {
  const formats = useFormats();
  return <time dateTime={at}>{formats.dateTime(at)}</time>;
}

/** Text of a timeline entry, without members that are unknown here. */
function TimelineText({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const text = (name: keyof TimelineEntry) => answerText(entry[name]);
  switch (entry.kind) {
    case "received":
      return <span>{t("timeline.received")}</span>;
    case "note":
      return <span className="answer note">{text("text")}</span>;
    case "status":
      return <span>{t("timeline.status", { to: textOf("status", text("to") || text("status")) })}</span>;
    case "edited": {
      const previous = Object.entries(entry.previous ?? {});
      return (
        <span>
          {t("timeline.edited", { names: previous.map(([name]) => name).join(", ") })}
          {previous.map(([name, value]) => (
            <span key={name} className="answer muted">
              {t("timeline.before", { name, value: answerText(value) || "–" })}
            </span>
          ))}
        </span>
      );
    }
    default: {
      const name = text("action_name") || textOf("api", text("action_label") || text("action_type"));
      return (
        <span>
          {t("timeline.action", { name, status: textOf("queue", text("status")) })}
          {text("message") === "" ? null : <span className="answer muted">{text("message")}</span>}
        </span>
      );
    }
  }
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
