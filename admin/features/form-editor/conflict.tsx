/** Conflict with somebody else's save: shows both sets of changes, and one side is chosen. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Differences } from "./differences.tsx";
import { currentContent, revisionContent } from "./stored-content.ts";
import type { Editor } from "./use-editor.ts";

export default function Conflict({ editor }: { readonly editor: Editor }): ReactNode {
  const t = useText();
  const client = useClient();
  const { form, content, baseRevision } = editor;
  const both = useQuery({
    queryKey: ["conflict", form.id, editor.fault],
    queryFn: async () => ({
      base: await revisionContent(client, form.id, baseRevision()),
      theirs: await currentContent(client, form.id),
    }),
  });
  return (
    <div className="trouble build-conflict" role="alert">
      <div className="stack close">
        <strong>{t("build.conflict")}</strong>
        <Loaded query={both}>
          {({ base, theirs }) => (
            <div className="columns">
              <section aria-label={t("build.theirChanges")}>
                <h2>{t("build.theirChanges")}</h2>
                <Differences before={base} after={theirs} />
              </section>
              <section aria-label={t("build.yourChanges")}>
                <h2>{t("build.yourChanges")}</h2>
                <Differences before={base} after={content} />
              </section>
            </div>
          )}
        </Loaded>
        <p>{t("build.conflictText")}</p>
        <div className="row">
          <Button onPress={() => void editor.discard()}>{t("build.takeTheirs")}</Button>
          <Button look="danger" onPress={() => void editor.overwrite()}>
            {t("build.keepMine")}
          </Button>
        </div>
      </div>
    </div>
  );
}
