/** Dialog for an edit that is impossible in the author's HTML. Offers to make the fields the source. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Draft } from "../../shared/draft/draft.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { ConversionWarnings } from "./conversion-warnings.tsx";
import { MessageText } from "./message-text.tsx";

export default function RejectedEditDialog({ editor }: { readonly editor: Draft }): ReactNode {
  const t = useText();
  const { content, rejectedEdit } = editor;
  const converted = useQuery({
    queryKey: ["conversion-warnings", content.markup],
    enabled: rejectedEdit !== null,
    queryFn: () => editor.convert(content),
  });
  const useFields = () => {
    editor.clearRejectedEdit();
    editor.run({ kind: "source", source: "schema", markup: content.markup, schema: content.schema }, "source");
    if (rejectedEdit !== null) editor.run(rejectedEdit.command, "source");
  };
  return (
    <Dialog
      title={t("build.refused")}
      isOpen={rejectedEdit !== null}
      onClose={editor.clearRejectedEdit}
      actions={
        <>
          <Button onPress={editor.clearRejectedEdit}>{t("common.cancel")}</Button>
          <Button look="primary" onPress={useFields}>
            {t("build.useFields")}
          </Button>
        </>
      }
    >
      <p>{t("build.refusedText")}</p>
      {rejectedEdit === null || rejectedEdit.reason === "" ? null : (
        <p className="help">
          <MessageText text={rejectedEdit.reason} />
        </p>
      )}
      <ConversionWarnings warnings={converted.data?.lost ?? []} />
    </Dialog>
  );
}
