/** Badge that shows whether a form accepts visitors now, by its status and opening times. */
import type { ReactNode } from "react";
import type { FormSettings, FormStatus } from "../../client/index.ts";
import { useFormats } from "../shared/text/format.ts";
import { useText } from "../shared/text/text.tsx";
import { Badge, type Tone } from "./page.tsx";

type State = "published" | "draft" | "closed" | "notYet" | "over";

const TONES: Readonly<Record<State, Tone>> = {
  published: "good",
  draft: "neutral",
  closed: "bad",
  notYet: "wait",
  over: "bad",
};

/** Members of a form that decide whether it accepts visitors. */
interface Availability {
  readonly status: FormStatus;
  readonly settings: Pick<FormSettings, "opens_at" | "closes_at">;
}

export function stateOf(form: Availability, now = Date.now()): State {
  if (form.status !== "published") return form.status;
  const { opens_at: opens, closes_at: closes } = form.settings;
  if (Date.parse(opens) > now) return "notYet";
  if (Date.parse(closes) <= now) return "over";
  return "published";
}

export function FormState({ form }: { readonly form: Availability }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const state = stateOf(form);
  const opens = state === "notYet" ? ` · ${formats.day(form.settings.opens_at)}` : "";
  return (
    <Badge tone={TONES[state]}>
      {t(`state.${state}`)}
      {opens}
    </Badge>
  );
}
