/** Earlier revisions of the form, each with a button that restores it. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { formKeys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { revisionsQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText, useTextOf } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Badge, Card } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import type { TabProps } from "../../shared/form-draft.ts";

export default function HistoryTab({ draft: { form } }: TabProps): ReactNode {
  const t = useText();
  const formats = useFormats();
  const textOf = useTextOf();
  // The API names the changed members, separated by commas.
  const changesOf = (summary: string) =>
    summary
      .split(/,\s*/)
      .map((name) => textOf("history.change", name))
      .join(", ");
  const client = useClient();
  const notices = useNotices();
  const revisions = useQuery(revisionsQuery(client, form.id));
  const restore = useChange((client, revision: number) => client.restoreRevision({ id: form.id, revision }), {
    stale: formKeys(form.id),
    then: () => notices.show(t("history.restored")),
  });
  return (
    <Card help={t("history.help")}>
      <Loaded query={revisions}>
        {(list) => (
          <ul className="history">
            {list.map(({ revision, created_at, user, summary }) => (
              <li key={revision}>
                <span className="number">{t("history.revision", { revision })}</span>
                <span className="muted">
                  {formats.dateTime(created_at)}
                  {user === "" ? "" : ` · ${user}`}
                </span>
                <span>{changesOf(summary)}</span>
                {revision === form.revision ? (
                  <Badge tone="info">{t("history.current")}</Badge>
                ) : (
                  <Button onPress={() => restore.mutate(revision)} isPending={restore.isPending}>
                    {t("history.restore")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
