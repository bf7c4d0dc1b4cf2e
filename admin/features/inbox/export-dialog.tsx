/** Dialog that exports the filtered submissions of a form as a file, with progress and cancel. */
import { type ReactNode, useRef, useState } from "react";
import type { Input } from "../../../client/index.ts";
import { type Client, useClient } from "../../shared/api/client.ts";
import { useFormats } from "../../shared/text/format.ts";
import { type TextId, useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Checkbox, Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { labelOf } from "./answers.ts";
import { defaultColumns, type NamedForm } from "./columns.tsx";
import { apiFilters, type Filters } from "./filters.ts";
import { useInboxForms } from "./inbox-forms.ts";

const FORMATS = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
} as const;
type Format = keyof typeof FORMATS;

const SEPARATORS = [",", ";", "tab"] as const;
type Separator = (typeof SEPARATORS)[number];

/** Columns of an export that are no answers, with their titles. */
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
const DEFAULT_FACTS: readonly string[] = ["id", "status", "submitted_at"];

/** Whether labels or names and values are written. */
type Wording = "labels" | "names";

interface ExportButtonProps {
  readonly filters: Filters;
  readonly total: number;
  readonly forms: readonly NamedForm[];
  /** The names of the fields that the list shows. */
  readonly columns: readonly string[];
}

export function ExportButton(props: ExportButtonProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="download" onPress={() => setIsOpen(true)}>
        {t("forms.export")}
      </Button>
      {isOpen ? <ExportDialog {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function ExportDialog({
  filters,
  total,
  forms,
  columns: listed,
  onClose,
}: ExportButtonProps & { readonly onClose: () => void }): ReactNode {
  const t = useText();
  const client = useClient();
  const formats = useFormats();
  const [formId, setFormId] = useState(filters.formId ?? (forms.length === 1 ? (forms[0]?.id ?? null) : null));
  const [format, setFormat] = useState<Format>("csv");
  const [separator, setSeparator] = useState<Separator>(",");
  const [titles, setTitles] = useState<Wording>("labels");
  const [answers, setAnswers] = useState<Wording>("labels");
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  const { fields } = useInboxForms(formId, NO_ROWS);
  const isTable = format !== "json";
  const choices = [
    ...Object.entries(FACTS).map(([name, label]) => ({ name, label: t(label) })),
    ...fields.filter(({ type }) => type !== "password").map((field) => ({ name: field.name, label: labelOf(field) })),
  ];
  const initialColumns = () => [...DEFAULT_FACTS, ...(formId === filters.formId ? listed : defaultColumns(fields))];
  const toggle = (name: string, isOn: boolean) =>
    setChosen((before) =>
      choices
        .map((choice) => choice.name)
        .filter((known) => (known === name ? isOn : before?.includes(known) === true)),
    );

  const run = async () => {
    if (formId === null) return;
    abort.current = new AbortController();
    setError(null);
    setBytes(0);
    try {
      const input = {
        ...exportFilters(filters, formId),
        form_id: formId,
        format,
        ...(isTable ? { labels: answers === "labels", titles } : {}),
        ...(format === "csv" ? { bom: true, separator } : {}),
        ...(isTable && chosen !== null ? { columns: chosen.join(",") } : {}),
      };
      const parts = await download(client, input, abort.current.signal, setBytes);
      saveFile(`submissions-${formId}.${format}`, new Blob(parts, { type: FORMATS[format] }));
      onClose();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) setError(error);
    } finally {
      setBytes(null);
    }
  };
  const close = () => {
    abort.current?.abort();
    onClose();
  };
  return (
    <Dialog
      title={
        formId !== null && formId === filters.formId ? t("inbox.exportTitle", { count: total }) : t("export.title")
      }
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            isDisabled={formId === null || chosen?.length === 0}
            isPending={bytes !== null}
            onPress={() => void run()}
          >
            {t("common.download")}
          </Button>
        </>
      }
    >
      <p className="help">{t("inbox.exportHelp")}</p>
      {filters.formId === null ? (
        <Select
          label={t("common.form")}
          value={formId === null ? "" : String(formId)}
          placeholder={t("export.chooseForm")}
          choices={forms.map(({ id, title }) => ({ value: String(id), label: title }))}
          onChange={(value) => {
            setFormId(Number(value));
            setChosen(null);
          }}
        />
      ) : null}
      <Select
        label={t("inbox.exportFormat")}
        value={format}
        onChange={(value) => setFormat(value as Format)}
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
          onChange={(value) => setSeparator(SEPARATORS.find((known) => known === value) ?? ",")}
          choices={[
            { value: ",", label: t("inbox.exportComma") },
            { value: ";", label: t("inbox.exportSemicolon") },
            { value: "tab", label: t("inbox.exportTab") },
          ]}
        />
      ) : null}
      {isTable ? (
        <>
          <Select
            label={t("export.titles")}
            value={titles}
            onChange={(value) => setTitles(value as Wording)}
            choices={[
              { value: "labels", label: t("export.labels") },
              { value: "names", label: t("export.names") },
            ]}
          />
          <Select
            label={t("export.answers")}
            value={answers}
            onChange={(value) => setAnswers(value as Wording)}
            choices={[
              { value: "labels", label: t("export.answerLabels") },
              { value: "names", label: t("export.answerValues") },
            ]}
          />
          <Checkbox
            label={t("export.chooseColumns")}
            value={chosen !== null}
            onChange={(isChoosing) => setChosen(isChoosing ? initialColumns() : null)}
          />
          {chosen === null ? null : (
            <fieldset className="conditions export-columns">
              <legend>{t("inbox.columns")}</legend>
              {choices.map(({ name, label }) => (
                <Checkbox
                  key={name}
                  label={label}
                  value={chosen.includes(name)}
                  onChange={(isOn) => toggle(name, isOn)}
                />
              ))}
            </fieldset>
          )}
        </>
      ) : null}
      <p role="status">{bytes === null ? "" : t("inbox.exporting", { size: formats.size(bytes) })}</p>
      {error === null ? null : (
        <div role="alert" className="fault">
          <ErrorText error={error} />
        </div>
      )}
    </Dialog>
  );
}

const NO_ROWS: readonly never[] = [];

/** Filters of the list for an export. Filters by answers belong to the form that they were made for. */
function exportFilters(filters: Filters, formId: number) {
  const { order: _, ...sent } = apiFilters({ ...filters, fields: formId === filters.formId ? filters.fields : {} });
  return sent;
}

/** Downloads an export in parts, so that its progress is known. */
async function download(
  client: Client,
  input: Input<"exportSubmissions">,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const answer = await client.exportSubmissions(input, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let sum = 0;
  for (const reader = answer.body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    sum += value.byteLength;
    onBytes(sum);
  }
  return parts;
}
