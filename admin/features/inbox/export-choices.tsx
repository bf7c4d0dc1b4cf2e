/** Choices of an export: its format, labels or names, and its columns. */
import type { ReactNode } from "react";
import { type TextId, useText } from "../../shared/text/text.tsx";
import { Checkbox, Select } from "../../ui/fields.tsx";
import { type AnswerField, labelOf } from "./answers.ts";

export const FORMATS = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
} as const;
type Format = keyof typeof FORMATS;

const SEPARATORS = [",", ";", "tab"] as const;
type Separator = (typeof SEPARATORS)[number];

/** Columns of an export that are not answers, with their titles. */
const FACTS: Readonly<Record<string, TextId>> = {
  id: "export.id",
  status: "common.status",
  submitted_at: "inbox.received",
  is_spam: "status.spam",
  spam_reasons: "export.spamReasons",
  ip_address: "detail.address",
  user_agent: "detail.browser",
  referer_url: "detail.referrer",
  page_url: "detail.page",
};
export const DEFAULT_FACTS: readonly string[] = ["id", "status", "submitted_at"];

/** Whether labels or names and values are written. */
type Wording = "labels" | "names";

export interface ExportChoices {
  readonly format: Format;
  readonly separator: Separator;
  readonly titles: Wording;
  readonly answers: Wording;
  /** Names of the columns; null for all. */
  readonly columns: readonly string[] | null;
}

export const INITIAL_CHOICES: ExportChoices = {
  format: "csv",
  separator: ",",
  titles: "labels",
  answers: "labels",
  columns: null,
};

/** The API's parameters for the choices, without those that the format does not support. */
export function exportParameters({ format, separator, titles, answers, columns }: ExportChoices) {
  const isTable = format !== "json";
  return {
    format,
    ...(isTable ? { labels: answers === "labels", titles } : {}),
    ...(format === "csv" ? { bom: true, separator } : {}),
    ...(isTable && columns !== null ? { columns: columns.join(",") } : {}),
  };
}

interface ChoiceProps {
  readonly choices: ExportChoices;
  readonly change: (changes: Partial<ExportChoices>) => void;
}

/** The file's format, and the separator of a CSV file. */
export function FormatChoice({ choices: { format, separator }, change }: ChoiceProps): ReactNode {
  const t = useText();
  return (
    <>
      <Select
        label={t("inbox.exportFormat")}
        value={format}
        onChange={(value) => change({ format: value as Format })}
        choices={[
          { value: "csv", label: t("inbox.exportCsv") },
          { value: "xlsx", label: t("export.xlsx") },
          { value: "json", label: "JSON" },
        ]}
      />
      {format === "csv" ? (
        <Select
          label={t("inbox.exportSeparator")}
          value={separator}
          onChange={(value) => change({ separator: SEPARATORS.find((known) => known === value) ?? "," })}
          choices={[
            { value: ",", label: t("inbox.exportComma") },
            { value: ";", label: t("inbox.exportSemicolon") },
            { value: "tab", label: t("inbox.exportTab") },
          ]}
        />
      ) : null}
    </>
  );
}

/** Whether a table's titles are labels or names, and its answers labels or values. */
export function WordingChoices({ choices: { titles, answers }, change }: ChoiceProps): ReactNode {
  const t = useText();
  return (
    <>
      <Select
        label={t("export.titles")}
        value={titles}
        onChange={(value) => change({ titles: value as Wording })}
        choices={[
          { value: "labels", label: t("export.labels") },
          { value: "names", label: t("export.names") },
        ]}
      />
      <Select
        label={t("export.answers")}
        value={answers}
        onChange={(value) => change({ answers: value as Wording })}
        choices={[
          { value: "labels", label: t("export.answerLabels") },
          { value: "names", label: t("export.answerValues") },
        ]}
      />
    </>
  );
}

/** The columns of a table: all, or some of the facts and fields. */
export function ColumnChoice({
  fields,
  initial,
  chosen,
  onChange,
}: {
  readonly fields: readonly AnswerField[];
  /** Columns that are selected when the user begins to choose. */
  readonly initial: readonly string[];
  readonly chosen: readonly string[] | null;
  readonly onChange: (columns: readonly string[] | null) => void;
}): ReactNode {
  const t = useText();
  const choices = [
    ...Object.entries(FACTS).map(([name, label]) => ({ name, label: t(label) })),
    ...fields.filter(({ type }) => type !== "password").map((field) => ({ name: field.name, label: labelOf(field) })),
  ];
  const toggle = (name: string, isOn: boolean) =>
    onChange(
      choices
        .map((choice) => choice.name)
        .filter((known) => (known === name ? isOn : chosen?.includes(known) === true)),
    );
  return (
    <>
      <Checkbox
        label={t("export.chooseColumns")}
        value={chosen !== null}
        onChange={(isChoosing) => onChange(isChoosing ? initial : null)}
      />
      {chosen === null ? null : (
        <fieldset className="conditions export-columns">
          <legend>{t("inbox.columns")}</legend>
          {choices.map(({ name, label }) => (
            <Checkbox key={name} label={label} value={chosen.includes(name)} onChange={(isOn) => toggle(name, isOn)} />
          ))}
        </fieldset>
      )}
    </>
  );
}
