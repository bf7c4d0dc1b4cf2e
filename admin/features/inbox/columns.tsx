/** Columns of the inbox. The browser stores which fields the user chose. */
import { type ReactNode, useState } from "react";
import type { Form, Submission } from "../../../client/index.ts";
import { useFormats } from "../../shared/text/format.ts";
import { type Translate, useText, useTextOf } from "../../shared/text/text.tsx";
import { TRASH_DAYS } from "../../shared/trash.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Badge, type Tone } from "../../ui/page.tsx";
import { type AnswerField, labelOf, shownAnswer, summaryOf } from "./answers.ts";
import type { View } from "./filters.ts";
import type { Column } from "./grid.tsx";

const DEFAULT_COUNT = 3;
const STORAGE_PREFIX = "cf-forms-columns-";

/** Members of a form that are needed to choose it from a list. */
export type NamedForm = Pick<Form, "id" | "title">;

type ColumnChoice = readonly string[] | null;

export function useColumnChoice(formId: number | null): readonly [ColumnChoice, (names: ColumnChoice) => void] {
  const [changes, setChanges] = useState(0);
  const key = `${STORAGE_PREFIX}${formId}`;
  const chosen = storedChoice(key, changes);
  return [
    chosen,
    (names) => {
      try {
        if (names === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(names));
      } catch {
        // `localStorage` may be blocked; then the default columns are shown.
      }
      setChanges((count) => count + 1);
    },
  ];
}

const cache = new Map<string, { readonly changes: number; readonly chosen: ColumnChoice }>();

/** Reads the stored choice. The cache returns an unchanged choice as the same array, so rows do not re-render. */
function storedChoice(key: string, changes: number): ColumnChoice {
  const cached = cache.get(key);
  if (cached !== undefined && cached.changes === changes) return cached.chosen;
  let chosen: ColumnChoice = null;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (Array.isArray(value)) chosen = value.filter((name) => typeof name === "string");
  } catch {
    chosen = null;
  }
  cache.set(key, { changes, chosen });
  return chosen;
}

/** Returns the default columns: the first fields that are not hidden, since hidden ones rarely differ. */
export const defaultColumns = (fields: readonly AnswerField[]): readonly string[] =>
  fields
    .filter(({ type }) => type !== "hidden")
    .slice(0, DEFAULT_COUNT)
    .map(({ name }) => name);

/** Context of the rows: failed deliveries, and the command that restores a row from the trash. */
export interface RowExtras {
  /** Submissions with a failed delivery. */
  readonly failed: ReadonlySet<number>;
  /** Moves a submission out of the trash; absent for readers. */
  readonly onRestore?: (submission: Submission) => void;
}

export interface ColumnsInput extends RowExtras {
  readonly fields: readonly AnswerField[];
  readonly chosen: ColumnChoice;
  readonly formId: number | null;
  readonly forms: readonly NamedForm[];
  readonly view: View;
  readonly isNarrow: boolean;
  readonly t: Translate;
}

export function columnsFor(input: ColumnsInput): readonly Column[] {
  const { fields, chosen, formId, forms, isNarrow, t } = input;
  const titles = new Map(forms.map(({ id, title }) => [id, title]));
  if (isNarrow) {
    const formOf = (row: Submission) => (formId === null ? (titles.get(row.form_id) ?? "") : "");
    return [
      {
        key: "summary",
        label: t("inbox.summary"),
        width: "minmax(0, 1fr)",
        show: (row) => <TwoLineRow row={row} form={formOf(row)} input={input} />,
      },
    ];
  }
  const summary: Column = {
    key: "summary",
    label: t("inbox.summary"),
    width: "minmax(8rem, 1fr)",
    show: (row) => <SummaryCell row={row} />,
  };
  const last: readonly Column[] = [
    {
      key: "status",
      label: t("common.status"),
      // Each row is a separate grid, so the width is fixed.
      width: input.failed.size > 0 || input.view === "trash" ? "14rem" : "6.5rem",
      show: (row) => <Marks row={row} input={input} hasStatus />,
    },
    { key: "received", label: t("inbox.received"), width: "7.5rem", show: (row) => <Received row={row} /> },
  ];
  if (formId === null) {
    const form: Column = {
      key: "form",
      label: t("common.form"),
      width: "minmax(7rem, 12rem)",
      show: (row) => titles.get(row.form_id) ?? row.form_id,
    };
    return [form, summary, ...last];
  }
  const names = chosen ?? defaultColumns(fields);
  const shown = names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  const answers = shown.map(
    (field): Column => ({
      key: `field.${field.name}`,
      label: labelOf(field),
      width: "minmax(6rem, 1fr)",
      show: (row) =>
        field.type === "file"
          ? row.files
              .filter((file) => file.field === field.name)
              .map(({ name }) => name)
              .join(", ")
          : shownAnswer(row.data[field.name], field),
    }),
  );
  return [...(answers.length > 0 ? answers : [summary]), ...last];
}

function SummaryCell({ row }: { readonly row: Submission }): ReactNode {
  const { rest } = summaryOf(row);
  return (
    <>
      <Heading row={row} />
      {rest === "" ? null : ` · ${rest}`}
    </>
  );
}

/** The name, the first answer or the number of a submission. */
function Heading({ row }: { readonly row: Submission }): ReactNode {
  const t = useText();
  const { heading } = summaryOf(row);
  return heading === "" ? t("triage.number", { id: row.id }) : heading;
}

/** Row of two lines for a narrow list, as in a mail client. */
function TwoLineRow({
  row,
  form,
  input,
}: {
  readonly row: Submission;
  readonly form: string;
  readonly input: ColumnsInput;
}): ReactNode {
  const t = useText();
  const { rest } = summaryOf(row);
  return (
    <span className="two-lines">
      <span className="row nowrap">
        <span className="clip name">
          <Heading row={row} />
        </span>
        {row.status === "new" ? <span className="visually-hidden">{t("status.new")}</span> : null}
        {row.starred ? (
          <>
            <Icon name="star" filled />
            <span className="visually-hidden">{t("inbox.starred")}</span>
          </>
        ) : null}
      </span>
      <Received row={row} />
      <span className="clip below">{[form, rest].filter((text) => text !== "").join(" · ")}</span>
      <span className="row nowrap marks">
        {row.files.length === 0 ? null : (
          <>
            <Icon name="clip" />
            <span className="visually-hidden">{t("detail.files")}</span>
          </>
        )}
        <Marks
          row={row}
          input={input}
          hasStatus={input.view !== row.status && row.status !== "new" && row.status !== "read"}
        />
      </span>
    </span>
  );
}

/** Status, failed delivery, and days left in the trash. */
function Marks({
  row,
  input: { failed, view, onRestore },
  hasStatus,
}: {
  readonly row: Submission;
  readonly input: ColumnsInput;
  readonly hasStatus: boolean;
}): ReactNode {
  const t = useText();
  return (
    <span className="row nowrap">
      {failed.has(row.id) ? <Badge tone="bad">{t("delivery.failedBadge")}</Badge> : null}
      {hasStatus && view !== "trash" ? <StatusBadge status={row.status} /> : null}
      {view === "trash" ? <DaysLeft submission={row} /> : null}
      {view === "trash" && onRestore !== undefined ? (
        <IconButton icon="undo" label={t("trash.restore")} onPress={() => onRestore(row)} excludeFromTabOrder />
      ) : null}
    </span>
  );
}

const DAY_MS = 86_400_000;

/** Days until a submission in the trash is deleted. */
export function DaysLeft({ submission }: { readonly submission: Submission }): ReactNode {
  const t = useText();
  const { trashed_at: trashedAt } = submission;
  if (trashedAt === undefined || trashedAt === null) return null;
  const days = Math.ceil((Date.parse(trashedAt) + TRASH_DAYS * DAY_MS - Date.now()) / DAY_MS);
  // The clocks of the browser and of the server may differ.
  const count = Math.min(TRASH_DAYS, Math.max(0, days));
  return <span className="muted">{t("trash.daysLeft", { count })}</span>;
}

function Received({ row }: { readonly row: Submission }): ReactNode {
  const formats = useFormats();
  return (
    <time className="muted" dateTime={row.submitted_at} title={formats.dateTime(row.submitted_at)}>
      {formats.short(row.submitted_at)}
    </time>
  );
}

const TONES: Readonly<Record<string, Tone>> = { new: "info", replied: "good", spam: "bad", trash: "bad" };

export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  const textOf = useTextOf();
  return <Badge tone={TONES[status] ?? "neutral"}>{textOf("status", status)}</Badge>;
}

export interface ColumnsMenuProps {
  readonly fields: readonly AnswerField[];
  readonly formId: number | null;
  readonly chosen: ColumnChoice;
  readonly onChange: (names: ColumnChoice) => void;
}

export function ColumnsMenu({ fields, formId, chosen, onChange }: ColumnsMenuProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  if (formId === null || fields.length === 0) return null;
  const names = chosen ?? defaultColumns(fields);
  const toggle = (name: string, isShown: boolean) => {
    const wanted = new Set(isShown ? [...names, name] : names.filter((other) => other !== name));
    onChange(fields.map((field) => field.name).filter((fieldName) => wanted.has(fieldName)));
  };
  return (
    <>
      <Button icon="columns" onPress={() => setIsOpen(true)}>
        {t("inbox.columns")}
      </Button>
      <Dialog
        title={t("inbox.columns")}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        actions={
          <>
            <Button onPress={() => onChange(null)}>{t("inbox.usualColumns")}</Button>
            <Button look="primary" onPress={() => setIsOpen(false)}>
              {t("common.close")}
            </Button>
          </>
        }
      >
        <div className="stack close">
          {fields.map((field) => (
            <Checkbox
              key={field.name}
              label={labelOf(field)}
              value={names.includes(field.name)}
              onChange={(isShown) => toggle(field.name, isShown)}
            />
          ))}
        </div>
      </Dialog>
    </>
  );
}
