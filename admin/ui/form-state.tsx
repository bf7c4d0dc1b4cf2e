/** Badge with a form's state as visitors see it: derived from status, opening times and submission limit. */
import type { ReactNode } from "react";
import type { FormSettings, FormStatus } from "../../client/index.ts";
import { useFormats } from "../shared/text/format.ts";
import { useText } from "../shared/text/text.tsx";
import { Badge, type Tone } from "./page.tsx";

/** `over` means closed by a date, `full` by the submission limit, and `closed` by a user. */
export type State = "published" | "draft" | "closed" | "notYet" | "over" | "full" | "trash";

const TONES: Readonly<Record<State, Tone>> = {
  published: "good",
  draft: "neutral",
  closed: "bad",
  notYet: "wait",
  over: "bad",
  full: "bad",
  trash: "neutral",
};

/** Members of a form that decide whether it accepts visitors. */
export interface Availability {
  readonly status: FormStatus | "trash";
  readonly submission_count?: number;
  readonly settings: Pick<FormSettings, "opens_at" | "closes_at"> & Partial<Pick<FormSettings, "submission_limit">>;
}

export function stateOf(form: Availability, now = Date.now()): State {
  if (form.status !== "published") return form.status;
  const { opens_at: opens, closes_at: closes, submission_limit: limit = 0 } = form.settings;
  if (Date.parse(opens) > now) return "notYet";
  if (Date.parse(closes) <= now) return "over";
  if (limit > 0 && (form.submission_count ?? 0) >= limit) return "full";
  return "published";
}

export interface FormStateProps {
  readonly form: Availability;
  /** Who closed the form, and when. */
  readonly closed?: { readonly user: string; readonly at: string } | undefined;
}

export function FormState({ form, closed }: FormStateProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const state = stateOf(form);
  const detail = (): string => {
    switch (state) {
      case "notYet":
        return t("state.opensAt", { at: formats.dateTime(form.settings.opens_at) });
      case "over":
        return t("state.closedSince", { day: formats.day(form.settings.closes_at) });
      case "full":
        return t("state.full");
      case "closed":
        return closed === undefined || closed.user === ""
          ? ""
          : t("state.closedBy", { user: closed.user, day: formats.day(closed.at) });
      default:
        return "";
    }
  };
  const text = detail();
  return (
    <>
      <Badge tone={TONES[state]}>
        {state === "published" ? <span className="live-dot" aria-hidden="true" /> : null}
        {t(`state.${state}`)}
      </Badge>
      {text === "" ? null : <span className="state-detail muted">{text}</span>}
    </>
  );
}
