/** Answers and facts that a mail can contain: their names in stored texts, and their labels. */
import { factsOf } from "../../../shared/field-facts.ts";
import { labelOf as fieldLabel } from "../../../shared/field-label.ts";
import { useText } from "../../../shared/text/text.tsx";
import type { Field } from "../../../../client/index.ts";
import type { LabelOf } from "./answer-markup.ts";

export interface InsertableAnswer {
  /** Name between the brackets. */
  readonly name: string;
  readonly label: string;
}

/** Facts of the submission that texts may contain. */
const FACTS = ["CF_FORM_TITLE", "CF_SUBMISSION_ID", "CF_TIMESTAMP"] as const;
/** Facts that users rarely insert; they are shown as chips if a text contains them. */
const RARE_FACTS = ["CF_FORM_ID", "CF_IP_ADDRESS", "CF_USER_AGENT", "CF_REFERRER_URL"] as const;

export const emailFields = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ type }) => factsOf(type)?.answer === "email");

export const fileFields = (fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ type }) => factsOf(type)?.answer === "files");

/** Returns the answers in the order of the form, then facts of the submission; and the label of any name in brackets. */
export function useAnswers(fields: readonly Field[]): {
  readonly list: readonly InsertableAnswer[];
  readonly labelOf: LabelOf;
} {
  const t = useText();
  const list = [
    { name: "all:table", label: t("actions.allAnswers") },
    ...fields.map((field) => ({ name: field.name, label: fieldLabel(field) })),
    ...FACTS.map((name) => ({ name, label: t(`answers.${name}`) })),
  ];
  const labels = new Map(
    [...list, ...RARE_FACTS.map((name) => ({ name, label: t(`answers.${name}`) }))].map(({ name, label }) => [
      name.toLowerCase(),
      label,
    ]),
  );
  const labelOf: LabelOf = (name) => {
    const [base = "", ...parts] = name.toLowerCase().split(/[:.]/);
    if (base === "all") return t("actions.allAnswers");
    const label = labels.get(name.toLowerCase()) ?? labels.get(base);
    return label === undefined
      ? null
      : parts.length === 0 || labels.has(name.toLowerCase())
        ? label
        : `${label} · ${parts.join(" · ")}`;
  };
  return { list, labelOf };
}
