/** Dialog that moves a form to the trash. The form's header and the list of forms open it. */
import type { ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../shared/api/client.ts";
import { keys } from "../shared/api/keys.ts";
import { useChange } from "../shared/api/queries.ts";
import { fileCountQuery, formQuery } from "../shared/api/resources.ts";
import { useNotices } from "../shared/notices.ts";
import { TRASH_DAYS } from "../shared/trash.ts";
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

export default function TrashFormDialog(props: TrashFormDialogProps): ReactNode {
  const { form, onClose } = props;
  const t = useText();
  const client = useClient();
  const loaded = useQuery(formQuery(client, form.id));
  const files = useQuery(fileCountQuery(client, form.id));
  const trash = useTrash(props);
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
            isDisabled={loaded.data === undefined || files.data === undefined}
            isPending={trash.isPending}
            onPress={() => trash.mutate(undefined)}
          >
            {t("trash.move")}
          </Button>
        </>
      }
    >
      {loaded.isError || files.isError ? (
        <ErrorText error={loaded.error ?? files.error} />
      ) : (
        <p>
          {loaded.data === undefined || files.data === undefined
            ? t("common.loading")
            : t("trash.formText", {
                submissions: loaded.data.form.submission_count,
                files: files.data,
                actions: Array.isArray(actions) ? actions.length : 0,
                days: TRASH_DAYS,
              })}
        </p>
      )}
    </Dialog>
  );
}

/** Moves the form to the trash, with a notice that restores it. */
function useTrash({ form, onClose, onTrashed }: TrashFormDialogProps) {
  const t = useText();
  const notices = useNotices();
  const client = useClient();
  const queries = useQueryClient();
  const restore = () =>
    void client
      .restoreForm({ id: form.id })
      .then(() => Promise.all([keys.forms, keys.counts].map((queryKey) => queries.invalidateQueries({ queryKey }))))
      .catch((error: unknown) => notices.showError(error));
  return useChange((current) => current.deleteForm({ id: form.id }), {
    stale: [keys.forms, keys.counts],
    then() {
      queries.removeQueries({ queryKey: keys.form(form.id) });
      notices.showUndoable(t("forms.deleted", { title: form.title }), restore);
      onClose();
      onTrashed?.();
    },
  });
}
