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
import { Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE, useActionName } from "../../shared/action-name.ts";
import { answerText } from "./answers.ts";
import { RunAgain } from "./run-again.tsx";
import { keyed } from "../../shared/keyed.ts";

const ICONS: Readonly<Record<TimelineEntry["kind"], IconName>> = {
  received: "inbox",
  edited: "edit",
  status: "check",
  note: "note",
  action: "flow",
};

/** Notes that were typed and not added yet, by submission. They outlast the move to another submission. */
const noteDrafts = new Map<number, string>();

export function Timeline({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const client = useClient();
  const canChange = useCanChange();
  const formats = useFormats();
  const [note, setStoredNote] = useState(noteDrafts.get(submission.id) ?? "");
  const setNote = (text: string) => {
    if (text === "") noteDrafts.delete(submission.id);
    else noteDrafts.set(submission.id, text);
    setStoredNote(text);
  };
  const [isRunningAgain, setIsRunningAgain] = useState(false);
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
                        state={queue.data?.find(({ id }) => id === item.queue_id)?.status}
                        onRetry={(id) => changeEntry.mutate({ id, verb: "retry" })}
                      />
                    ) : null}
                  </div>
                  <Time at={item.at} />
                </li>
              ))}
              {waiting.map(({ id, status, action_type, action_name, scheduled_at }) => (
                <li key={`waiting-${id}`} className="timeline-entry action">
                  <Icon name="flow" />
                  <div>
                    <Run
                      name={typeName(action_type, action_name)}
                      tone="wait"
                      status={
                        status === "retrying"
                          ? t("triage.willRetry", { at: formats.short(scheduled_at) })
                          : t(`queue.${status}`)
                      }
                    />
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
      </section>
      {canChange ? (
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
      ) : null}
      {isRunningAgain ? (
        <RunAgain submission={submission} onClose={() => setIsRunningAgain(false)} onStarted={pollFaster} />
      ) : null}
    </>
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

type RunTone = "good" | "bad" | "wait" | "neutral";

/** Name of an action, and how its run ended or what it waits for. */
function Run({
  name,
  status,
  tone,
  help,
}: {
  readonly name: string;
  readonly status: string;
  readonly tone: RunTone;
  readonly help?: string | undefined;
}): ReactNode {
  const t = useText();
  const placeholder = "\0";
  const [before = "", after = ""] = t("timeline.action", { name, status: placeholder }).split(placeholder);
  return (
    <span>
      {before}
      <span className={`run ${tone}`} title={help}>
        {status}
      </span>
      {after}
      {help === undefined ? null : <span className="visually-hidden"> {help}</span>}
    </span>
  );
}

/** Types of actions that hand a mail to the mail server or to the outbox. */
const MAIL_TYPES: ReadonlySet<string> = new Set(["email", "autoresponder"]);

/** Status code in the message of a run whose receiver accepted it. */
const ANSWERED = /answered (2\d\d)\b/;

/**
 * A run of an action. A mail was kept in the outbox, or accepted by the mail server; whether it reached anybody is not known, so
 * no text calls it sent.
 */
function ActionRun({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const { action_name, action_label, action_type, status, message, detail } = entry;
  const name = answerText(action_name) || textOf("api", answerText(action_label) || answerText(action_type));
  const text = answerText(message);
  const isMail = MAIL_TYPES.has(answerText(action_type));
  const [, code] = ANSWERED.exec(text) ?? [];
  const run: { readonly status: string; readonly tone: RunTone; readonly help?: string } =
    status === "failed"
      ? { status: textOf("queue", "failed"), tone: "bad" }
      : status !== "success"
        ? { status: textOf("queue", answerText(status)), tone: "neutral" }
        : isMail && detail === "kept"
          ? { status: t("delivery.kept"), tone: "wait" }
          : isMail && detail === "accepted"
            ? { status: t("delivery.accepted"), tone: "good", help: t("delivery.acceptedHelp") }
            : code === undefined
              ? { status: textOf("queue", "success"), tone: "good" }
              : { status: t("triage.accepted", { code }), tone: "good" };
  return (
    <>
      <Run name={name} {...run} />
      {text === "" || code !== undefined ? null : <span className="answer muted">{text}</span>}
    </>
  );
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
    default:
      return <ActionRun entry={entry} />;
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
