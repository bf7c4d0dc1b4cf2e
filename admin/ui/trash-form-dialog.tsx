/** Dialog that moves a form to the trash. The form's header and the list of forms open it. */
import type { ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../shared/api/client.ts";
import { keys } from "../shared/api/keys.ts";
import { useChange } from "../shared/api/queries.ts";
import { formQuery } from "../shared/api/resources.ts";
import { useNotices } from "../shared/notices.ts";
import { useText } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./overlays.tsx";
import { ErrorText } from "./states.tsx";

export interface TrashFormDialogProps {
  readonly form: { readonly id: number; readonly title: string };
  readonly onClose: () => void;
  /** Called when the form is in the trash. */
  readonly onTrashed?: () => void;
}

export default function TrashFormDialog({ form, onClose, onTrashed }: TrashFormDialogProps): ReactNode {
  const t = useText();
  const notices = useNotices();
  const client = useClient();
  const queries = useQueryClient();
  const loaded = useQuery(formQuery(client, form.id));
  const refresh = () => queries.invalidateQueries({ queryKey: keys.forms });
  const restore = () =>
    void client
      .restoreForm({ id: form.id })
      .then(refresh)
      .catch((error: unknown) => notices.showError(error));
  const trash = useChange((current) => current.deleteForm({ id: form.id }), {
    stale: [keys.forms],
    then() {
      queries.removeQueries({ queryKey: keys.form(form.id) });
      notices.showUndoable(t("forms.deleted", { title: form.title }), restore);
      onClose();
      onTrashed?.();
    },
  });
  const actions = loaded.data?.form.settings["actions"];
  return (
    <Dialog
      role="alertdialog"
      title={t("trash.formTitle", { title: form.title })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button
            look="danger"
            isDisabled={loaded.data === undefined}
            isPending={trash.isPending}
            onPress={() => trash.mutate(undefined)}
          >
            {t("trash.move")}
          </Button>
        </>
      }
    >
      {loaded.isError ? (
        <ErrorText error={loaded.error} />
      ) : (
        <p>
          {loaded.data === undefined
            ? t("common.loading")
            : t("trash.formText", {
                submissions: loaded.data.form.submission_count,
                actions: Array.isArray(actions) ? actions.length : 0,
              })}
        </p>
      )}
    </Dialog>
  );
}
