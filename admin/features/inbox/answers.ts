/** Formats answers as text. */
import type { Field, Submission } from "../../../client/index.ts";

/** Members of a field that are needed to show its answer. */
export type AnswerField = Pick<Field, "name" | "type" | "label" | "options"> &
  Partial<Pick<Field, "attributes">> & {
    /** The fields in the rows of a repeating group. */
    readonly columns?: readonly AnswerField[];
  };

type Row = Readonly<Record<string, unknown>>;

/** The rows of a repeating group; undefined for another answer. */
export const rowsOf = (value: unknown): readonly Row[] | undefined =>
  Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null) ? (value as Row[]) : undefined;

/** Returns a field's label, or its name if it has none. Links in the label of a consent become plain text. */
export function labelOf({ name, type, label }: AnswerField): string {
  return (type === "consent" ? label.replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, "$1") : label) || name;
}

/** Formats the rows of a repeating group, each on a line. */
function rowsText(rows: readonly Row[], columns: readonly AnswerField[]): string {
  const lines = rows.map((row, index) => {
    const known = columns.map((column) => [labelOf(column), shownAnswer(row[column.name], column)] as const);
    const others = Object.keys(row).filter((name) => !columns.some((column) => column.name === name));
    const cells = [...known, ...others.map((name) => [name, answerText(row[name])] as const)];
    const texts = cells.filter(([, text]) => text !== "").map(([label, text]) => `${label}: ${text}`);
    return `${index + 1}. ${texts.join(", ")}`;
  });
  return lines.join("\n");
}

/** Formats an answer as text: lists with commas, composite answers part by part, and rows one per line. */
export function answerText(value: unknown): string {
  if (value === null || value === undefined) return "";
  const rows = rowsOf(value);
  if (rows !== undefined) return rowsText(rows, []);
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

/** Formats a calculated number as its field specifies (docs/calculations.md), in the language of the page. */
function calculatedText(value: unknown, { attributes = {} }: AnswerField): string | undefined {
  const [kind = "", unit = ""] = (attributes["data-format"] ?? "").split(/ (.*)/);
  if (typeof value !== "number" || attributes["data-calc"] === undefined || kind === "") return undefined;
  const styles: Readonly<Record<string, Intl.NumberFormatOptions>> = {
    percent: { style: "percent", maximumFractionDigits: 4 },
    currency: { style: "currency", currency: unit },
  };
  const shown = new Intl.NumberFormat(document.documentElement.lang || undefined, styles[kind] ?? {}).format(value);
  return kind === "unit" ? `${shown} ${unit}` : shown;
}

/** Formats a number that has a unit. */
function textWithUnit(value: unknown, { attributes = {} }: AnswerField): string | undefined {
  const unit = attributes["data-unit"]?.trim() ?? "";
  if (typeof value !== "number" || unit === "" || attributes["data-calc"] !== undefined) return undefined;
  return `${new Intl.NumberFormat(document.documentElement.lang || undefined).format(value)}\u00a0${unit}`;
}

/** Formats an answer with the labels of its options. */
export function shownAnswer(value: unknown, field: AnswerField | undefined): string {
  const label = (one: unknown) => field?.options.find((option) => option.value === one)?.label ?? answerText(one);
  const calculated = field === undefined ? undefined : (calculatedText(value, field) ?? textWithUnit(value, field));
  if (calculated !== undefined) return calculated;
  const rows = rowsOf(value);
  if (rows !== undefined) return rowsText(rows, field?.columns ?? []);
  if (field === undefined || field.options.length === 0) return answerText(value);
  if (!Array.isArray(value)) return label(value);
  const isRanking = field.attributes !== undefined && "data-rank" in field.attributes;
  return value.map((one, index) => (isRanking ? `${index + 1}. ${label(one)}` : label(one))).join(", ");
}

const MAX_HEADING_LENGTH = 120;
const MAX_REST_LENGTH = 200;

/** Names of text fields that usually ask for a person's whole name, and pairs that ask for its two parts. */
const NAME_FIELD = /^(?:(?:your|full|contact)[_-]?)?name$/i;
const NAME_PARTS: readonly (readonly [RegExp, RegExp])[] = [
  [/^first[_-]?name$/i, /^last[_-]?name$/i],
  [/^vorname$/i, /^nachname$/i],
];

/** Returns the names of the fields that hold the person's name, in the order of the name's parts. */
function nameFields(data: Submission["data"]): readonly string[] {
  const names = Object.keys(data).filter((name) => answerText(data[name]) !== "");
  const composite = names.find((name) => {
    const value = data[name];
    return typeof value === "object" && value !== null && ("first" in value || "last" in value);
  });
  const single = composite ?? names.find((name) => NAME_FIELD.test(name));
  if (single !== undefined) return [single];
  const pairs = NAME_PARTS.map((parts) => parts.flatMap((part) => names.find((name) => part.test(name)) ?? []));
  return pairs.find(({ length }) => length > 0) ?? [];
}

export interface Summary {
  /** The person's name, else the first answer, else the name of the first file; empty without any. */
  readonly heading: string;
  /** Whether the heading is a person's name. */
  readonly isName: boolean;
  /** The other answers. */
  readonly rest: string;
}

/** Summarizes a submission on one line. */
export function summaryOf({ data, labels, files }: Pick<Submission, "data" | "labels" | "files">): Summary {
  const named = nameFields(data);
  const textOf = (name: string) => answerText(labels[name] ?? data[name]);
  const others = Object.keys(data)
    .filter((name) => !named.includes(name))
    .map(textOf)
    .filter((text) => text !== "");
  const isName = named.length > 0;
  const heading = isName ? named.map(textOf).join(" ") : (others.shift() ?? files[0]?.name ?? "");
  return {
    heading: heading.slice(0, MAX_HEADING_LENGTH),
    isName,
    rest: others.join(" · ").slice(0, MAX_REST_LENGTH),
  };
}
