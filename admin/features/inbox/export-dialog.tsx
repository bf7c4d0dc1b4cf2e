/** Dialog that exports the filtered submissions of a form as a file, with progress and cancel. */
import { type ReactNode, useRef, useState } from "react";
import type { Input } from "../../../client/index.ts";
import { type Client, useClient } from "../../shared/api/client.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { defaultColumns, type NamedForm } from "./columns.tsx";
import { apiFilters, type Filters } from "./filters.ts";
import {
  ColumnChoice,
  DEFAULT_FACTS,
  type ExportChoices,
  exportParameters,
  FORMATS,
  FormatChoice,
  INITIAL_CHOICES,
  WordingChoices,
} from "./export-choices.tsx";
import { useInboxForms } from "./inbox-forms.ts";

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
  const [formId, setFormId] = useState(filters.formId ?? (forms.length === 1 ? (forms[0]?.id ?? null) : null));
  const [choices, setChoices] = useState(INITIAL_CHOICES);
  const { bytes, error, run, abort } = useDownload(filters, onClose);
  const { fields } = useInboxForms(formId, NO_ROWS);
  const change = (changes: Partial<ExportChoices>) => setChoices((before) => ({ ...before, ...changes }));
  const chooseForm = (id: number) => {
    setFormId(id);
    change({ columns: null });
  };
  const close = () => {
    abort();
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
            isDisabled={formId === null || choices.columns?.length === 0}
            isPending={bytes !== null}
            onPress={() => void run(formId, choices)}
          >
            {t("common.download")}
          </Button>
        </>
      }
    >
      <p className="help">{t("inbox.exportHelp")}</p>
      {filters.formId === null ? <FormChoice forms={forms} formId={formId} onChange={chooseForm} /> : null}
      <FormatChoice choices={choices} change={change} />
      {choices.format === "json" ? null : (
        <>
          <WordingChoices choices={choices} change={change} />
          <ColumnChoice
            fields={fields}
            initial={[...DEFAULT_FACTS, ...(formId === filters.formId ? listed : defaultColumns(fields))]}
            chosen={choices.columns}
            onChange={(columns) => change({ columns })}
          />
        </>
      )}
      <Progress bytes={bytes} error={error} />
    </Dialog>
  );
}

/** Progress of the export, or its error. */
function Progress({ bytes, error }: { readonly bytes: number | null; readonly error: unknown }): ReactNode {
  const t = useText();
  const formats = useFormats();
  return (
    <>
      <p role="status">{bytes === null ? "" : t("inbox.exporting", { size: formats.size(bytes) })}</p>
      {error === null ? null : (
        <div role="alert" className="fault">
          <ErrorText error={error} />
        </div>
      )}
    </>
  );
}

function FormChoice({
  forms,
  formId,
  onChange,
}: {
  readonly forms: readonly NamedForm[];
  readonly formId: number | null;
  readonly onChange: (id: number) => void;
}): ReactNode {
  const t = useText();
  return (
    <Select
      label={t("common.form")}
      value={formId === null ? "" : String(formId)}
      placeholder={t("export.chooseForm")}
      choices={forms.map(({ id, title }) => ({ value: String(id), label: title }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

/** Runs the export of a form, and counts the received bytes. */
function useDownload(filters: Filters, onDone: () => void) {
  const client = useClient();
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const controller = useRef<AbortController | null>(null);
  const run = async (formId: number | null, choices: ExportChoices) => {
    if (formId === null) return;
    controller.current = new AbortController();
    setError(null);
    setBytes(0);
    try {
      const input = { ...exportFilters(filters, formId), form_id: formId, ...exportParameters(choices) };
      const parts = await download(client, input, controller.current.signal, setBytes);
      saveFile(`submissions-${formId}.${choices.format}`, new Blob(parts, { type: FORMATS[choices.format] }));
      onDone();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) setError(error);
    } finally {
      setBytes(null);
    }
  };
  return { bytes, error, run, abort: () => controller.current?.abort() };
}

const NO_ROWS: readonly never[] = [];

/** Filters of the list for an export. Filters by answers apply only to the form that they were set for. */
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
