/** Bringing forms in from a file: first what it would make and what would be lost, then the forms. */
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useChange } from "../../api/queries.ts";
import type { FormImport } from "../../api/types.ts";
import { useText } from "../../text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Card, Page } from "../../ui/page.tsx";

/** How many submissions of a form the file has, and what became of them. */
function ImportedSubmissions({ found, stored, known }: FormImport["forms"][number]["submissions"]): ReactNode {
  const t = useText();
  if (found === 0) return null;
  return (
    <span className="muted">
      {stored === null ? t("import.found", { count: found }) : t("import.stored", { count: found, stored, known: known ?? 0 })}
    </span>
  );
}

export default function ImportPage(): ReactNode {
  const t = useText();
  const [, navigate] = useLocation();
  const [content, setContent] = useState<string | null>(null);
  const [done, setDone] = useState<FormImport | null>(null);
  const preview = useChange((api, text: string) => api.send<FormImport>("POST", "/forms/import", { query: { preview: true }, body: { content: text } }));
  const make = useChange((api, text: string) => api.send<FormImport>("POST", "/forms/import", { body: { content: text } }), {
    // The submissions are in the inbox and its counts by then.
    stale: ["forms", "submissions", "look", "unread", "newest"].map((name) => [name]),
    then: setDone,
  });
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await file.text();
    setDone(null);
    setContent(text);
    preview.mutate(text);
  };
  const shown = done ?? preview.data;
  // In a preview, what is to be made has no id yet.
  const known = new Set(preview.data?.forms.flatMap(({ id }) => id ?? []));
  const isKnown = ({ id }: FormImport["forms"][number]): boolean => id !== null && known.has(id);
  const made = shown?.forms.filter((form) => !isKnown(form)).length ?? 0;
  const found = shown?.forms.reduce((sum, { submissions }) => sum + submissions.found, 0) ?? 0;
  // Which forms are known is told with each of them.
  const report = shown?.report.filter(({ code }) => code !== "form_known") ?? [];
  return (
    <Page title={t("import.title")} back={{ to: "/forms", label: t("forms.title") }}>
      <div className="stack">
        <Card help={t("import.help")}>
          <label className="field">
            <span className="label">{t("import.file")}</span>
            <input type="file" className="input" accept=".json,.xml,.wxr,application/json,text/xml" onChange={(event) => void read(event.target.files?.[0])} />
          </label>
        </Card>
        {shown === undefined || content === null ? null : (
          <Card title={done === null ? t("import.wouldMake", { count: made }) : t("import.made", { count: made })}>
            <ul className="stack close">
              {shown.forms.map((form, index) => (
                <li key={index} className="row">
                  <Icon name="forms" />{form.title}<span className="muted">/{form.slug}</span>
                  {isKnown(form) ? <span className="muted">{t("import.known")}</span> : null}
                  <ImportedSubmissions {...form.submissions} />
                </li>
              ))}
            </ul>
            <h3>{t("import.report", { count: report.length })}</h3>
            {report.length === 0 ? null : (
              <div className="scroll">
                <table className="table">
                  <thead><tr><th scope="col">{t("import.where")}</th><th scope="col">{t("import.what")}</th></tr></thead>
                  <tbody>{report.map((line, index) => <tr key={index}><td><code>{line.where}</code></td><td lang="en">{line.message}</td></tr>)}</tbody>
                </table>
              </div>
            )}
            <div className="row end">
              {done === null
                ? <Button look="primary" isDisabled={made === 0 && found === 0} isPending={make.isPending} onPress={() => make.mutate(content)}>{t(made === 0 && found > 0 ? "import.store" : "import.make")}</Button>
                : <ButtonLink to={done.forms.length === 1 ? `/forms/${done.forms[0]?.id}` : "/forms"} look="primary">{t("import.open")}</ButtonLink>}
              {done === null ? null : <Button onPress={() => navigate("/forms")}>{t("forms.title")}</Button>}
            </div>
          </Card>
        )}
      </div>
    </Page>
  );
}
