/** Publish button. For somebody else's draft, a dialog first names its authors and what was removed from it. */
import { type ReactNode, useState } from "react";
import { useOptions } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { DraftAuthors, Editor } from "./use-editor.ts";

export function Publish({
  editor,
  authors,
}: {
  readonly editor: Editor;
  readonly authors: DraftAuthors | null;
}): ReactNode {
  const t = useText();
  const { user } = useOptions();
  const { names } = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const others = authors?.logins.filter((login) => login !== user?.login) ?? [];
  // A host may not name the user; then only removed parts show that the draft is somebody else's.
  const isOthers = authors !== null && others.length > 0 && (user !== undefined || authors.removed.length > 0);
  const named = (logins: readonly string[]) => ({ author: names(logins), count: logins.length });
  const publish = () => {
    setIsOpen(false);
    void editor.publish();
  };
  return (
    <>
      <Button look="primary" isDisabled={editor.isPublishing} onPress={() => (isOthers ? setIsOpen(true) : publish())}>
        {t("build.publish")}
      </Button>
      {isOthers ? (
        <Dialog
          role="alertdialog"
          title={t("build.publishOthers")}
          isOpen={isOpen}
          onClose={() => setIsOpen(false)}
          actions={
            <>
              <Button onPress={() => setIsOpen(false)} autoFocus>
                {t("common.cancel")}
              </Button>
              <Button look="primary" onPress={publish}>
                {t("build.publish")}
              </Button>
            </>
          }
        >
          <p>{t("build.publishOthersText", named(others))}</p>
          {authors.removed.length === 0 ? null : (
            <>
              <p>{t("build.draftRemoved", named([...new Set(authors.removed.map(({ login }) => login))]))}</p>
              <ul>
                {authors.removed.map(({ message }, index) => (
                  <li key={index}>{message}</li>
                ))}
              </ul>
            </>
          )}
        </Dialog>
      ) : null}
    </>
  );
}
