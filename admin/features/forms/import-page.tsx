/** Import of forms and submissions from a file: upload, preview with warnings, progress, results. */
import { type DragEvent, type ReactNode, useId, useState } from "react";
import type { Import } from "../../../client/index.ts";
import { ApiError } from "../../shared/api/client.ts";
import { useChange } from "../../shared/api/queries.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { PlanCard, type StartBody } from "./import-plan.tsx";
import { ProgressCard } from "./import-progress.tsx";
import { type Upload, useUpload } from "./import-upload.ts";

/** Storage key of the import's id, so that the tab shows the import again after a reload. */
const STORAGE_KEY = "cf-forms-import";

function storedId(): number | null {
  try {
    return Number(sessionStorage.getItem(STORAGE_KEY)) || null;
  } catch {
    // `sessionStorage` may be blocked; then a reload starts over.
    return null;
  }
}

function storeId(id: number | null): void {
  try {
    if (id === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, String(id));
  } catch {
    // `sessionStorage` may be blocked; then a reload starts over.
  }
}

/** A file whose format is unknown or ambiguous, with the formats in question. */
interface UnknownFile {
  readonly code: "unknown_format" | "ambiguous";
  readonly formats: readonly string[];
}

/** Returns the formats that the API names for a file with an unknown or ambiguous format. */
function unknownFileOf(error: unknown): UnknownFile | undefined {
  if (!(error instanceof ApiError) || (error.code !== "unknown_format" && error.code !== "ambiguous")) return undefined;
  const formats = error.data["formats"];
  return { code: error.code, formats: Array.isArray(formats) ? formats.map(String) : [] };
}

/** Explains which formats can be imported. */
function UnknownFileCard({ code, formats }: UnknownFile): ReactNode {
  const t = useText();
  const textOfKey = useTextOf();
  return (
    <Card title={t(code === "ambiguous" ? "import.ambiguous" : "import.unknown")} help={t("import.unknownHelp")}>
      <ul className="stack close" role="alert">
        {formats.map((format) => (
          <li key={format}>{textOfKey("import.format", format, {}, format)}</li>
        ))}
      </ul>
    </Card>
  );
}

/** The choice of the file, and the progress of its upload. */
function FileCard({ upload: { share, send, cancel } }: { readonly upload: Upload }): ReactNode {
  const t = useText();
  const helpId = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file !== undefined) send(file);
  };
  return (
    <Card help={t("import.help")}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the label's control does the same by keyboard. */}
      <div className="stack close import-drop" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <label className="field">
          <span className="label">{t("import.file")}</span>
          <input
            aria-describedby={helpId}
            type="file"
            className="input"
            accept=".json,.xml,.wxr,.html,.htm,.csv,.nff,.txt,.xlsx,application/json,text/xml,text/html,text/csv"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file !== undefined) send(file);
            }}
          />
        </label>
        <span id={helpId} className="help">
          {t("import.drop")}
        </span>
        {share === null ? null : (
          <div className="row">
            <progress className="progress" aria-label={t("import.uploading")} max={1} value={share} />
            <Button onPress={cancel}>{t("import.cancelUpload")}</Button>
          </div>
        )}
      </div>
    </Card>
  );
}

export default function ImportPage(): ReactNode {
  const t = useText();
  const [described, setDescribed] = useState<Import | null>(null);
  const [startedId, setStartedId] = useState<number | null>(storedId);
  const showStarted = (id: number | null) => {
    storeId(id);
    setStartedId(id);
    setDescribed(null);
  };
  const drop = useChange((client, id: number) => client.cancelImport({ id }));
  const upload = useUpload((next) => {
    // The previous file is no longer needed.
    if (described !== null) drop.mutate(described.id);
    showStarted(null);
    setDescribed(next);
  });
  const start = useChange(
    (client, { id, body }: { readonly id: number; readonly body: StartBody }) => client.startImport({ id, body }),
    { then: ({ id }) => showStarted(id) },
  );
  const unknown = unknownFileOf(upload.error);
  return (
    <Page title={t("import.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <div className="stack">
        {startedId === null ? <FileCard upload={upload} /> : null}
        {unknown === undefined ? null : <UnknownFileCard {...unknown} />}
        {described === null ? null : (
          <PlanCard
            key={described.id}
            described={described}
            isPending={start.isPending}
            onStart={(body) => start.mutate({ id: described.id, body })}
          />
        )}
        {startedId === null ? null : <ProgressCard id={startedId} onAnother={() => showStarted(null)} />}
      </div>
    </Page>
  );
}
