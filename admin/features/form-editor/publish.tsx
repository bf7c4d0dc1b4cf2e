/** The button that publishes. Of somebody else's draft it says first whose it is and what of it was removed. */
import { type ReactNode, useState } from "react";
import { useOptions } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { Authors, Editor } from "./use-editor.ts";

export function Publish({ editor, authors }: { readonly editor: Editor; readonly authors: Authors | null }): ReactNode {
  const t = useText();
  const { user } = useOptions();
  const { names } = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const others = authors?.logins.filter((login) => login !== user?.login) ?? [];
  // A host may not say who is signed in; then only what was removed tells of somebody else.
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
                {authors.removed.map(({ message }, place) => (
                  <li key={place}>{message}</li>
                ))}
              </ul>
            </>
          )}
        </Dialog>
      ) : null}
    </>
  );
}
