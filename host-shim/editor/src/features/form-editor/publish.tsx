/** The button that publishes. Of somebody else's draft it says first whose it is and what of it was removed. */
import { type ReactNode, useState } from "react";
import { useOptions } from "../../options.ts";
import { useText } from "../../text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { Author, Editor } from "./use-editor.ts";

export function Publish({ editor, author }: { readonly editor: Editor; readonly author: Author | null }): ReactNode {
  const t = useText();
  const { user } = useOptions();
  const [isOpen, setIsOpen] = useState(false);
  // A host may not say who is signed in; then only what was removed tells of somebody else.
  const isOthers = author !== null && (user === undefined ? author.removed.length > 0 : author.login !== user.login);
  const publish = () => {
    setIsOpen(false);
    void editor.publish();
  };
  return (
    <>
      <Button look="primary" isDisabled={editor.isPublishing} onPress={() => (isOthers ? setIsOpen(true) : publish())}>{t("build.publish")}</Button>
      {isOthers ? (
        <Dialog
          role="alertdialog" title={t("build.publishOthers")} isOpen={isOpen} onClose={() => setIsOpen(false)}
          actions={<><Button onPress={() => setIsOpen(false)} autoFocus>{t("common.cancel")}</Button><Button look="primary" onPress={publish}>{t("build.publish")}</Button></>}
        >
          <p>{t("build.publishOthersText", { author: author.login })}</p>
          {author.removed.length === 0 ? null : (
            <>
              <p>{t("build.draftRemoved", { author: author.login })}</p>
              <ul>{author.removed.map((message, place) => <li key={place}>{message}</li>)}</ul>
            </>
          )}
        </Dialog>
      ) : null}
    </>
  );
}
