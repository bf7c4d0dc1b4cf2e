/** Menu of a form in the list. It opens the same dialogs as the form's header. */
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useClient } from "../../shared/api/client.ts";
import { formKeys, keys } from "../../shared/api/keys.ts";
import { useChange } from "../../shared/api/queries.ts";
import { formQuery, type ListedForm } from "../../shared/api/resources.ts";
import type { FormChange } from "../../shared/draft/draft.ts";
import { useNotices } from "../../shared/notices.ts";
import { useText } from "../../shared/text/text.tsx";
import { saveFile, useCopy } from "../../ui/copy.tsx";
import type { FormDialogName } from "../../ui/form-dialogs.tsx";
import { stateOf } from "../../ui/form-state.tsx";
import { Menu, type MenuEntry } from "../../ui/overlays.tsx";
import { exportFile } from "./export-file.ts";

const FormDialog = lazy(() => import("../../ui/form-dialogs.tsx"));
const TrashFormDialog = lazy(() => import("../../ui/trash-form-dialog.tsx"));

/** Dialog that publishes a form for the first time. */
export type PublishDialogType = ComponentType<{ readonly formId: number; readonly onClose: () => void }>;

type OpenDialog = FormDialogName | "publish" | "trash" | null;

export interface FormMenuProps {
  readonly form: ListedForm;
  readonly publishDialog: PublishDialogType;
}

export function FormMenu({ form, publishDialog: PublishDialog }: FormMenuProps): ReactNode {
  const t = useText();
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = () => setOpen(null);
  const entries = useEntries(form, setOpen);
  return (
    <>
      <Menu label={t("forms.menu", { title: form.title })} entries={entries} />
      <Suspense fallback={null}>
        {open === "schedule" || open === "close" || open === "reopen" ? (
          <LiveDialog id={form.id} name={open} onClose={close} />
        ) : null}
        {open === "publish" ? <PublishDialog formId={form.id} onClose={close} /> : null}
        {open === "trash" ? <TrashFormDialog form={form} onClose={close} /> : null}
      </Suspense>
    </>
  );
}

function useEntries(form: ListedForm, onOpen: (dialog: OpenDialog) => void): readonly (MenuEntry | null)[] {
  const t = useText();
  const copy = useCopy();
  const notices = useNotices();
  const [, navigate] = useLocation();
  const duplicate = useChange((client) => client.duplicateForm({ id: form.id }), {
    stale: [keys.forms],
    then: (copied) => navigate(`/forms/${copied.id}`),
  });
  const save = useChange((client) => client.exportForms({ ids: [form.id] }), {
    then(content) {
      saveFile(`${form.slug}.json`, exportFile(content));
      notices.show(t("forms.exported"));
    },
  });
  const state = stateOf(form);
  const isPublished = form.status === "published";
  const isClosed = state === "closed" || state === "over" || state === "full";
  return [
    { id: "view", label: t("forms.view"), icon: "open", onAction: () => window.open(form.url, "_blank", "noopener") },
    { id: "address", label: t("forms.copyAddress"), icon: "copy", onAction: () => copy(form.url) },
    { id: "embed", label: t("forms.embed"), icon: "forms", onAction: () => navigate(`/forms/${form.id}/share`) },
    null,
    ...(state === "draft" ? [{ id: "publish", label: t("publish.firstMenu"), onAction: () => onOpen("publish") }] : []),
    ...(isClosed ? [{ id: "reopen", label: t("publish.reopenMenu"), onAction: () => onOpen("reopen") }] : []),
    {
      id: "schedule",
      label: t(state === "notYet" ? "publish.changeSchedule" : "publish.schedule"),
      onAction: () => onOpen("schedule"),
    },
    ...(isPublished ? [{ id: "close", label: t("publish.closeMenu"), onAction: () => onOpen("close") }] : []),
    null,
    { id: "duplicate", label: t("forms.duplicate"), onAction: () => duplicate.mutate(undefined) },
    { id: "export", label: t("forms.export"), icon: "download", onAction: () => save.mutate(undefined) },
    null,
    { id: "trash", label: t("trash.moveMenu"), icon: "trash", danger: true, onAction: () => onOpen("trash") },
  ];
}

interface LiveDialogProps {
  readonly id: number;
  readonly name: FormDialogName;
  readonly onClose: () => void;
}

/** Loads the form, and shows a dialog that changes it at once. */
function LiveDialog({ id, name, onClose }: LiveDialogProps): ReactNode {
  const loaded = useQuery(formQuery(useClient(), id));
  const change = useChange((client, body: FormChange) => client.updateForm({ id, body }), { stale: formKeys(id) });
  if (loaded.data === undefined) return null;
  return <FormDialog form={loaded.data.form} name={name} onChange={change.mutateAsync} onClose={onClose} />;
}
