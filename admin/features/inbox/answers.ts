/** Answers as text. */
import type { Field, Submission } from "../../../client/index.ts";

/** What is needed of a field to show its answer. */
export type AnswerField = Pick<Field, "name" | "type" | "label" | "options">;

/** The label of a field, of a consent without the addresses of its links; else the field's name. */
export function labelOf({ name, type, label }: AnswerField): string {
  return (type === "consent" ? label.replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, "$1") : label) || name;
}

/** An answer on one line: lists with commas, composite ones by their parts. */
export function answerText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value))
    return value
      .map(answerText)
      .filter((text) => text !== "")
      .join(", ");
  if (typeof value === "object")
    return Object.values(value)
      .map(answerText)
      .filter((text) => text !== "")
      .join(" ");
  return typeof value === "boolean" ? (value ? "✓" : "–") : String(value);
}

/** The answer with the labels of its options. */
export function shownAnswer(value: unknown, field: AnswerField | undefined): string {
  const label = (one: unknown) => field?.options.find((option) => option.value === one)?.label ?? answerText(one);
  if (field === undefined || field.options.length === 0) return answerText(value);
  return Array.isArray(value) ? value.map(label).join(", ") : label(value);
}

/** The beginning of what somebody wrote: the first answer, and those after it, options by their labels. */
export function summaryOf({ id, data, labels, files }: Submission): { readonly first: string; readonly rest: string } {
  const texts = Object.entries(data)
    .map(([name, value]) => answerText(labels[name] ?? value))
    .filter((text) => text !== "");
  const [first = `#${id}`, ...rest] = texts.length > 0 ? texts : files.map(({ name }) => name);
  return { first: first.slice(0, 120), rest: rest.join(" · ").slice(0, 200) };
}
