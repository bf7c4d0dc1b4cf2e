/** Dialogs and hints for stored answers whose field or option is removed. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { Field } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";

export interface KeepAnswersProps {
  readonly title: string;
  readonly text: string;
  /** Text of the button that continues without keeping the answers visible. */
  readonly action: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Asks whether to keep a removed field as a hidden one, so that inbox and exports still show its answers. */
export function KeepAnswers({ title, text, action, isOpen, onClose, onKeep, onDiscard }: KeepAnswersProps): ReactNode {
  const t = useText();
  const closeThen = (callback: () => void) => () => {
    onClose();
    callback();
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
          <Button look="danger" onPress={closeThen(onDiscard)}>
            {action}
          </Button>
          <Button look="primary" onPress={closeThen(onKeep)}>
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

/** Lists options of the published form that were removed or got another label. */
export function ChangedOptions({ field, editor }: { readonly field: Field; readonly editor: Draft }): ReactNode {
  const t = useText();
  const before = editor.live.content.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const removed = before.filter(({ value }) => !field.options.some((option) => option.value === value));
  const relabelled = before.filter(({ value, label }) =>
    field.options.some((option) => option.value === value && option.label !== label),
  );
  if (removed.length === 0 && relabelled.length === 0) return null;
  return (
    <div className="hint" role="status">
      {removed.length === 0 ? null : (
        <p>{t("build.optionsGone", { options: removed.map(({ label }) => label).join(", ") })}</p>
      )}
      {relabelled.length === 0 ? null : (
        <p>{t("build.optionsRelabelled", { options: relabelled.map(({ label }) => label).join(", ") })}</p>
      )}
    </div>
  );
}
