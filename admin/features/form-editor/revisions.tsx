/**
 * Earlier revisions of the form: each shows its differences from the edited content and can be restored as a step that
 * can be undone.
 */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { revisionsQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";
import { Differences } from "./differences.tsx";
import { revisionContent } from "./stored-content.ts";
import type { Editor } from "./use-editor.ts";

const MarkupDifference = lazy(() => import("./markup-difference.tsx"));

export default function Revisions({
  editor,
  onClose,
}: {
  readonly editor: Editor;
  readonly onClose: () => void;
}): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const { form, content } = editor;
  const [chosen, setChosen] = useState<number | null>(null);
  const list = useQuery(revisionsQuery(client, form.id));
  const earlier = useQuery({
    queryKey: keys.revision(form.id, chosen),
    enabled: chosen !== null,
    queryFn: () => revisionContent(client, form.id, chosen ?? 0),
  });
  const restore = () => {
    if (earlier.data !== undefined)
      editor.run({
        kind: "replace",
        content: { ...earlier.data, settings: content.settings, messages: content.messages },
      });
    onClose();
  };
  return (
    <Dialog
      title={t("build.revisions")}
      isOpen
      wide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" isDisabled={earlier.data === undefined} onPress={restore}>
            {t("build.takeRevision")}
          </Button>
        </>
      }
    >
      <p className="help">{t("build.revisionsHelp")}</p>
      <Loaded query={list}>
        {(revisions) => (
          <ul className="build-revisions">
            {revisions.map(({ revision, created_at, user, summary }) => (
              <li key={revision}>
                <Button
                  look={chosen === revision ? "primary" : "quiet"}
                  aria-pressed={chosen === revision}
                  onPress={() => setChosen(revision)}
                >
                  {t("history.revision", { revision })}
                </Button>
                <span className="muted">
                  {formats.dateTime(created_at)}
                  {user === "" ? "" : ` · ${user}`}
                </span>
                <span>{summary}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {chosen === null ? null : (
        <section aria-label={t("build.revisionDifference")}>
          <h3>{t("build.revisionDifference")}</h3>
          <Loaded query={earlier}>
            {(revision) => (
              <>
                <Differences before={content} after={revision} />
                {revision.source === "markup" && content.source === "markup" ? (
                  <Suspense fallback={<Loading />}>
                    <MarkupDifference before={content.markup} after={revision.markup} />
                  </Suspense>
                ) : null}
              </>
            )}
          </Loaded>
        </section>
      )}
    </Dialog>
  );
}
