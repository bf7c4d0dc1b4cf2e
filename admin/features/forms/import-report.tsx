/** The report of an import, as a table and as a file. */
import type { ReactNode } from "react";
import type { ImportNote } from "../../../client/index.ts";
import { keyed } from "../../shared/keyed.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";

type Notes = readonly ImportNote[];

/** Button that saves the report. */
export function SaveReport({ notes }: { readonly notes: Notes }): ReactNode {
  const t = useText();
  if (notes.length === 0) return null;
  const file = () => new Blob([JSON.stringify(notes, null, 2)], { type: "application/json" });
  return (
    <Button icon="download" onPress={() => saveFile("import-report.json", file())}>
      {t("import.saveReport")}
    </Button>
  );
}

/** Warnings of an import, each with its place. */
export function Losses({ notes }: { readonly notes: Notes }): ReactNode {
  const t = useText();
  const title = t("import.report", { count: notes.length });
  return (
    <>
      <h3>{title}</h3>
      {notes.length === 0 ? null : (
        <Scrollable label={title}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t("import.where")}</th>
                <th scope="col">{t("import.what")}</th>
              </tr>
            </thead>
            <tbody>
              {keyed(notes, ({ where, message }) => `${where}: ${message}`).map(([key, note]) => (
                <tr key={key}>
                  <td>
                    <code>{note.where}</code>
                  </td>
                  <td lang="en">{note.message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </>
  );
}
