/** State of a delivery in words and tone: one mapping for the queue, the log, failures, the outbox and the inbox. */
import type { ReactNode } from "react";
import { MAIL_ACTIONS } from "../shared/mail-actions.ts";
import { useFormats } from "../shared/text/format.ts";
import { type TextId, useText } from "../shared/text/text.tsx";
import type { Tone } from "./page.tsx";

/** Facts of a queue entry, of a run, or of both. */
export interface DeliveryFacts {
  readonly action_type: string;
  /** Status of a queue entry or of a run. */
  readonly status: string;
  /** `kept` or `accepted`, of a run that succeeded. */
  readonly detail?: string;
  /** Message of the run. */
  readonly message?: string;
  /** Time of the next attempt. */
  readonly scheduled_at?: string | null;
  /** Last run of a completed queue entry. */
  readonly last_run?: Pick<DeliveryFacts, "status" | "detail" | "message"> | null;
}

export interface DeliveryState {
  readonly label: string;
  readonly tone: Tone;
  /** Tooltip. */
  readonly help?: string;
  /** Message of the run, unless the label contains it. */
  readonly reason: string;
}

interface Look {
  readonly text: TextId;
  readonly tone: Tone;
  readonly help?: TextId;
}

const LOOKS: Readonly<Record<string, Look>> = {
  pending: { text: "delivery.waiting", tone: "wait" },
  processing: { text: "delivery.running", tone: "info" },
  retrying: { text: "delivery.willRetrySoon", tone: "wait" },
  failed: { text: "delivery.failed", tone: "bad" },
  skipped: { text: "delivery.skipped", tone: "neutral" },
  cancelled: { text: "delivery.canceled", tone: "neutral" },
};

const KEPT: Look = { text: "delivery.kept", tone: "wait", help: "delivery.keptHelp" };
const ACCEPTED_MAIL: Look = { text: "delivery.accepted", tone: "good", help: "delivery.acceptedHelp" };
const DONE: Look = { text: "delivery.done", tone: "good" };

/** Finds the status code of success in a run's message, in the words of this engine or of an older one. */
const ACCEPTED_CODE = /\b(?:responded with|answered) (2\d\d)\b/;

/**
 * Returns the state of a delivery. No state is called “sent”, because the host does not know whether a mail reached its
 * recipient.
 */
export function useDeliveryState(): (facts: DeliveryFacts) => DeliveryState {
  const t = useText();
  const formats = useFormats();
  return (facts) => {
    const { status, detail, message = "" } = { ...facts, ...facts.last_run };
    const { action_type: type, scheduled_at: at } = facts;
    if (status === "retrying" && at !== undefined && at !== null)
      return { label: t("delivery.willRetry", { at: formats.short(at) }), tone: "wait", reason: message };
    const [, code] = ACCEPTED_CODE.exec(message) ?? [];
    const isAcceptedMail = detail === "accepted" && MAIL_ACTIONS.has(type);
    if (LOOKS[status] === undefined && detail !== "kept" && !isAcceptedMail && code !== undefined)
      return { label: t("delivery.acceptedCode", { code }), tone: "good", reason: "" };
    const { text, tone, help } = LOOKS[status] ?? (detail === "kept" ? KEPT : isAcceptedMail ? ACCEPTED_MAIL : DONE);
    return { label: t(text), tone, reason: message, ...(help === undefined ? {} : { help: t(help) }) };
  };
}

/** The state as a badge, with its tooltip, which screen readers read too. */
export function DeliveryBadge({ facts }: { readonly facts: DeliveryFacts }): ReactNode {
  const { label, tone, help } = useDeliveryState()(facts);
  return (
    <span className={`badge ${tone}`} title={help}>
      <span>{label}</span>
      {help === undefined ? null : <span className="visually-hidden">{help}</span>}
    </span>
  );
}

/** The state at the start of a list's entry, in its own column. */
export function EntryState({ facts }: { readonly facts: DeliveryFacts }): ReactNode {
  return (
    <div className="entry-state">
      <DeliveryBadge facts={facts} />
    </div>
  );
}
