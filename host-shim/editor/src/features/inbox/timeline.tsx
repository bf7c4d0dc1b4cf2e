/** What happened with a submission: it came in, was changed, noted on, and what its actions did. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/http.ts";
import { useChange, useHasRoute } from "../../api/queries.ts";
import type { QueueEntry, Submission, TimelineEntry } from "../../api/types.ts";
import { useMayChange } from "../../options.ts";
import { useFormats } from "../../text/format.ts";
import { type Tell, useText, useTextOf } from "../../text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Icon, type IconName } from "../../ui/icons.tsx";
import { useNotices } from "../../ui/notices.tsx";
import { Loaded } from "../../ui/states.tsx";
import { CANCEL_ROUTE, type Run, useRunName } from "../../shell/action-name.ts";
import { answerText } from "./answers.ts";

const ICONS: Readonly<Record<TimelineEntry["kind"], IconName>> = { received: "inbox", edited: "edit", status: "check", note: "note", action: "flow" };

export function Timeline({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const api = useApi();
  const mayChange = useMayChange();
  const notices = useNotices();
  const [note, setNote] = useState("");
  const key = ["timeline", submission.id];
  const timeline = useQuery({
    queryKey: key,
    // Actions run after the answer: what they do appears while somebody looks.
    refetchInterval: 10_000,
    queryFn: ({ signal }) => api.send<readonly TimelineEntry[]>("GET", `/submissions/${submission.id}/timeline`, { signal }),
  });
  const add = useChange((api, text: string) => api.send("POST", `/submissions/${submission.id}/notes`, { body: { text } }), { stale: [key], then: () => setNote("") });
  const resend = useChange((api) => api.send("POST", `/submissions/${submission.id}/actions`, { body: {} }), {
    stale: [key, ["queue"]],
    then: () => notices.tell(t("detail.resent")),
  });
  const entry = useChange((api, { id, verb }: { readonly id: number; readonly verb: "retry" | "cancel" }) => api.send("POST", `/action-queue/${id}/${verb}`), {
    stale: [key, ["queue"]],
  });
  const hasFailed = mayChange && (timeline.data ?? []).some((own) => own["status"] === "failed");
  // The time line tells how runs ended, not what becomes of them; the newest entries of the queue do.
  const queue = useQuery({
    queryKey: ["queue", "states", submission.form_id],
    enabled: hasFailed,
    refetchInterval: 10_000,
    queryFn: ({ signal }) => api.send<readonly Pick<QueueEntry, "id" | "status">[]>("GET", "/action-queue", { query: { form_id: submission.form_id, per_page: 100, _fields: "id,status" }, signal }),
  });
  const canResend = useHasRoute("/submissions/{id}/actions");
  const nameOf = useRunName([submission.form_id]);
  return (
    <section className="stack close">
      <div className="row apart">
        <h3>{t("detail.timeline")}</h3>
        {mayChange && canResend ? <Button look="quiet" icon="retry" isDisabled={submission.is_spam} isPending={resend.isPending} onPress={() => resend.mutate(undefined)}>{t("detail.resend")}</Button> : null}
      </div>
      <Loaded query={timeline}>
        {(entries) => (
          <ol className="timeline">
            {entries.map((own, index) => (
              <li key={index} className={`timeline-entry ${own.kind}`}>
                <Icon name={ICONS[own.kind] ?? "next"} />
                <div>
                  <TimelineText entry={own} nameOfRun={(run) => nameOf({ ...run, form_id: submission.form_id })} />
                  <span className="muted"><When at={own.at} />{typeof own.user === "string" && own.user !== "" ? ` · ${own.user}` : ""}</span>
                  {mayChange && isLastRun(entries, index) ? <EntryButtons entry={own} state={queue.data?.find(({ id }) => id === own["queue_id"])?.status} t={t} onVerb={(id, verb) => entry.mutate({ id, verb })} /> : null}
                </div>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {mayChange ? (
        <form className="note-form" onSubmit={(event) => { event.preventDefault(); if (note.trim() !== "") add.mutate(note.trim()); }}>
          <TextField label={t("detail.note")} value={note} onChange={setNote} rows={2} />
          <div className="row end"><Button type="submit" isDisabled={note.trim() === ""} isPending={add.isPending}>{t("detail.addNote")}</Button></div>
        </form>
      ) : null}
    </section>
  );
}

/** Whether no later run of the same action follows. */
function isLastRun(entries: readonly TimelineEntry[], index: number): boolean {
  return entries.slice(index + 1).every((later) => later["queue_id"] !== entries[index]?.["queue_id"]);
}

function When({ at }: { readonly at: string }): ReactNode {
  const formats = useFormats();
  return <time dateTime={at}>{formats.moment(at)}</time>;
}

/** The entry's members are told as the API gives them; unknown ones are left out. */
function TimelineText({ entry, nameOfRun }: { readonly entry: TimelineEntry; readonly nameOfRun: (run: Omit<Run, "form_id">) => string }): ReactNode {
  const t = useText();
  const textOf = useTextOf();
  const text = (name: string) => answerText(entry[name]);
  switch (entry.kind) {
    case "received": return <span>{t("timeline.received")}</span>;
    case "note": return <span className="answer note">{text("text")}</span>;
    case "status": return <span>{t("timeline.status", { to: textOf("status", text("to") || text("status")) })}</span>;
    case "edited": {
      const previous = typeof entry["previous"] === "object" && entry["previous"] !== null ? Object.entries(entry["previous"]) : [];
      return (
        <span>
          {t("timeline.edited", { names: previous.map(([name]) => name).join(", ") })}
          {previous.map(([name, value]) => <span key={name} className="answer muted">{t("timeline.before", { name, value: answerText(value) || "–" })}</span>)}
        </span>
      );
    }
    default: {
      const name = nameOfRun({ action_type: text("action_type"), action_id: text("action_id"), action_name: text("action_name") });
      return <span>{t("timeline.action", { name, status: textOf("queue", text("status")) })}{text("message") === "" ? null : <span className="answer muted">{text("message")}</span>}</span>;
    }
  }
}

/** What can be done with a failed run; where the state of its entry is not known, both, and the API decides. */
function EntryButtons({ entry, state, t, onVerb }: { readonly entry: TimelineEntry; readonly state: QueueEntry["status"] | undefined; readonly t: Tell; readonly onVerb: (id: number, verb: "retry" | "cancel") => void }): ReactNode {
  const canCancel = useHasRoute(CANCEL_ROUTE);
  const id = Number(entry["queue_id"]);
  if (entry.kind !== "action" || !Number.isSafeInteger(id) || id <= 0) return null;
  if (entry["status"] !== "failed") return null;
  const waits = state === "retrying" || state === "pending";
  return (
    <span className="row">
      {state === undefined || state === "failed" ? <Button look="quiet" onPress={() => onVerb(id, "retry")}>{t("queue.retry")}</Button> : null}
      {canCancel && (state === undefined || waits) ? <Button look="quiet" onPress={() => onVerb(id, "cancel")}>{t("queue.cancel")}</Button> : null}
    </span>
  );
}
