/** Import of forms from a file: first a preview with its warnings, then the import. */
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import type { FormImport } from "../../../client/index.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { keyed } from "../../shared/keyed.ts";
import { Scrollable } from "../../ui/scrollable.tsx";

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

/** Decodes a file. Windows programs may save UTF-16, which begins with a byte order mark. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isUtf16 = (first: number, second: number): boolean => bytes[0] === first && bytes[1] === second;
  return new TextDecoder(isUtf16(0xff, 0xfe) ? "utf-16le" : isUtf16(0xfe, 0xff) ? "utf-16be" : "utf-8").decode(bytes);
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

export default function ImportPage(): ReactNode {
  const t = useText();
  const [content, setContent] = useState<string | null>(null);
  const [done, setDone] = useState<FormImport | null>(null);
  const preview = useChange((client, text: string) => client.importForms({ preview: true, body: { content: text } }));
  const runImport = useChange((client, text: string) => client.importForms({ body: { content: text } }), {
    // An import also changes the inbox and its counts.
    stale: [keys.forms, keys.submissions, keys.poll, keys.unread, keys.newest],
    then: setDone,
  });
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await textOf(file);
    setDone(null);
    setContent(text);
    preview.mutate(text);
  };
  const unknown = unknownFileOf(preview.error);
  const shown = done ?? preview.data;
  return (
    <Page title={t("import.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <div className="stack">
        <Card help={t("import.help")}>
          <label className="field">
            <span className="label">{t("import.file")}</span>
            <input
              type="file"
              className="input"
              accept=".json,.xml,.wxr,.html,.htm,application/json,text/xml,text/html"
              onChange={(event) => void read(event.target.files?.[0])}
            />
          </label>
        </Card>
        {unknown === undefined ? null : <UnknownFileCard {...unknown} />}
        {shown === undefined || content === null ? null : (
          <ImportCard
            done={done}
            preview={preview.data}
            isRunning={runImport.isPending}
            onRun={() => runImport.mutate(content)}
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
            {form.title}
            <span className="muted">/{form.slug}</span>
            {isKnown(form) ? <span className="muted">{t("import.known")}</span> : null}
            <ImportedSubmissions {...form.submissions} />
          </li>
        ))}
      </ul>
      <h3>{t("import.report", { count: report.length })}</h3>
      <ReportTable report={report} />
      <div className="row end">
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
