/** Counts of visitors' saved progress, which only the visitors can read, and a button that deletes it. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { savedProgressQuery } from "../../shared/api/resources.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/overlays.tsx";

export function SavedProgress({ formId }: { readonly formId: number }): ReactNode {
  const t = useText();
  const formats = useFormats();
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery(savedProgressQuery(client, formId));
  const remove = useChange((api) => api.deleteSavedAnswers({ id: formId }), { stale: [keys.savedProgress(formId)] });
  if (data === undefined || data.open === 0) return null;
  return (
    <div className="stack">
      <p className="help">{t("saved.figures", { count: data.open, size: formats.size(data.bytes) })}</p>
      <Button look="danger" isPending={remove.isPending} onPress={() => setAsking(true)}>
        {t("saved.delete")}
      </Button>
      <Confirm
        title={t("saved.deleteTitle")}
        text={t("saved.deleteText", { count: data.open })}
        action={t("saved.delete")}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(undefined)}
      />
    </div>
  );
}
