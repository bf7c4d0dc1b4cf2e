/** Dialog that exports the filtered submissions as a file, with progress and cancel. */
import { type ReactNode, useRef, useState } from "react";
import { useClient } from "../../shared/api/client.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Checkbox, Select } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ErrorText } from "../../ui/states.tsx";
import { apiFilters, type Filters } from "./filters.ts";

const FORMATS = { csv: "text/csv", json: "application/json", ndjson: "application/x-ndjson" } as const;
type Format = keyof typeof FORMATS;

const SEPARATORS = [",", ";", "tab"] as const;
type Separator = (typeof SEPARATORS)[number];

/** Metadata columns of an export that is limited to the columns of the list. */
const METADATA_COLUMNS = ["id", "status", "submitted_at"] as const;

interface ExportButtonProps {
  readonly filters: Filters;
  readonly total: number;
  /** The names of the fields that the list shows. */
  readonly columns: readonly string[];
}

export function ExportButton({ filters, total, columns }: ExportButtonProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const [isOpen, setIsOpen] = useState(false);
  const [format, setFormat] = useState<Format>("csv");
  const [separator, setSeparator] = useState<Separator>(",");
  const [hasListedOnly, setHasListedOnly] = useState(false);
  const [bytes, setBytes] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  // The text of the disabled button says why it is disabled.
  const { formId } = filters;
  if (formId === null)
    return (
      <Button isDisabled icon="download">
        {t("inbox.exportNeedsForm")}
      </Button>
    );

  const run = async () => {
    abort.current = new AbortController();
    setError(null);
    setBytes(0);
    try {
      const cells = {
        bom: true,
        labels: true,
        separator,
        ...(hasListedOnly ? { columns: [...METADATA_COLUMNS, ...columns].join(",") } : {}),
      };
      const input = { ...apiFilters(filters), form_id: formId, format, ...(format === "csv" ? cells : {}) };
      const answer = await client.exportSubmissions(input, { signal: abort.current.signal });
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let sum = 0;
      for (const reader = answer.body?.getReader(); reader !== undefined; ) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        sum += value.byteLength;
        setBytes(sum);
      }
      saveFile(`submissions-${formId}.${format}`, new Blob(parts, { type: FORMATS[format] }));
      setIsOpen(false);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) setError(error);
    } finally {
      setBytes(null);
    }
  };
  const close = () => {
    abort.current?.abort();
    setIsOpen(false);
  };
  return (
    <>
      <Button icon="download" onPress={() => setIsOpen(true)}>
        {t("forms.export")}
      </Button>
      <Dialog
        title={t("inbox.exportTitle", { count: total })}
        isOpen={isOpen}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>{t("common.cancel")}</Button>
            <Button look="primary" isPending={bytes !== null} onPress={() => void run()}>
              {t("common.download")}
            </Button>
          </>
        }
      >
        <p className="help">{t("inbox.exportHelp")}</p>
        <Select
          label={t("inbox.exportFormat")}
          value={format}
          onChange={(value) => setFormat(value as Format)}
          choices={[
            { value: "csv", label: t("inbox.exportCsv") },
            { value: "json", label: "JSON" },
            { value: "ndjson", label: "NDJSON" },
          ]}
        />
        {format === "csv" ? (
          <>
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
            <Checkbox label={t("inbox.exportColumns")} value={hasListedOnly} onChange={setHasListedOnly} />
          </>
        ) : null}
        <p role="status">{bytes === null ? "" : t("inbox.exporting", { size: formats.size(bytes) })}</p>
        {error === null ? null : (
          <div role="alert" className="fault">
            <ErrorText error={error} />
          </div>
        )}
      </Dialog>
    </>
  );
}
