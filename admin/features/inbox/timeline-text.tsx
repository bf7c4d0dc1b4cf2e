/** Text of the timeline's entries: what happened to the submission, and how runs of actions ended. */
import type { ReactNode } from "react";
import type { TimelineEntry } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { answerText } from "./answers.ts";
import { ApiMessage } from "../../ui/api-message.tsx";

type RunTone = "good" | "bad" | "wait" | "neutral";

/** Name of an action, and how its run ended or what it waits for. */
export function Run({
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
const ANSWERED = /responded with (2\d\d)\b/;

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
      {text === "" || code !== undefined ? null : (
        <span className="answer muted">
          <ApiMessage>{text}</ApiMessage>
        </span>
      )}
    </>
  );
}

/** Text of a timeline entry, without members that are unknown here. */
export function TimelineText({ entry }: { readonly entry: TimelineEntry }): ReactNode {
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
