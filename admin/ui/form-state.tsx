/** Whether visitors reach a form now: its status, and the times of its settings. */
import type { ReactNode } from "react";
import type { Form } from "../shared/api/types.ts";
import { useFormats } from "../shared/text/format.ts";
import { useText } from "../shared/text/text.tsx";
import { Badge, type Tone } from "./page.tsx";

type State = "published" | "draft" | "closed" | "notYet" | "over";

const TONES: Readonly<Record<State, Tone>> = { published: "good", draft: "neutral", closed: "bad", notYet: "wait", over: "bad" };

export function stateOf(form: Pick<Form, "status" | "settings">, now = Date.now()): State {
  if (form.status !== "published") return form.status;
  const moment = (key: string) => Date.parse(String(form.settings?.[key] ?? ""));
  if (moment("opens_at") > now) return "notYet";
  if (moment("closes_at") <= now) return "over";
  return "published";
}

export function FormState({ form }: { readonly form: Pick<Form, "status" | "settings"> }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const state = stateOf(form);
  const opens = state === "notYet" ? ` · ${formats.day(String(form.settings["opens_at"]))}` : "";
  return <Badge tone={TONES[state]}>{t(`state.${state}`)}{opens}</Badge>;
}
