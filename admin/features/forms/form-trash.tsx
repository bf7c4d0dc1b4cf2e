/** Forms in the trash. The user can restore them for some days, or delete them with all their data. */
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { formTrashQuery, type TrashedForm } from "../../shared/api/resources.ts";
import { TRASH_DAYS } from "../../shared/trash.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";

const DAY_MS = 86_400_000;

export default function FormTrash(): ReactNode {
  const t = useText();
  const forms = useQuery(formTrashQuery(useClient()));
  return (
    <Loaded query={forms}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon="trash" title={t("trash.empty")} />
        ) : (
          <div className="form-list">
            <ul>
              {all.map((form) => (
                <TrashedRow key={form.id} form={form} />
              ))}
            </ul>
          </div>
        )
      }
    </Loaded>
  );
}

/** Number of days until the form is deleted, from 1 to {@link TRASH_DAYS}, even if the browser's clock is wrong. */
function daysLeft({ trashed_at: since }: TrashedForm): number {
  const passed = since === undefined ? 0 : (Date.now() - Date.parse(since)) / DAY_MS;
  return Math.min(TRASH_DAYS, Math.max(1, Math.ceil(TRASH_DAYS - passed)));
}

function TrashedRow({ form }: { readonly form: TrashedForm }): ReactNode {
  const t = useText();
  const notices = useNotices();
  const [isDeleting, setIsDeleting] = useState(false);
  const restore = useChange((client) => client.restoreForm({ id: form.id }), {
    stale: [keys.forms, keys.counts],
    then: () => notices.show(t("trash.restored", { title: form.title })),
  });
  return (
    <li className="form-row trashed">
      <div className="form-row-title">
        <span className="title clip">{form.title}</span>
        <span className="muted">
          {t("inbox.count", { count: form.submission_count })} · {t("trash.daysLeft", { count: daysLeft(form) })}
        </span>
      </div>
      <span className="row">
        <Button isPending={restore.isPending} onPress={() => restore.mutate(undefined)}>
          {t("trash.restore")}
        </Button>
        <Button look="danger" onPress={() => setIsDeleting(true)}>
          {t("trash.deleteForm")}
        </Button>
      </span>
      {isDeleting ? <DeleteDialog form={form} onClose={() => setIsDeleting(false)} /> : null}
    </li>
  );
}

/** Asks the user to type the title of a form that has submissions, because these are deleted with it. */
function DeleteDialog({ form, onClose }: { readonly form: TrashedForm; readonly onClose: () => void }): ReactNode {
  const t = useText();
  const [typed, setTyped] = useState("");
  const remove = useChange((client) => client.deleteForm({ id: form.id, force: true }), {
    stale: [keys.forms, keys.counts],
    then: onClose,
  });
  const hasSubmissions = form.submission_count > 0;
  return (
    <Dialog
      role="alertdialog"
      title={t("trash.deleteTitle", { title: form.title })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button
            look="danger"
            isDisabled={hasSubmissions && typed.trim() !== form.title.trim()}
            isPending={remove.isPending}
            onPress={() => remove.mutate(undefined)}
          >
            {t("trash.deleteNow")}
          </Button>
        </>
      }
    >
      <p>{t("trash.deleteText", { submissions: form.submission_count })}</p>
      {hasSubmissions ? (
        <TextField label={t("trash.typeTitle", { title: form.title })} value={typed} onChange={setTyped} />
      ) : null}
    </Dialog>
  );
}
