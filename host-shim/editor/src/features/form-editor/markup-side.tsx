/** The form's HTML: written by hand it becomes the source, and what its fields cannot say is told first. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../../text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultText, Loaded } from "../../ui/states.tsx";
import { Lost } from "./lost.tsx";
import type { Editor } from "./use-editor.ts";

export function MarkupSide({ editor, onDone }: { readonly editor: Editor; readonly onDone: () => void }): ReactNode {
  const t = useText();
  const { content } = editor;
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const converted = useQuery({ queryKey: ["converted", content], queryFn: () => editor.convert(content) });
  const apply = (markup: string) => {
    setFault(null);
    editor.convert({ ...content, source: "markup", markup }).then(({ schema }) => {
      editor.run({ kind: "markup", markup, schema });
      onDone();
    }, setFault);
  };
  const useFields = (markup: string) => {
    editor.run({ kind: "source", source: "schema", markup, schema: content.schema });
    onDone();
  };
  return (
    <Loaded query={converted}>
      {({ markup, lost }) => (
        <section className="card" aria-label="HTML">
          <p className="hint">{content.source === "schema" ? t("content.fromSchema") : t("build.fromMarkup")}</p>
          <TextField label="HTML" code rows={24} value={typed ?? markup} onChange={setTyped} help={t("content.help")} />
          {fault === null ? null : <div className="fault" role="alert"><FaultText error={fault} /></div>}
          {content.source === "markup" ? <Lost items={lost} /> : null}
          <div className="row end">
            {content.source === "markup" ? <Button onPress={() => useFields(markup)}>{t("build.useFields")}</Button> : null}
            <Button look="primary" isDisabled={typed === null || typed === markup} onPress={() => apply(typed ?? markup)}>{t("build.useMarkup")}</Button>
          </div>
        </section>
      )}
    </Loaded>
  );
}
