/** Import of forms from a file: first a preview with its warnings, then the import. */
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import type { FormImport } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { keyed } from "../../shared/keyed.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import { columnsOf, contentOf } from "./import-file.ts";
import { type ImportTarget, TargetCard } from "./import-target.tsx";

/** A file with what the caller says about it. */
type ImportBody = { readonly content: string } & Partial<ImportTarget>;

const reportFile = (report: FormImport["report"]): Blob =>
  new Blob([JSON.stringify(report, null, 2)], { type: "application/json" });

/** Number of a form's submissions: in the file, stored, and already known. */
function ImportedSubmissions({ found, stored, known }: FormImport["forms"][number]["submissions"]): ReactNode {
  const t = useText();
  if (found === 0) return null;
  return (
    <span className="muted">
      {stored === null
        ? t("import.found", { count: found })
        : t("import.stored", { count: found, stored, known: known ?? 0 })}
    </span>
  );
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

/** Whether the file holds submissions of a form that it does not name. */
function needsForm(error: unknown, content: string): boolean {
  if (!(error instanceof ApiError)) return false;
  const params = error.data["params"];
  const isFormMissing = typeof params === "object" && params !== null && "form_id" in params;
  return isFormMissing || (error.code === "unknown_format" && columnsOf(content) !== undefined);
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

/** The choice of the file. */
function FileCard({ onFile }: { readonly onFile: (file: File | undefined) => void }): ReactNode {
  const t = useText();
  return (
    <Card help={t("import.help")}>
      <label className="field">
        <span className="label">{t("import.file")}</span>
        <input
          type="file"
          className="input"
          accept=".json,.xml,.wxr,.html,.htm,.csv,.nff,.txt,.xlsx,application/json,text/xml,text/html,text/csv"
          onChange={(event) => onFile(event.target.files?.[0])}
        />
      </label>
    </Card>
  );
}

export default function ImportPage(): ReactNode {
  const t = useText();
  const [content, setContent] = useState<string | null>(null);
  const [target, setTarget] = useState<ImportTarget | null>(null);
  const [done, setDone] = useState<FormImport | null>(null);
  const preview = useChange((client, body: ImportBody) => client.importForms({ preview: true, body }));
  const runImport = useChange((client, body: ImportBody) => client.importForms({ body }), {
    // An import also changes the inbox and its counts.
    stale: [keys.forms, keys.submissions, keys.poll, keys.unread, keys.newest],
    then: setDone,
  });
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await contentOf(file);
    setDone(null);
    setTarget(null);
    setContent(text);
    preview.mutate({ content: text });
  };
  const isTargetNeeded = target !== null || (content !== null && needsForm(preview.error, content));
  const unknown = isTargetNeeded ? undefined : unknownFileOf(preview.error);
  const shown = done ?? preview.data;
  return (
    <Page title={t("import.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <div className="stack">
        <FileCard onFile={(file) => void read(file)} />
        {unknown === undefined ? null : <UnknownFileCard {...unknown} />}
        {!isTargetNeeded || content === null ? null : (
          <TargetCard
            key={content}
            columns={columnsOf(content)}
            isPending={preview.isPending}
            onChoose={(chosen) => {
              setDone(null);
              setTarget(chosen);
              preview.mutate({ content, ...chosen });
            }}
          />
        )}
        {shown === undefined || content === null ? null : (
          <ImportCard
            done={done}
            preview={preview.data}
            isRunning={runImport.isPending}
            onRun={() => runImport.mutate({ content, ...target })}
          />
        )}
      </div>
    </Page>
  );
}

/** Forms and submissions of an import, before or after it, and its report. */
function ImportCard({
  done,
  preview,
  isRunning,
  onRun,
}: {
  readonly done: FormImport | null;
  readonly preview: FormImport | undefined;
  readonly isRunning: boolean;
  readonly onRun: () => void;
}): ReactNode {
  const t = useText();
  const [, navigate] = useLocation();
  const shown = done ?? preview;
  // In a preview, only forms that exist already have an id.
  if (shown === undefined) return null;
  const known = new Set(preview?.forms.flatMap(({ id }) => id ?? []));
  const isKnown = ({ id }: FormImport["forms"][number]): boolean => id !== null && known.has(id);
  const newFormCount = shown.forms.filter((form) => !isKnown(form)).length;
  const found = shown.forms.reduce((sum, { submissions }) => sum + submissions.found, 0);
  // The list of forms already marks the known ones.
  const report = shown.report.filter(({ code }) => code !== "form_known");
  return (
    <Card
      title={done === null ? t("import.wouldMake", { count: newFormCount }) : t("import.made", { count: newFormCount })}
    >
      <ul className="stack close">
        {keyed(shown.forms, ({ slug }) => slug).map(([key, form]) => (
          <li key={key} className="row">
            <Icon name="forms" />
            {done === null ? form.title : <Link href={`/forms/${form.id}`}>{form.title}</Link>}
            <span className="muted">/{form.slug}</span>
            {isKnown(form) ? <span className="muted">{t("import.known")}</span> : null}
            <ImportedSubmissions {...form.submissions} />
          </li>
        ))}
      </ul>
      <h3>{t("import.report", { count: report.length })}</h3>
      <ReportTable report={report} />
      <div className="row end">
        {report.length === 0 ? null : (
          <Button icon="download" onPress={() => saveFile("import-report.json", reportFile(report))}>
            {t("import.saveReport")}
          </Button>
        )}
        {done === null ? (
          <Button look="primary" isDisabled={newFormCount === 0 && found === 0} isPending={isRunning} onPress={onRun}>
            {t(newFormCount === 0 && found > 0 ? "import.store" : "import.make")}
          </Button>
        ) : (
          <ButtonLink to={done.forms.length === 1 ? `/forms/${done.forms[0]?.id}` : "/forms"} look="primary">
            {t("import.open")}
          </ButtonLink>
        )}
        {done === null ? null : <Button onPress={() => navigate("/forms")}>{t("forms.title")}</Button>}
      </div>
    </Card>
  );
}

/** List of the changes and losses of an import, each with its place. */
function ReportTable({ report }: Pick<FormImport, "report">): ReactNode {
  const t = useText();
  if (report.length === 0) return null;
  return (
    <Scrollable label={t("import.report", { count: report.length })}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t("import.where")}</th>
            <th scope="col">{t("import.what")}</th>
          </tr>
        </thead>
        <tbody>
          {keyed(report, ({ where, message }) => `${where}: ${message}`).map(([key, line]) => (
            <tr key={key}>
              <td>
                <code>{line.where}</code>
              </td>
              <td lang="en">{line.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
