/** Formats answers as text. */
import type { Field, Submission } from "../../../client/index.ts";

/** Members of a field that are needed to show its answer. */
export type AnswerField = Pick<Field, "name" | "type" | "label" | "options">;

/** Returns a field's label, or its name if it has none. Links in the label of a consent become plain text. */
export function labelOf({ name, type, label }: AnswerField): string {
  return (type === "consent" ? label.replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, "$1") : label) || name;
}

/** Formats an answer on one line: lists with commas, composite answers part by part. */
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

/** Formats an answer with the labels of its options. */
export function shownAnswer(value: unknown, field: AnswerField | undefined): string {
  const label = (one: unknown) => field?.options.find((option) => option.value === one)?.label ?? answerText(one);
  if (field === undefined || field.options.length === 0) return answerText(value);
  return Array.isArray(value) ? value.map(label).join(", ") : label(value);
}

/** Summarizes a submission: its first answer, and the answers after it. */
export function summaryOf({ id, data, labels, files }: Submission): { readonly first: string; readonly rest: string } {
  const texts = Object.entries(data)
    .map(([name, value]) => answerText(labels[name] ?? value))
    .filter((text) => text !== "");
  const [first = `#${id}`, ...rest] = texts.length > 0 ? texts : files.map(({ name }) => name);
  return { first: first.slice(0, 120), rest: rest.join(" · ").slice(0, 200) };
}
