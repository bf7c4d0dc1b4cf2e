/** Text of the timeline's entries: changes of the submission, and results of its actions. */
import type { ReactNode } from "react";
import type { TimelineEntry } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { answerText } from "./answers.ts";
import { ApiMessage } from "../../ui/api-message.tsx";
import { type DeliveryState, useDeliveryState } from "../../ui/delivery-state.tsx";

/** Name of an action, and the state of its run, which a tooltip may explain. */
export function Run({
  name,
  state: { label, tone, help },
}: {
  readonly name: string;
  readonly state: DeliveryState;
}): ReactNode {
  const t = useText();
  const placeholder = "\0";
  const [before = "", after = ""] = t("timeline.action", { name, status: placeholder }).split(placeholder);
  return (
    <span>
      {before}
      <span className={`run ${tone}`} title={help}>
        {label}
      </span>
      {after}
      {help === undefined ? null : <span className="visually-hidden"> {help}</span>}
    </span>
  );
}

/** Run of an action. */
function ActionRun({ entry }: { readonly entry: TimelineEntry }): ReactNode {
  const textOf = useTextOf();
  const stateOf = useDeliveryState();
  const text = (name: keyof TimelineEntry) => answerText(entry[name]);
  const name = text("action_name") || textOf("api", text("action_label") || text("action_type"));
  const state = stateOf({
    action_type: text("action_type"),
    status: text("status"),
    detail: text("detail"),
    message: text("message"),
  });
  return (
    <>
      <Run name={name} state={state} />
      {state.reason === "" ? null : (
        <span className="answer muted">
          <ApiMessage>{state.reason}</ApiMessage>
        </span>
      )}
    </>
  );
}

/** Text of a timeline entry; omits members that this version does not know. */
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
