/** What becomes of stored answers when their field or an option goes. */
import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../shared/api/client.ts";
import { keys } from "../../shared/api/keys.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { Field } from "./model/content.ts";
import { currentContent } from "./stored-content.ts";
import type { Editor } from "./use-editor.ts";

export interface KeepAnswersProps {
  readonly title: string;
  readonly text: string;
  /** What goes on without keeping them, in words. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeep: () => void;
  readonly onLeave: () => void;
}

/** Asks whether the old name stays, as a hidden field: then inbox and exports go on showing its answers. */
export function KeepAnswers({ title, text, action, isOpen, onClose, onKeep, onLeave }: KeepAnswersProps): ReactNode {
  const t = useText();
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button look="danger" onPress={then(onLeave)}>
            {action}
          </Button>
          <Button look="primary" onPress={then(onKeep)}>
            {t("build.keepAnswers")}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <p className="help">{t("build.keepAnswersHelp")}</p>
    </Dialog>
  );
}

/** The options of the published form that are gone, and those whose label is another now. */
export function GoneOptions({ field, editor }: { readonly field: Field; readonly editor: Editor }): ReactNode {
  const t = useText();
  const client = useClient();
  const { form } = editor;
  const { data } = useQuery({
    queryKey: keys.publishedContent(form.id, form.revision),
    staleTime: Infinity,
    queryFn: () => currentContent(client, form.id),
  });
  const before = data?.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const gone = before.filter(({ value }) => !field.options.some((own) => own.value === value));
  const relabelled = before.filter(({ value, label }) =>
    field.options.some((own) => own.value === value && own.label !== label),
  );
  if (gone.length === 0 && relabelled.length === 0) return null;
  return (
    <div className="hint" role="status">
      {gone.length === 0 ? null : (
        <p>{t("build.optionsGone", { options: gone.map(({ label }) => label).join(", ") })}</p>
      )}
      {relabelled.length === 0 ? null : (
        <p>{t("build.optionsRelabelled", { options: relabelled.map(({ label }) => label).join(", ") })}</p>
      )}
    </div>
  );
}
